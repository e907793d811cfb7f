#include "engine/backend/image/color_map.h"

#include <algorithm>
#include <cstddef>

namespace engine::backend {
namespace {

using Map = plan::RandomColors::Map;

// The mean of `part(i)` over the places of one channel.
template <typename Part>
float meanOf(const ColorImage& image, std::size_t channel, const Part& part) {
    double sum = 0;
    const auto step = static_cast<std::size_t>(image.channels), count = static_cast<std::size_t>(image.pixels) * step;
    for (std::size_t i = channel; i < count; i += step) sum += static_cast<double>(part(i));
    return static_cast<float>(sum / static_cast<double>(image.pixels));
}

}  // namespace

void mapColors(const plan::RandomColors& colors, const ColorNumbers& numbers, const ColorImage& image, std::span<const float> x,
               std::span<float> y) {
    if (mixesChannels(colors.map)) {
        for (std::size_t i = 0; i + 3 <= x.size(); i += 3) {
            float pixel[3] = {x[i], x[i + 1], x[i + 2]};
            mapPixel(colors, numbers, pixel);
            std::copy_n(pixel, 3, &y[i]);
        }
        return;
    }
    if (colors.map != Map::kContrast) {
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = mapValue(colors, numbers, 0, x[i]);
        return;
    }
    const auto channels = static_cast<std::size_t>(image.channels);
    for (std::size_t channel = 0; channel < channels; ++channel) {
        const float mean = meanOf(image, channel, [&](std::size_t i) { return x[i]; });
        for (std::size_t i = channel; i < x.size(); i += channels) y[i] = mapValue(colors, numbers, mean, x[i]);
    }
}

void mapColorsBack(const plan::RandomColors& colors, const ColorNumbers& numbers, const ColorImage& image, std::span<const float> dy,
                   std::span<const float> x, std::span<float> dx) {
    if (mixesChannels(colors.map)) {
        for (std::size_t i = 0; i + 3 <= x.size(); i += 3) {
            const float pixel[3] = {x[i], x[i + 1], x[i + 2]};
            float gradients[3] = {dy[i], dy[i + 1], dy[i + 2]};
            mapPixelBack(colors, numbers, pixel, gradients);
            std::copy_n(gradients, 3, &dx[i]);
        }
        return;
    }
    if (colors.map != Map::kContrast || !numbers.changes) {
        for (std::size_t i = 0; i < x.size(); ++i) dx[i] = dy[i] * mapValueSlope(colors, numbers, 0, x[i]);
        return;
    }
    const auto channels = static_cast<std::size_t>(image.channels);
    for (std::size_t channel = 0; channel < channels; ++channel) {
        const float mean = meanOf(image, channel, [&](std::size_t i) { return x[i]; });
        const auto held = [&](std::size_t i) { return dy[i] * mapValueSlope(colors, numbers, mean, x[i]); };
        const float of_mean = (1 - numbers.amount) * meanOf(image, channel, held);
        for (std::size_t i = channel; i < x.size(); i += channels) dx[i] = numbers.amount * held(i) + of_mean;
    }
}

}  // namespace engine::backend
