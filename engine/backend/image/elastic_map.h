// RandomElastic's fields and how an image is read by one: one definition for every back-end, keyed like RandomColors' numbers
// (color_map.h). Fields are those of Keras' elastic_transform on TensorFlow, which moves a cell as far in columns as in rows, for it draws
// both from one seed; reading between and beyond cells is that of its map_coordinates there.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/gaussian_noise.h"
#include "engine/backend/image/blur.h"
#include "engine/backend/image/image_map.h"
#include "engine/backend/image/range_draws.h"
#include "engine/backend/image/value_range.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// What the images of a batch share, of a step of TimeDistributed those of that time.
struct ElasticNumbers {
    float deviation = 0;  // of the numbers of the cells before they are smoothed, and of the window's curve, in cells
    float reach = 0;      // the factor of the smoothed numbers
    int half = 0;         // the window's places on either side of its middle

    TANDEM_DEVICE int places() const { return 2 * half + 1; }
};
// By a number of the layer's scale: reach is a tenth of it in the larger size of the image, the deviation a twentieth in the smaller one.
TANDEM_DEVICE inline ElasticNumbers elasticNumbers(double scale, std::int64_t height, std::int64_t width) {
    const auto factor = static_cast<float>(scale);
    const float larger = static_cast<float>(height > width ? height : width), smaller = static_cast<float>(height > width ? width : height);
    ElasticNumbers numbers;
    numbers.deviation = smaller * (0.05F * factor);
    numbers.reach = larger * (0.1F * factor);
    numbers.half = 3 * static_cast<int>(numbers.deviation);
    return numbers;
}

namespace elastic_detail {
enum Draw : std::uint64_t { kChance, kFate, kScale };
}

// Stands in sample 0's stream, whether or not it is in the batch.
TANDEM_DEVICE inline ElasticNumbers drawElasticNumbers(const DropoutKey& key, const plan::RandomElastic& elastic, std::int64_t height,
                                                       std::int64_t width) {
    return elasticNumbers(RangeDraws(key, 0).within(elastic.scale, elastic_detail::kScale), height, width);
}
// Tells if the image is changed; else its field is 0.
TANDEM_DEVICE inline bool drawElasticFate(const DropoutKey& key, const plan::RandomElastic& elastic, std::uint32_t sample) {
    const RangeDraws draws(key, sample);
    return draws.unit(elastic_detail::kFate) < draws.within(elastic.chance, elastic_detail::kChance);
}
// The normal number of a cell of the sample's image. They stand in its stream of RandomPurpose::kDropout, one for each.
TANDEM_DEVICE inline float elasticNumber(const DropoutKey& key, std::uint32_t sample, std::int64_t cell) {
    const tensor::RandomStream stream = randomStream(key, tensor::RandomPurpose::kDropout);
    return normalNumbers(stream.block(sample, static_cast<std::uint64_t>(cell / 4))).values[cell % 4];
}

// The window's weighted sum of the cells around cell `at` of an axis of `size` cells, `stride` apart: zeros lie beyond. A window of rows
// and columns is the product of its two axes.
TANDEM_DEVICE inline float smoothedAt(const float* weights, int half, const float* cells, std::int64_t stride, std::int64_t size,
                                      std::int64_t at) {
    const std::int64_t begin = at > half ? at - half : 0, end = at + half < size ? at + half + 1 : size;
    float sum = 0;
    for (std::int64_t i = begin; i < end; ++i) sum += weights[i - at + half] * cells[i * stride];
    return sum;
}

// The cell that stands for cell `at` of an axis; -1 where that is fill_value. Keras' kReflect repeats the last cell, but not the first.
TANDEM_DEVICE inline std::int64_t elasticCell(plan::RandomImage::Fill fill, std::int64_t at, std::int64_t size) {
    using Fill = plan::RandomImage::Fill;
    if (at >= 0 && at < size) return at;
    if (fill == Fill::kConstant) return -1;
    if (fill == Fill::kNearest) return at < 0 ? 0 : size - 1;
    if (fill == Fill::kWrap) return (at % size + size) % size;
    const std::int64_t folded = (at < 0 ? -at : at) % (2 * size);
    return folded < size ? folded : 2 * size - folded - 1;
}

// What cell (row * width + column) of the result is made of, where the field there is `moved`.
TANDEM_DEVICE inline ImageTaps elasticTaps(const plan::RandomElastic& elastic, float moved, std::int64_t cell, std::int64_t height,
                                           std::int64_t width) {
    const float at_row = static_cast<float>(cell / width) + moved, at_column = static_cast<float>(cell % width) + moved;
    ImageTaps taps;
    const auto add = [&](std::int64_t row, std::int64_t column, float weight) {
        if (weight == 0) return;
        const std::int64_t tap_row = elasticCell(elastic.fill, row, height), tap_column = elasticCell(elastic.fill, column, width);
        if (tap_row < 0 || tap_column < 0) {
            taps.constant += weight * static_cast<float>(elastic.fill_value);
            return;
        }
        taps.cells[taps.count] = tap_row * width + tap_column;
        taps.weights[taps.count] = weight;
        ++taps.count;
    };
    if (elastic.interpolation == plan::Interpolation::kNearest) {
        add(static_cast<std::int64_t>(std::rint(at_row)), static_cast<std::int64_t>(std::rint(at_column)), 1);
        return taps;
    }
    const float above = std::floor(at_row), before = std::floor(at_column), down = at_row - above, right = at_column - before;
    const auto top = static_cast<std::int64_t>(above), left = static_cast<std::int64_t>(before);
    add(top, left, (1 - down) * (1 - right));
    add(top, left + 1, (1 - down) * right);
    add(top + 1, left, down * (1 - right));
    add(top + 1, left + 1, down * right);
    return taps;
}

// What becomes of the value that taps add up to, and how fast that grows with it.
TANDEM_DEVICE inline float elasticHeld(const plan::RandomElastic& elastic, float mixed) {
    return value_range::clip(mixed, static_cast<float>(elastic.low), static_cast<float>(elastic.high));
}
TANDEM_DEVICE inline float elasticHeldSlope(const plan::RandomElastic& elastic, float mixed) {
    return value_range::clipSlope(mixed, static_cast<float>(elastic.low), static_cast<float>(elastic.high));
}

// One image on a processor.
struct ElasticSize {
    std::int64_t height = 0, width = 0, channels = 0;

    std::int64_t cells() const { return height * width; }
};
// The places of the largest window that the layer may draw.
std::int64_t mostElasticPlaces(const plan::RandomElastic& elastic, const ElasticSize& size);
// Makes the field of the normal numbers that stand in its cells. `scratch` has as many values as the field and places as the window.
void smoothElasticField(const ElasticNumbers& numbers, const ElasticSize& size, std::span<float> field, std::span<float> scratch);
// Draws the field of an item; `scratch` has as many values as the field and mostElasticPlaces().
void fillElasticField(const plan::RandomElastic& elastic, const RandomItem& item, const ElasticSize& size, std::span<float> field,
                      std::span<float> scratch);
// Reads an image by its field. Back: each cell gets the gradients of what was made of it.
void readElastic(const plan::RandomElastic& elastic, const ElasticSize& size, std::span<const float> field, std::span<const float> x,
                 std::span<float> y);
void readElasticBack(const plan::RandomElastic& elastic, const ElasticSize& size, std::span<const float> field, std::span<const float> dy,
                     std::span<const float> x, std::span<float> dx);

}  // namespace engine::backend
