// RandomColors' maps: one definition for every back-end. The numbers of a sample depend on seed, epoch, iteration, layer and the sample's
// index in the data set, like those of its place (image_map.h). Hue and saturation are those of TensorFlow's RGBToHSV and HSVToRGB.
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

struct ColorNumbers {
    bool changes = false;  // else the image stays as it is
    float amount = 0, threshold = 0;
    friend bool operator==(const ColorNumbers&, const ColorNumbers&) = default;
};

TANDEM_DEVICE inline ColorNumbers drawColorNumbers(const DropoutKey& key, const plan::RandomColors& colors, std::uint32_t sample) {
    using Map = plan::RandomColors::Map;
    enum Draw : std::uint64_t { kAmount, kThreshold, kChance, kFate, kSign };
    const RangeDraws draws(key, sample);
    double amount = draws.within(colors.amount, kAmount);
    if (colors.map == Map::kSaturation) {
        constexpr double kEpsilon = 1e-7;
        amount = amount / (1 - amount + kEpsilon);
    } else if (colors.map == Map::kHue) {
        amount *= draws.unit(kSign) > 0.5 ? -0.5 : 0.5;
    } else if (colors.map == Map::kPosterization) {
        amount = std::floor(amount);
    }
    return {.changes = draws.unit(kFate) < draws.within(colors.chance, kChance),
            .amount = static_cast<float>(amount),
            .threshold = static_cast<float>(draws.within(colors.threshold, kThreshold))};
}

// Tells if a value of the result is made of all three channels of its pixel; if not, of the value alone, and of its channel's mean where
// the map is kContrast.
TANDEM_DEVICE constexpr bool mixesChannels(plan::RandomColors::Map map) {
    using Map = plan::RandomColors::Map;
    return map == Map::kGray || map == Map::kSaturation || map == Map::kHue;
}

namespace color_map_detail {

using Map = plan::RandomColors::Map;

using value_range::clip;
using value_range::clipSlope;
using value_range::fromBytes;
using value_range::kBytes;
using value_range::toBytes;

// A number that knows how it changes with each channel of its pixel: the way back goes the way forward with such numbers.
struct Slopes {
    float value = 0;
    float slopes[3] = {};

    Slopes() = default;
    TANDEM_DEVICE Slopes(float number) : value(number) {}
};
TANDEM_DEVICE inline Slopes combined(float value, const Slopes& a, float of_a, const Slopes& b, float of_b) {
    Slopes result(value);
    for (int i = 0; i < 3; ++i) result.slopes[i] = of_a * a.slopes[i] + of_b * b.slopes[i];
    return result;
}
TANDEM_DEVICE inline Slopes operator+(const Slopes& a, const Slopes& b) {
    return combined(a.value + b.value, a, 1, b, 1);
}
TANDEM_DEVICE inline Slopes operator-(const Slopes& a, const Slopes& b) {
    return combined(a.value - b.value, a, 1, b, -1);
}
TANDEM_DEVICE inline Slopes operator*(const Slopes& a, const Slopes& b) {
    return combined(a.value * b.value, a, b.value, b, a.value);
}
TANDEM_DEVICE inline Slopes operator/(const Slopes& a, const Slopes& b) {
    const float ratio = a.value / b.value;
    return combined(ratio, a, 1 / b.value, b, -ratio / b.value);
}
TANDEM_DEVICE inline float valueOf(float number) {
    return number;
}
TANDEM_DEVICE inline float valueOf(const Slopes& number) {
    return number.value;
}
template <typename Number>
TANDEM_DEVICE inline Number clipped(const Number& x, float low, float high) {
    return valueOf(x) < low ? Number(low) : valueOf(x) > high ? Number(high) : x;
}

// Red, green and blue become hue, saturation and value; a hue is a part of a full turn.
template <typename Number>
TANDEM_DEVICE inline void toHsv(Number (&pixel)[3]) {
    const Number red = pixel[0], green = pixel[1], blue = pixel[2];
    const bool is_red = valueOf(red) >= valueOf(green) && valueOf(red) >= valueOf(blue), is_green = valueOf(green) >= valueOf(blue);
    const Number value = is_red ? red : is_green ? green : blue;
    const Number red_green = valueOf(red) < valueOf(green) ? red : green;
    const Number range = value - (valueOf(red_green) < valueOf(blue) ? red_green : blue);
    Number hue = 0.0F;
    if (valueOf(range) > 0) {
        const Number norm = Number(1.0F) / (range * Number(6.0F));
        hue = is_red     ? norm * (green - blue)
              : is_green ? norm * (blue - red) + Number(2.0F / 6.0F)
                         : norm * (red - green) + Number(4.0F / 6.0F);
        if (valueOf(hue) < 0) hue = hue + Number(1.0F);
    }
    pixel[0] = hue;
    pixel[1] = valueOf(value) > 0 ? range / value : Number(0.0F);
    pixel[2] = value;
}

// How near the hue is to the sixths of a turn that a channel is full in: `sixths` of six, whose distance from `middle` counts.
template <typename Number>
TANDEM_DEVICE inline Number distanceOf(const Number& sixths, float middle) {
    const Number apart = sixths - Number(middle);
    return valueOf(apart) < 0 ? Number(0.0F) - apart : apart;
}
template <typename Number>
TANDEM_DEVICE inline void fromHsv(Number (&pixel)[3]) {
    const Number sixths = pixel[0] * Number(6.0F), saturation = pixel[1], value = pixel[2];
    const Number shares[3] = {clipped(distanceOf(sixths, 3) - Number(1.0F), 0, 1), clipped(Number(2.0F) - distanceOf(sixths, 2), 0, 1),
                              clipped(Number(2.0F) - distanceOf(sixths, 4), 0, 1)};
    for (int i = 0; i < 3; ++i) pixel[i] = (Number(1.0F) - saturation + saturation * shares[i]) * value;
}

template <typename Number>
TANDEM_DEVICE inline void changePixel(const plan::RandomColors& colors, const ColorNumbers& numbers, Number (&pixel)[3]) {
    const auto low = static_cast<float>(colors.low), high = static_cast<float>(colors.high);
    if (colors.map == Map::kGray) {
        const Number gray = pixel[0] * Number(0.2989F) + pixel[1] * Number(0.5870F) + pixel[2] * Number(0.1140F);
        for (Number& x : pixel) x = clipped(x + Number(numbers.amount) * (gray - x), low, high);
        return;
    }
    const bool is_hue = colors.map == Map::kHue;
    if (is_hue) {
        for (Number& x : pixel) x = (x - Number(low)) / Number(high - low);
    }
    toHsv(pixel);
    if (is_hue) {
        pixel[0] = pixel[0] + Number(numbers.amount);
        if (valueOf(pixel[0]) > 1) pixel[0] = pixel[0] - Number(1.0F);
        if (valueOf(pixel[0]) < 0) pixel[0] = pixel[0] + Number(1.0F);
    } else {
        pixel[1] = clipped(pixel[1] * Number(numbers.amount), low, high);
    }
    fromHsv(pixel);
    if (!is_hue) return;
    for (Number& x : pixel) x = clipped(x, 0, 1) * Number(high - low) + Number(low);
}

}  // namespace color_map_detail

// For maps that mix the channels of a pixel.
TANDEM_DEVICE inline void mapPixel(const plan::RandomColors& colors, const ColorNumbers& numbers, float (&pixel)[3]) {
    if (numbers.changes) color_map_detail::changePixel(colors, numbers, pixel);
}
// `gradients` of the result become those of the pixel.
TANDEM_DEVICE inline void mapPixelBack(const plan::RandomColors& colors, const ColorNumbers& numbers, const float (&pixel)[3],
                                       float (&gradients)[3]) {
    if (!numbers.changes) return;
    color_map_detail::Slopes result[3];
    for (int i = 0; i < 3; ++i) {
        result[i].value = pixel[i];
        result[i].slopes[i] = 1;
    }
    color_map_detail::changePixel(colors, numbers, result);
    float sums[3] = {};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) sums[i] += gradients[k] * result[k].slopes[i];
    }
    for (int i = 0; i < 3; ++i) gradients[i] = sums[i];
}

// For maps that don't; `mean` of the channel counts for kContrast alone.
TANDEM_DEVICE inline float mapValue(const plan::RandomColors& colors, const ColorNumbers& numbers, float mean, float x) {
    using namespace color_map_detail;
    if (!numbers.changes) return x;
    const auto low = static_cast<float>(colors.low), high = static_cast<float>(colors.high);
    switch (colors.map) {
        case Map::kBrightness:
            return clip(x + numbers.amount, low, high);
        case Map::kContrast:
            return clip((x - mean) * numbers.amount + mean, low, high);
        case Map::kInversion:
            return high - x;
        case Map::kSolarization: {
            const float added = clip(toBytes(x, low, high) + numbers.amount, 0, kBytes);
            return fromBytes(added < numbers.threshold ? added : kBytes - added, low, high);
        }
        case Map::kPosterization: {
            const auto bits = static_cast<int>(numbers.amount);
            const auto byte = static_cast<int>(clip(toBytes(x, low, high), 0, kBytes));
            return fromBytes(static_cast<float>(byte >> (8 - bits) << (8 - bits)), low, high);
        }
        default:
            return x;
    }
}
// How fast the result grows with x; for kContrast, without what the mean adds: the gradient of x is then `amount` of what comes of this,
// and `1 - amount` of the mean of that over the channel.
TANDEM_DEVICE inline float mapValueSlope(const plan::RandomColors& colors, const ColorNumbers& numbers, float mean, float x) {
    using namespace color_map_detail;
    if (!numbers.changes) return 1;
    const auto low = static_cast<float>(colors.low), high = static_cast<float>(colors.high);
    switch (colors.map) {
        case Map::kBrightness:
            return clipSlope(x + numbers.amount, low, high);
        case Map::kContrast:
            return clipSlope((x - mean) * numbers.amount + mean, low, high);
        case Map::kInversion:
            return -1;
        case Map::kSolarization: {
            const float added = toBytes(x, low, high) + numbers.amount;
            return clipSlope(added, 0, kBytes) * (clip(added, 0, kBytes) < numbers.threshold ? 1.0F : -1.0F);
        }
        case Map::kPosterization:
            return 0;  // steps
        default:
            return 1;
    }
}

// One image of (pixels, channels) on a processor: the maps above, value by value.
struct ColorImage {
    std::int64_t pixels = 0, channels = 0;
};
void mapColors(const plan::RandomColors& colors, const ColorNumbers& numbers, const ColorImage& image, std::span<const float> x,
               std::span<float> y);
void mapColorsBack(const plan::RandomColors& colors, const ColorNumbers& numbers, const ColorImage& image, std::span<const float> dy,
                   std::span<const float> x, std::span<float> dx);

}  // namespace engine::backend
