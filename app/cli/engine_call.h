// Questions to the engine, which lives in tandem-worker: asked of the agent of this computer, which is started where none runs.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/spec/events/engine_question.h"

namespace app::cli {

// The project without its cluster: for questions about its model alone.
EngineProject modelOf(EngineProject project);

// What the engine is told of samples that the user named: a set of the project, or a file of the working folder.
std::string samplesNamed(const std::string& data);

// The answer, after the project's warnings and the engine's notes were printed to context.err. nullopt after saying why there is none, also
// when Ctrl+C was pressed meanwhile; context.exit_code is then set. Throws engine::Error when the agent can't be reached.
std::optional<engine::spec::EngineAnswer> askEngine(Context& context, const EngineProject& project, engine::spec::AskedOfEngine asked);

template <class Asked>
std::optional<typename Asked::Answer> askEngine(Context& context, const EngineProject& project, Asked asked) {
    auto answer = askEngine(context, project, engine::spec::AskedOfEngine(std::move(asked)));
    return answer ? std::optional(std::get<typename Asked::Answer>(std::move(*answer))) : std::nullopt;
}

}  // namespace app::cli
