// RandomBlur's numbers and the weights of its windows: one definition for every back-end, keyed like RandomColors' numbers (color_map.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/image/range_draws.h"
#include "engine/backend/image/value_range.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// An image's own.
struct BlurNumbers {
    bool changes = false;  // else the image is held within its range, no more
    float amount = 0;
};
// Those that the images of a batch share, of a step of TimeDistributed those of that time: in Keras' order.
struct BlurDeviations {
    float of_first = 1, of_second = 1;
};

namespace blur_detail {
enum Draw : std::uint64_t { kAmount, kChance, kFate, kFirst, kSecond };
}

TANDEM_DEVICE inline BlurNumbers drawBlurNumbers(const DropoutKey& key, const plan::RandomBlur& blur, std::uint32_t sample) {
    using namespace blur_detail;
    const RangeDraws draws(key, sample);
    return {.changes = draws.unit(kFate) < draws.within(blur.chance, kChance),
            .amount = static_cast<float>(draws.within(blur.amount, kAmount))};
}

// Stands in sample 0's stream behind what the sample draws for itself, whether or not it is in the batch.
TANDEM_DEVICE inline BlurDeviations drawBlurDeviations(const DropoutKey& key, const plan::RandomBlur& blur) {
    using namespace blur_detail;
    constexpr float kLeast = 1e-6F;
    const RangeDraws draws(key, 0);
    return {static_cast<float>(draws.within(blur.deviation, kFirst)) + kLeast,
            static_cast<float>(draws.within(blur.deviation, kSecond)) + kLeast};
}

// A normal curve at `size` whole places around its middle.
struct BlurCurve {
    int size = 1;
    float deviation = 1, sum = 1;

    TANDEM_DEVICE BlurCurve(int places, float width) : size(places), deviation(width), sum(0) {
        for (int i = 0; i < size; ++i) sum += height(i);
    }
    TANDEM_DEVICE float height(int i) const {
        const float x = (static_cast<float>(i) - static_cast<float>(size - 1) / 2) / deviation;
        return std::exp(-0.5F * (x * x));
    }
    TANDEM_DEVICE float share(int i) const { return height(i) / sum; }
};

// The weights of a window's cells, counted row by row. Keras makes a table of kernel_w rows and kernel_h columns and reads it as one of
// kernel_h rows and kernel_w columns: in a window that is not square, curves go on from one row to the next. Weights are the same
// forwards and backwards, so the way back of a blur is a blur.
class BlurWeights {
public:
    TANDEM_DEVICE BlurWeights(const plan::RandomBlur& blur, const BlurDeviations& deviations)
        : is_gaussian_(blur.is_gaussian),
          middle_(blur.kernel_h * blur.kernel_w / 2),
          first_(blur.is_gaussian ? blur.kernel_h : 1, deviations.of_first),
          second_(blur.is_gaussian ? blur.kernel_w : 1, deviations.of_second) {}

    TANDEM_DEVICE float operator()(int cell) const {
        if (!is_gaussian_) return cell == middle_ ? 5.0F / 13.0F : 1.0F / 13.0F;
        return second_.share(cell / first_.size) * first_.share(cell % first_.size);
    }

private:
    bool is_gaussian_;
    int middle_;
    BlurCurve first_, second_;
};

// What becomes of a value of an image that changes, or of a gradient, where its window's weighted sum is `blurred`.
TANDEM_DEVICE inline float blurMixed(const plan::RandomBlur& blur, float amount, float x, float blurred) {
    return blur.is_gaussian ? blurred : x + amount * (blurred - x);
}
TANDEM_DEVICE inline float blurHeld(const plan::RandomBlur& blur, float mixed) {
    return value_range::clip(mixed, static_cast<float>(blur.low), static_cast<float>(blur.high));
}
// How fast the held value grows with the mixed one.
TANDEM_DEVICE inline float blurHeldSlope(const plan::RandomBlur& blur, float mixed) {
    return value_range::clipSlope(mixed, static_cast<float>(blur.low), static_cast<float>(blur.high));
}

// One image of (rows, columns, channels) on a processor.
struct BlurredImage {
    std::int64_t height = 0, width = 0, channels = 0;

    std::int64_t rowValues() const { return width * channels; }
};
// Fills the weights of kernel_h * kernel_w cells.
void fillBlurWeights(const plan::RandomBlur& blur, const BlurDeviations& deviations, std::span<float> weights);
// The weighted sums of the windows around the cells of one row of `x`, an image: `sums` has a row's values.
void blurRow(const plan::RandomBlur& blur, std::span<const float> weights, const BlurredImage& image, std::span<const float> x,
             std::int64_t row, std::span<float> sums);

}  // namespace engine::backend
