// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/min_max_pyramid.h"

namespace ui::models {
namespace {

// The extremes found so far, with their values.
struct Search {
    MinMaxPyramid::Extremes at;
    float low, high;

    void take(std::size_t lowest, float lowest_value, std::size_t highest, float highest_value) {
        if (lowest_value < low) {
            low = lowest_value;
            at.lowest = lowest;
        }
        if (highest_value > high) {
            high = highest_value;
            at.highest = highest;
        }
    }
};

}  // namespace

void MinMaxPyramid::extend(std::span<const float> values) {
    std::size_t below = values.size();
    for (std::size_t level = 0; below >= kFanOut; ++level) {
        if (levels_.size() == level) levels_.emplace_back();
        const std::size_t full = below / kFanOut;
        std::vector<Bucket>& buckets = levels_[level];
        while (buckets.size() < full) {
            const std::size_t first = buckets.size() * kFanOut;
            const auto at = [&](std::size_t i) -> Bucket {
                if (level > 0) return levels_[level - 1][i];
                return {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i), values[i], values[i]};
            };
            const Bucket begin = at(first);
            Search found{{begin.lowest, begin.highest}, begin.low, begin.high};
            for (std::size_t i = first + 1; i < first + kFanOut; ++i) {
                const Bucket one = at(i);
                found.take(one.lowest, one.low, one.highest, one.high);
            }
            buckets.push_back(
                {static_cast<std::uint32_t>(found.at.lowest), static_cast<std::uint32_t>(found.at.highest), found.low, found.high});
        }
        below = full;
    }
}

void MinMaxPyramid::truncate(std::size_t size) {
    for (auto& level : levels_) {
        size /= kFanOut;
        if (level.size() > size) level.resize(size);
    }
}

MinMaxPyramid::Found MinMaxPyramid::search(std::span<const float> values, std::size_t begin, std::size_t end) const {
    Search found{{begin, begin}, values[begin], values[begin]};
    std::size_t i = begin;
    while (i < end) {
        // The largest full bucket that starts here and ends inside.
        std::size_t width = 1;
        std::size_t level = 0;
        while (level < levels_.size() && i % (width * kFanOut) == 0 && i + width * kFanOut <= end &&
               i / (width * kFanOut) < levels_[level].size()) {
            width *= kFanOut;
            ++level;
        }
        if (level == 0) {
            found.take(i, values[i], i, values[i]);
        } else {
            const Bucket& bucket = levels_[level - 1][i / width];
            found.take(bucket.lowest, bucket.low, bucket.highest, bucket.high);
        }
        i += width;
    }
    return {found.at, found.low, found.high};
}

}  // namespace ui::models
