// What a row (or column) of a result is made of, by plan::Resample2D: one definition for every back-end. Places are rounded as TensorFlow's
// resizing of images rounds them, with half-pixel centres.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/backend/image/range_draws.h"
#include "engine/plan/plan.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// Cells of the image, which may lie beyond it; the second has `second_weight`, the first the rest of 1.
struct ResampleTaps {
    std::int64_t first = 0, second = 0;
    float second_weight = 0;
};
// The taps of row `out` of `results` when the part of `size` rows from row `begin` on becomes all of them.
TANDEM_DEVICE inline ResampleTaps resampleTaps(plan::Interpolation interpolation, std::int64_t begin, std::int64_t size,
                                               std::int64_t results, std::int64_t out) {
    const float scale = static_cast<float>(size) / static_cast<float>(results);
    const float place = (static_cast<float>(out) + 0.5F) * scale;
    const std::int64_t last = size - 1;
    if (interpolation == plan::Interpolation::kNearest) {
        const auto cell = static_cast<std::int64_t>(std::floor(place));
        const std::int64_t held = begin + (cell > last ? last : cell);
        return {held, held, 0};
    }
    const float between = place - 0.5F, below = std::floor(between);
    const auto cell = static_cast<std::int64_t>(below);
    return {begin + (cell < 0 ? 0 : cell > last ? last : cell), begin + (cell + 1 > last ? last : cell + 1), between - below};
}

// Where the part of an item begins. Of a drawn one every sample has the same: those of a batch are cut alike, as in Keras, on all replicas.
struct PartBegin {
    std::int64_t top = 0, left = 0;
};
TANDEM_DEVICE inline PartBegin partBegin(const DropoutKey& key, const plan::Resample2D& part) {
    if (!part.is_drawn) return {part.top, part.left};
    enum Draw : std::uint64_t { kTop, kLeft };
    const RangeDraws draws(key, 0);
    const auto drawn = [&](std::int64_t last, Draw place) {
        return static_cast<std::int64_t>(draws.unit(place) * (static_cast<double>(last) + 1));
    };
    return {drawn(part.top, kTop), drawn(part.left, kLeft)};
}

}  // namespace engine::backend
