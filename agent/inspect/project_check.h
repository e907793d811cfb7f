// Checks what can be known of a run's own files before it starts. The agent asks for it when a run is submitted.
#pragma once

#include "agent/inspect/engine_surroundings.h"

namespace agent::worker {

// Returns every error of engine::train::checkInputs, with its field and file. Returns none where the project's plan can't be made: the task
// says so then. Throws Error for a project that is not valid.
engine::spec::InputFindings checkInputs(const engine::spec::EngineQuestion& question, const engine::spec::InputsQuestion& asked,
                                        const EngineSurroundings& surroundings);

}  // namespace agent::worker
