#include "engine/backend/image/blur.h"

#include <algorithm>
#include <cstddef>

namespace engine::backend {

void fillBlurWeights(const plan::RandomBlur& blur, const BlurDeviations& deviations, std::span<float> weights) {
    const BlurWeights all(blur, deviations);
    for (std::size_t cell = 0; cell < weights.size(); ++cell) weights[cell] = all(static_cast<int>(cell));
}

// A cell of the window at a time, along the whole row.
void blurRow(const plan::RandomBlur& blur, std::span<const float> weights, const BlurredImage& image, std::span<const float> x,
             std::int64_t row, std::span<float> sums) {
    std::fill(sums.begin(), sums.end(), 0.0F);
    for (int r = 0; r < blur.kernel_h; ++r) {
        const std::int64_t from = row + r - blur.kernel_h / 2;
        if (from < 0 || from >= image.height) continue;
        const float* cells = &x[static_cast<std::size_t>(from * image.rowValues())];
        for (int c = 0; c < blur.kernel_w; ++c) {
            const std::int64_t aside = c - blur.kernel_w / 2;
            const std::int64_t begin = std::max<std::int64_t>(-aside, 0) * image.channels,
                               end = (image.width - std::max<std::int64_t>(aside, 0)) * image.channels;
            const float weight = weights[static_cast<std::size_t>(r * blur.kernel_w + c)];
            const float* shifted = cells + aside * image.channels;
            for (std::int64_t i = begin; i < end; ++i) sums[static_cast<std::size_t>(i)] += weight * shifted[i];
        }
    }
}

}  // namespace engine::backend
