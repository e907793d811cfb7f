// What tandem-worker does in place of training: it answers one question to the engine (engine/spec/events/engine_question.h), asked by its
// agent.
#pragma once

#include "agent/inspect/engine_surroundings.h"
#include "engine/spec/events/engine_question.h"

namespace agent::worker {

// Throws what the engine finds wrong with the question: engine::Error, std::exception.
engine::spec::EngineAnswer answer(const engine::spec::EngineQuestion& question, const EngineSurroundings& surroundings);

// Reads the question from `descriptor` and writes there what becomes of it, as agent/proto/question.proto says. Returns the exit code:
// kExitDone also when the answer is a failure, kExitAgentGone when nobody asks or listens.
int answerOn(int descriptor, EngineSurroundings surroundings);

}  // namespace agent::worker
