// What a step does to the scale of a float16 model's loss: Keras' LossScaleOptimizer, once for every back-end.
#pragma once

#include <cstdint>

#include "engine/tensor/device_function.h"

namespace engine::backend {

// Floats, as variables are: counts stay exact up to 2^24.
struct DynamicScale {
    float scale = 1;
    float steps = 0;     // finite ones in a row
    float left_out = 0;  // in all
};

TANDEM_DEVICE inline DynamicScale nextScale(DynamicScale now, bool is_finite, std::int64_t growth_steps) {
    if (!is_finite) return {now.scale * 0.5F, 0, now.left_out + 1};
    if (now.steps == static_cast<float>(growth_steps - 1)) return {now.scale * 2, 0, now.left_out};
    return {now.scale, now.steps + 1, now.left_out};
}

}  // namespace engine::backend
