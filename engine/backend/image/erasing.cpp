#include "engine/backend/image/erasing.h"

#include <algorithm>
#include <cstddef>

namespace engine::backend {
namespace {

// Copies `from`, but for the box, where it puts filler(index in the image, channel).
template <typename Filler>
void copyAround(const ErasedBox& box, const ErasedImage& image, std::span<const float> from, std::span<float> to, const Filler& filler) {
    std::size_t i = 0;
    for (std::int64_t row = 0; row < image.height; ++row) {
        for (std::int64_t column = 0; column < image.width; ++column) {
            const bool is_erased = box.contains(row, column);
            for (std::int64_t channel = 0; channel < image.channels; ++channel, ++i) {
                to[i] = is_erased ? filler(static_cast<std::int64_t>(i), channel) : from[i];
            }
        }
    }
}

}  // namespace

void eraseBox(const plan::RandomErasing& erasing, const RandomItem& item, const ErasedImage& image, std::span<const float> x,
              std::span<float> y) {
    const ErasedBox box = drawErasedBox(item.key, erasing, item.sample, image.height, image.width);
    copyAround(box, image, x, y, [&](std::int64_t i, std::int64_t channel) {
        return erasedValue(erasing, item.key, item.sample, i, static_cast<float>(erasing.fill[static_cast<std::size_t>(channel % 3)]));
    });
}

void eraseBoxBack(const plan::RandomErasing& erasing, const RandomItem& item, const ErasedImage& image, std::span<const float> dy,
                  std::span<float> dx) {
    const ErasedBox box = drawErasedBox(item.key, erasing, item.sample, image.height, image.width);
    copyAround(box, image, dy, dx, [](std::int64_t, std::int64_t) { return 0.0F; });
}

}  // namespace engine::backend
