// What a row (or column) of a larger image is made of, by plan::Resize2D: one definition for every back-end.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/plan/plan.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// Cells of the smaller image; the second has `second_weight`, the first the rest of 1.
struct ResizeTaps {
    std::int64_t first = 0, second = 0;
    double second_weight = 0;
};
// The taps of row `out` when each of `size` rows becomes `times` rows.
TANDEM_DEVICE inline ResizeTaps resizeTaps(plan::Interpolation interpolation, int times, std::int64_t out, std::int64_t size) {
    if (interpolation == plan::Interpolation::kNearest) return {out / times, out / times, 0};
    const double place = (static_cast<double>(out) + 0.5) / times - 0.5, below = std::floor(place);
    const auto cell = static_cast<std::int64_t>(below);
    const std::int64_t last = size - 1;
    return {cell < 0 ? 0 : cell > last ? last : cell, cell + 1 > last ? last : cell + 1, place - below};
}

}  // namespace engine::backend
