// What a trained model makes of its test set, and of one sample.
#pragma once

#include "agent/inspect/engine_surroundings.h"

namespace agent::worker {

// Both throw Error for a checkpoint or data that can't be used, and for a project that is not valid.
engine::spec::Evaluation evaluate(const engine::spec::EngineQuestion& question, const engine::spec::EvaluateQuestion& asked,
                                  const EngineSurroundings& surroundings);
engine::spec::Inspection inspect(const engine::spec::EngineQuestion& question, const engine::spec::InspectQuestion& asked,
                                 const EngineSurroundings& surroundings);

}  // namespace agent::worker
