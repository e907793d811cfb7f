// What of a run's own files can be known before it starts: asked by the agent when a run is submitted.
#pragma once

#include "agent/inspect/engine_surroundings.h"

namespace agent::worker {

// Every error of engine::train::checkInputs, with its field and file. None where the project's plan can't be made: the task says so. Throws
// Error for a project that is not valid.
engine::spec::InputFindings checkInputs(const engine::spec::EngineQuestion& question, const engine::spec::InputsQuestion& asked,
                                        const EngineSurroundings& surroundings);

}  // namespace agent::worker
