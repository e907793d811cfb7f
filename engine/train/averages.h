// The weights whose moving averages the optimizer keeps (use_ema).
#pragma once

#include <span>
#include <vector>

#include "engine/backend/executor.h"

namespace engine::train {

// A weight and its average, of the same size; both live as long as the variables that they were taken from.
struct AveragedWeight {
    std::span<float> weights;
    std::span<float> average;
};

// The averaged weights in the order of the variables; empty where the optimizer keeps none.
std::vector<AveragedWeight> averagedWeights(const backend::Variables& variables);

}  // namespace engine::train
