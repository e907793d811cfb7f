// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/min_max_pyramid.h"

namespace ui::models {
namespace {

void take(std::span<const float> values, std::size_t lowest, std::size_t highest, MinMaxPyramid::Extremes& found) {
    if (values[lowest] < values[found.lowest]) found.lowest = lowest;
    if (values[highest] > values[found.highest]) found.highest = highest;
}

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
                return {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)};
            };
            Extremes found{at(first).lowest, at(first).highest};
            for (std::size_t i = first + 1; i < first + kFanOut; ++i) take(values, at(i).lowest, at(i).highest, found);
            buckets.push_back({static_cast<std::uint32_t>(found.lowest), static_cast<std::uint32_t>(found.highest)});
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

MinMaxPyramid::Extremes MinMaxPyramid::extremes(std::span<const float> values, std::size_t begin, std::size_t end) const {
    Extremes found{begin, begin};
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
            take(values, i, i, found);
        } else {
            const Bucket& bucket = levels_[level - 1][i / width];
            take(values, bucket.lowest, bucket.highest, found);
        }
        i += width;
    }
    return found;
}

}  // namespace ui::models
