// How often values fall where, as TensorBoard draws it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace engine::exporter {

struct Histogram {
    double minimum = 0;
    double maximum = 0;
    double norm = 0;                   // square root of the sum of squares
    std::int64_t not_finite = 0;       // left out of everything else
    std::vector<std::int64_t> counts;  // buckets of equal width between minimum and maximum
    friend bool operator==(const Histogram&, const Histogram&) = default;
};

inline constexpr int kHistogramBuckets = 30;

// TensorFlow's rule: bucket floor((x - minimum) / width), the last one for x = maximum. All values equal: all in the last bucket, of width
// 0. No value: all counts 0.
Histogram histogramOf(std::span<const float> values, int buckets = kHistogramBuckets);

}  // namespace engine::exporter
