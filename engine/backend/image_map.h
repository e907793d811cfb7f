// RandomImage's maps: one definition for every back-end. The map of a sample depends on seed, epoch, iteration, layer and the sample's
// index in the data set, like dropout's masks (dropout_mask.h). Matrices are Keras' (layers/preprocessing/image_preprocessing), reading
// between and beyond cells is that of TensorFlow's ImageProjectiveTransformV3.
#pragma once

#include <array>
#include <cstdint>

#include "engine/backend/dropout_mask.h"
#include "engine/plan/plan.h"

namespace engine::backend {

// Cell (row, column) of the result is read at row a * row + b * column + c, column d * row + e * column + f of the image.
struct ImageMap {
    float a = 1, b = 0, c = 0, d = 0, e = 1, f = 0;
    friend bool operator==(const ImageMap&, const ImageMap&) = default;
};
ImageMap drawImageMap(const DropoutKey& key, const plan::RandomImage& random, std::uint32_t sample, std::int64_t height,
                      std::int64_t width);

// Which cells (row * width + column) one of the result is made of, and how much of each; `constant` comes on top.
struct ImageTaps {
    int count = 0;
    std::array<std::int64_t, 4> cells{};
    std::array<float, 4> weights{};
    float constant = 0;
};
ImageTaps imageTaps(const ImageMap& map, const plan::RandomImage& random, std::int64_t row, std::int64_t column, std::int64_t height,
                    std::int64_t width);

}  // namespace engine::backend
