#include "engine/export/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine::exporter {

Histogram histogramOf(std::span<const float> values, int buckets) {
    Histogram result;
    result.counts.assign(static_cast<std::size_t>(buckets), 0);
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    double squares = 0;
    for (const float value : values) {
        if (!std::isfinite(value)) {
            ++result.not_finite;
            continue;
        }
        const auto x = static_cast<double>(value);
        least = std::min(least, x);
        most = std::max(most, x);
        squares += x * x;
    }
    if (least > most) {
        return result;
    }
    result.minimum = least;
    result.maximum = most;
    result.norm = std::sqrt(squares);
    if (least == most) {
        result.counts.back() = static_cast<std::int64_t>(values.size()) - result.not_finite;
        return result;
    }
    const double width = (most - least) / buckets;
    for (const float value : values) {
        if (std::isfinite(value)) {
            const auto bucket = static_cast<std::size_t>((static_cast<double>(value) - least) / width);
            ++result.counts[std::min(bucket, result.counts.size() - 1)];
        }
    }
    return result;
}

}  // namespace engine::exporter
