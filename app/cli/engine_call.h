// Asks questions of the engine, which lives in tandem-worker, through the agent of this computer, which is started where none runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/spec/error.h"
#include "engine/spec/events/engine_question.h"

namespace app::cli {

// Returns the project without its cluster: for questions about its model alone.
EngineProject modelOf(EngineProject project);

// Returns what the engine is told of samples that the user named: a set of the project, or a file of the working folder.
std::string samplesNamed(const std::string& data);

// The functions that hear what the engine says before its answer, or in its place. Where they are empty, a note and an error are printed to
// context.err, and progress is not shown.
struct EngineListener {
    std::function<void(const std::string& line)> note{};
    std::function<void(const engine::spec::EngineProgress& progress)> progress{};
    std::function<void(const engine::Error& error)> failed{};
};

// Returns the answer, after the project's warnings and the engine's notes were printed to context.err. `project` may have no file, for
// questions that need none. nullopt after saying why there is no answer, also when Ctrl+C was pressed meanwhile; context.exit_code is then
// set. Throws engine::Error when the agent can't be reached.
std::optional<engine::spec::EngineAnswer> askEngine(Context& context, const EngineProject& project, engine::spec::AskedOfEngine asked,
                                                    EngineListener listener = {});

template <class Asked>
std::optional<typename Asked::Answer> askEngine(Context& context, const EngineProject& project, Asked asked, EngineListener listener = {}) {
    auto answer = askEngine(context, project, engine::spec::AskedOfEngine(std::move(asked)), std::move(listener));
    return answer ? std::optional(std::get<typename Asked::Answer>(std::move(*answer))) : std::nullopt;
}

}  // namespace app::cli
