// ImageLevels' maps: one definition for every back-end. A stretched channel is that of one image; an equalized one is that of a whole
// batch, as in Keras, under TimeDistributed at one time.
#pragma once

#include <cmath>
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

// By Keras' factors, which round otherwise than toBytes() does.
TANDEM_DEVICE inline float equalizedLevelOf(const plan::ImageLevels& levels, float x) {
    const double scale = 255 / (levels.high - levels.low);
    return x * static_cast<float>(scale) + static_cast<float>(0 - levels.low * scale);
}
TANDEM_DEVICE inline float valueOfEqualized(const plan::ImageLevels& levels, float level) {
    return level * static_cast<float>((levels.high - levels.low) / 255) + static_cast<float>(levels.low);
}

TANDEM_DEVICE inline int levelBin(const plan::ImageLevels& levels, float place) {
    if (!(place > 0)) return 0;
    return place < static_cast<float>(levels.bins - 1) ? static_cast<int>(place) : levels.bins - 1;
}
// The bin in which a level is counted, and the one whose level it gets: another rounding makes them differ at some levels.
TANDEM_DEVICE inline int countedBin(const plan::ImageLevels& levels, float level) {
    return levelBin(levels, level * static_cast<float>(levels.bins - 1) / value_range::kBytes);
}
TANDEM_DEVICE inline int takenBin(const plan::ImageLevels& levels, float level) {
    return levelBin(levels, level / value_range::kBytes * static_cast<float>(levels.bins - 1));
}

// Fills the level of each bin of a channel from the bins' counts. Returns whether there are two bins at least that have some: the levels
// of a channel with one stay.
TANDEM_DEVICE inline bool fillEqualizedLevels(const plan::ImageLevels& levels, const std::int32_t* counts, float* of_bins) {
    std::int64_t total = 0, least = 0;
    int occupied = 0;
    for (int bin = 0; bin < levels.bins; ++bin) {
        if (counts[bin] == 0) continue;
        total += counts[bin];
        if (occupied++ == 0) least = total;
    }
    if (occupied < 2) return false;
    std::int64_t below = 0;
    for (int bin = 0; bin < levels.bins; ++bin) {
        below += counts[bin];
        const double level = static_cast<double>((below - least) * 255) / static_cast<double>(total - least);
        of_bins[bin] = level > 0 ? static_cast<float>(std::rint(level)) : 0.0F;
    }
    return true;
}

// `of_bins` is null for a channel whose levels stay.
TANDEM_DEVICE inline float equalizedValue(const plan::ImageLevels& levels, const float* of_bins, float x) {
    const float level = equalizedLevelOf(levels, x);
    return valueOfEqualized(levels, of_bins == nullptr ? level : of_bins[takenBin(levels, level)]);
}
// A table has no slope.
TANDEM_DEVICE inline float equalizedBack(const float* of_bins, float dy) {
    return of_bins == nullptr ? dy : 0.0F;
}

}  // namespace engine::backend
