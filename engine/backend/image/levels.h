// ImageLevels' maps: one definition for every back-end. A stretched channel is that of one image; an equalized one is that of a whole
// batch, as in Keras, under TimeDistributed at one time; tiles are parts of one channel of one image.
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

// Of kAdaptive: an image in tiles of one size. Those at its lower and right edge may reach beyond it, and hold its mirror image there.
inline constexpr int kTileLevels = 256;
struct LevelTiles {
    std::int64_t height = 1, width = 1;   // of the image, in cells
    std::int64_t rows = 1, columns = 1;   // of tiles
    std::int64_t tile_h = 1, tile_w = 1;  // of a tile, in cells

    TANDEM_DEVICE LevelTiles(const plan::ImageLevels& levels, std::int64_t image_height, std::int64_t image_width)
        : height(image_height),
          width(image_width),
          rows(levels.tiles_h),
          columns(levels.tiles_w),
          tile_h((image_height + levels.tiles_h - 1) / levels.tiles_h),
          tile_w((image_width + levels.tiles_w - 1) / levels.tiles_w) {}

    TANDEM_DEVICE std::int64_t tiles() const { return rows * columns; }
    TANDEM_DEVICE std::int64_t cellsOfTile() const { return tile_h * tile_w; }
    // The cell (row * width + column) of the image that stands at a cell of a tile.
    TANDEM_DEVICE std::int64_t cellOf(std::int64_t tile, std::int64_t cell) const {
        const std::int64_t row = tile / columns * tile_h + cell / tile_w, column = tile % columns * tile_w + cell % tile_w;
        return (row < height ? row : 2 * height - 1 - row) * width + (column < width ? column : 2 * width - 1 - column);
    }
};

// The place of a value in the table of a tile.
TANDEM_DEVICE inline int tileLevel(const plan::ImageLevels& levels, float x) {
    const float level = levelOf(levels, x);
    if (!(level > 0)) return 0;
    return level < value_range::kBytes ? static_cast<int>(level) : kTileLevels - 1;
}

// Fills the levels that a tile's values become from how often each of kTileLevels is there. What is above the limit is dealt out evenly.
TANDEM_DEVICE inline void fillTileLevels(const plan::ImageLevels& levels, std::int64_t cells, const std::int32_t* counts, float* table) {
    const auto all = static_cast<float>(cells);
    const float most = levels.limit > 0 ? static_cast<float>(levels.limit * static_cast<double>(cells) / kTileLevels) : all;
    float excess = 0;
    for (int level = 0; level < kTileLevels; ++level) {
        const auto count = static_cast<float>(counts[level]);
        excess += count > most ? count - most : 0.0F;
    }
    const float share = excess / static_cast<float>(kTileLevels);
    float sum = 0;
    for (int level = 0; level < kTileLevels; ++level) {
        const auto count = static_cast<float>(counts[level]);
        sum += (count < most ? count : most) + share;
        table[level] = sum;
    }
    const float least = table[0], rest = all - least;
    for (int level = 0; level < kTileLevels; ++level) {
        table[level] = value_range::clip((table[level] - least) * value_range::kBytes / (rest == 0 ? 1.0F : rest), 0, value_range::kBytes);
    }
}

// The two tiles between whose middles cell `at` of an axis lies, of which the second has `second_weight`, the first the rest of 1.
struct TilePlace {
    std::int64_t first = 0, second = 0;
    float second_weight = 0;
};
TANDEM_DEVICE inline TilePlace tilePlace(std::int64_t at, std::int64_t cells, std::int64_t tiles) {
    const auto size = static_cast<float>(cells);
    const float place = (static_cast<float>(at) - size / 2) / size + 1, below = std::floor(place);
    const auto second = static_cast<std::int64_t>(below), last = tiles - 1;  // the first tile's middle is at place 1
    const std::int64_t first = second - 1;
    return {first < 0 ? 0 : first > last ? last : first, second > last ? last : second, place - below};
}
// `tables` are those of the tiles of the value's channel, row by row.
TANDEM_DEVICE inline float tiledValue(const plan::ImageLevels& levels, const LevelTiles& grid, const float* tables, std::int64_t row,
                                      std::int64_t column, float x) {
    const TilePlace down = tilePlace(row, grid.tile_h, grid.rows), right = tilePlace(column, grid.tile_w, grid.columns);
    const int level = tileLevel(levels, x);
    const auto between = [&](std::int64_t tile_row) {
        const float* of_row = tables + tile_row * grid.columns * kTileLevels + level;
        return of_row[right.first * kTileLevels] * (1 - right.second_weight) + of_row[right.second * kTileLevels] * right.second_weight;
    };
    const float mapped = between(down.first) * (1 - down.second_weight) + between(down.second) * down.second_weight;
    return value_range::fromBytes(mapped, static_cast<float>(levels.low), static_cast<float>(levels.high));
}

}  // namespace engine::backend
