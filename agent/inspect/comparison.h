// Compares what the same project becomes under several strategies: how much its replicas hand to each other, how far its weights end apart.
#pragma once

#include <span>
#include <string>

#include "agent/inspect/engine_surroundings.h"

namespace agent::worker {

// Returns the traffic of one step of the first task's plan. Throws Error as plan::compile() and the strategies do, and for a project that
// is not valid.
engine::spec::StepTraffic stepTraffic(const engine::spec::RunSpec& run);

// Reads both checkpoints with the project's model. Throws Error as exporter::readWeights().
engine::spec::WeightDifference weightDifference(const engine::spec::EngineQuestion& question, const engine::spec::WeightsQuestion& asked);

// Adds one variable's values, of equal number, to what is known of the others.
void addDifference(engine::spec::WeightDifference& found, const std::string& variable, std::span<const float> values,
                   std::span<const float> reference);

}  // namespace agent::worker
