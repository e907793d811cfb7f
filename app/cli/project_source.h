// Makes of what the user typed a checked project.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "engine/spec/project/run_spec.h"

namespace app::cli {

// Adds the file's name to findings on a file as a whole.
void nameFile(engine::spec::Diagnostics& diagnostics, const std::string& file);

// Returns the file that `name` means: a path, or the name of a starter project. nullopt when neither exists.
std::optional<std::filesystem::path> findProject(const Context& context, const std::string& name);

// Reads the project and applies `--set` values, without a look at the whole; diagnostics and errors as below.
std::optional<engine::spec::RunSpec> readProject(Context& context, const std::string& name, const std::vector<std::string>& settings);

// Reads the project, applies `--set` values and prints every diagnostic to context.err, one a line. nullopt when there was an error;
// context.exit_code is then set.
std::optional<engine::spec::RunSpec> loadProject(Context& context, const std::string& name, const std::vector<std::string>& settings);

// Reads the project as readProject() does and prints what validate() finds of it, but for what keeps it from training here alone: its
// tasks, and a strategy without a back-end. nullopt when there was an error.
std::optional<engine::spec::RunSpec> readProjectForCode(Context& context, const std::string& name,
                                                        const std::vector<std::string>& settings);

// A project that the engine is asked about.
struct EngineProject {
    engine::spec::RunSpec run;
    std::filesystem::path file;            // as the user named it
    engine::spec::Diagnostics findings{};  // warnings, said when the engine is asked
};

// Reads the project as readProject() does; errors alone are printed.
std::optional<EngineProject> readForEngine(Context& context, const std::string& name, const std::vector<std::string>& settings);

// Loads the project as loadProject() does; errors alone are printed.
std::optional<EngineProject> loadForEngine(Context& context, const std::string& name, const std::vector<std::string>& settings);

}  // namespace app::cli
