// ImageLevels' maps: one definition for every back-end.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/backend/image/value_range.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

inline constexpr float kNoLevel = std::numeric_limits<float>::infinity();

// The extremes of one channel of one image, in 0 .. 255 where the image is within the layer's range.
struct ChannelLevels {
    float low = kNoLevel, high = -kNoLevel;

    TANDEM_DEVICE void add(float level) {
        low = level < low ? level : low;
        high = level > high ? level : high;
    }
    TANDEM_DEVICE float scale() const { return value_range::kBytes / (high - low); }
};

TANDEM_DEVICE inline float levelOf(const plan::ImageLevels& levels, float x) {
    return value_range::toBytes(x, static_cast<float>(levels.low), static_cast<float>(levels.high));
}
// The level between 0 and 255 where the channel has two values at least; no number where it has one, as in Keras.
TANDEM_DEVICE inline float stretchedLevel(const ChannelLevels& channel, float level) {
    const float scale = channel.scale(), offset = -channel.low * scale;
    return level * scale + offset;
}
TANDEM_DEVICE inline bool isNumber(float x) {
    return x == x;
}

TANDEM_DEVICE inline float stretchedValue(const plan::ImageLevels& levels, const ChannelLevels& channel, float x) {
    const float stretched = stretchedLevel(channel, levelOf(levels, x));
    if (!isNumber(stretched)) return x;
    return value_range::fromBytes(value_range::clip(stretched, 0, value_range::kBytes), static_cast<float>(levels.low),
                                  static_cast<float>(levels.high));
}

// What the extremes of a channel get of the gradients of all its values, of which `least` have the low level and `most` the high one.
struct LevelSums {
    double sum = 0, product = 0;  // of the gradients, and of them times the levels' distances from the low one
    std::int64_t least = 0, most = 0;

    // A value whose level is not stretched to a number keeps its gradient for itself.
    TANDEM_DEVICE void add(const ChannelLevels& channel, float level, float dy) {
        const float stretched = stretchedLevel(channel, level);
        if (!isNumber(stretched)) return;
        const double held = static_cast<double>(dy * value_range::clipSlope(stretched, 0, value_range::kBytes));
        sum += held;
        product += held * (static_cast<double>(level) - static_cast<double>(channel.low));
        least += level == channel.low ? 1 : 0;
        most += level == channel.high ? 1 : 0;
    }
};
TANDEM_DEVICE inline float stretchedBack(const plan::ImageLevels& levels, const ChannelLevels& channel, const LevelSums& sums, float x,
                                         float dy) {
    const float level = levelOf(levels, x), stretched = stretchedLevel(channel, level);
    if (!isNumber(stretched)) return dy;
    const double of_range = sums.product / (static_cast<double>(channel.high) - static_cast<double>(channel.low));
    auto gradient = static_cast<double>(dy * value_range::clipSlope(stretched, 0, value_range::kBytes));
    if (level == channel.low) gradient += (of_range - sums.sum) / static_cast<double>(sums.least);
    if (level == channel.high) gradient -= of_range / static_cast<double>(sums.most);
    return static_cast<float>(gradient * static_cast<double>(channel.scale()));
}

}  // namespace engine::backend
