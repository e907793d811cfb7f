// RandomErasing's boxes and what fills them: one definition for every back-end, keyed like RandomColors' numbers (color_map.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/gaussian_noise.h"
#include "engine/backend/image/range_draws.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// Rows and columns from the first number on, below the second; nothing at first.
struct ErasedBox {
    float top = 0, bottom = 0, left = 0, right = 0;

    TANDEM_DEVICE bool contains(std::int64_t row, std::int64_t column) const {
        const auto r = static_cast<float>(row), c = static_cast<float>(column);
        return r >= top && r < bottom && c >= left && c < right;
    }
};

TANDEM_DEVICE inline ErasedBox drawErasedBox(const DropoutKey& key, const plan::RandomErasing& erasing, std::uint32_t sample,
                                             std::int64_t height, std::int64_t width) {
    enum Draw : std::uint64_t { kWidth, kHeight, kLeft, kTop, kChance, kFate };
    const RangeDraws draws(key, sample);
    if (draws.unit(kFate) >= draws.within(erasing.chance, kChance)) return {};
    const double rows = std::sqrt(draws.within(erasing.area, kHeight)) * static_cast<double>(height);
    const double columns = std::sqrt(draws.within(erasing.area, kWidth)) * static_cast<double>(width);
    const double top = draws.unit(kTop) * (static_cast<double>(height) - rows);
    const double left = draws.unit(kLeft) * (static_cast<double>(width) - columns);
    return {static_cast<float>(top), static_cast<float>(top + rows), static_cast<float>(left), static_cast<float>(left + columns)};
}

// Value i of an image, of a channel with this colour. The item's normal numbers stand in its stream of RandomPurpose::kDropout, one for
// each.
TANDEM_DEVICE inline float erasedValue(const plan::RandomErasing& erasing, const DropoutKey& key, std::uint32_t sample, std::int64_t i,
                                       float color) {
    const auto low = static_cast<float>(erasing.low), high = static_cast<float>(erasing.high);
    float value = color;
    if (erasing.is_noise) {
        const tensor::RandomStream stream = randomStream(key, tensor::RandomPurpose::kDropout);
        value = high * normalNumbers(stream.block(sample, static_cast<std::uint64_t>(i / 4))).values[i % 4];
    }
    return value < low ? low : value > high ? high : value;
}

// One image of (rows, columns, channels) on a processor. Back: what was erased has no gradient.
struct ErasedImage {
    std::int64_t height = 0, width = 0, channels = 0;
};
void eraseBox(const plan::RandomErasing& erasing, const RandomItem& item, const ErasedImage& image, std::span<const float> x,
              std::span<float> y);
void eraseBoxBack(const plan::RandomErasing& erasing, const RandomItem& item, const ErasedImage& image, std::span<const float> dy,
                  std::span<float> dx);

}  // namespace engine::backend
