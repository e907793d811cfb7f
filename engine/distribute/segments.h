// How a buffer is divided among the members of a reduction. Every algorithm uses the same division and the same order, so all give the same
// bytes.
#pragma once

#include <algorithm>
#include <cstddef>

namespace engine::distribute {

struct Segment {
    std::size_t begin = 0;  // in floats
    std::size_t count = 0;
};

// Segment s of `count` floats among n members: whole cache lines, so that two members never write into one; the last ones may be empty.
//
// The sum of segment s is ((x[s+1] + x[s+2]) + ... + x[s-1]) + x[s], ranks modulo n: the order in which a ring that ends at rank s meets
// them.
inline Segment segmentOf(std::size_t count, int n, int s) {
    constexpr std::size_t kLine = 16;
    const auto members = static_cast<std::size_t>(n);
    const std::size_t share = ((count + members - 1) / members + kLine - 1) / kLine * kLine;
    const std::size_t begin = std::min(count, share * static_cast<std::size_t>(s));
    return {begin, std::min(count - begin, share)};
}

}  // namespace engine::distribute
