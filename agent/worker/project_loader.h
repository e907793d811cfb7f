// A project file with the settings of the command line and the cluster of the environment applied, checked as a whole.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/cluster/ranked_task.h"
#include "engine/spec/cluster/task_flags.h"
#include "engine/spec/events/engine_question.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

struct LoadedProject {
    engine::spec::RunSpec run;
    engine::spec::TfConfig config;  // empty without a cluster
};

// The source that says which task of which cluster this is. At most one of the three is set.
struct TaskSource {
    engine::spec::TaskFlags flags{};
    engine::spec::RankedTask ranked{};
    std::string_view tf_config{};
};

// Every finding goes to `errors`, one a line: "PROJECT: error: ...". nullopt when there is an error among them, and when the file cannot be
// read. A TF_CONFIG with several tasks makes a project whose strategy has no cluster a MultiWorkerMirroredStrategy run, or one of
// ParameterServerStrategy where it lists a ps; a project with several tasks needs a source.
std::optional<LoadedProject> loadProject(const std::filesystem::path& file, const std::vector<std::string>& settings,
                                         const TaskSource& source, std::ostream& errors);

// Throws Error(kInvalidArgument) with every error that validate() finds, one a line.
void requireValid(const engine::spec::RunSpec& run);

// The project of a question about its model alone: without its cluster, its own files resolved. Throws as
// requireValid().
engine::spec::RunSpec modelAlone(const engine::spec::EngineQuestion& question);

// Threads of a task when nobody says how many: the project's, else the processors that a launcher granted the task, of those that it may
// run on; without such a grant (0) what it may run on, by the tasks of the cluster that run on this host, at least one.
int threadsPerTask(const engine::spec::RunSpec& run, const std::string& own_address, int granted = 0);

}  // namespace agent::worker
