// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the lowest and highest of any stretch of a long, growing series in logarithmic time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ui::models {

// Level k holds, for every full bucket of 16^(k+1) values, where its lowest and its highest lie. Costs about one byte a value and refers to
// the values by index, so the caller keeps them; the same array (grown or cut) is passed to every call. No thread safety of its own.
class MinMaxPyramid {
public:
    struct Extremes {
        std::size_t lowest = 0;
        std::size_t highest = 0;
        friend bool operator==(const Extremes&, const Extremes&) = default;
    };

    struct Found {
        Extremes at;
        float low, high;  // the values there
    };

    // Takes in what was appended since the last call.
    void extend(std::span<const float> values);
    // Forgets everything that reaches beyond the first `size` values.
    void truncate(std::size_t size);
    void clear() { levels_.clear(); }
    // Returns where the first lowest and the first highest of [begin, end) lie, with begin < end <= values.size().
    Found search(std::span<const float> values, std::size_t begin, std::size_t end) const;
    Extremes extremes(std::span<const float> values, std::size_t begin, std::size_t end) const { return search(values, begin, end).at; }

private:
    static constexpr std::size_t kFanOut = 16;
    struct Bucket {
        std::uint32_t lowest, highest;  // indices
        float low, high;                // and their values: read in a row, the values themselves lie far apart
    };
    std::vector<std::vector<Bucket>> levels_;
};

}  // namespace ui::models
