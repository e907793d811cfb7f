#include "engine/spec/events/classification.h"

#include <limits>

namespace engine::spec {

std::int64_t Classification::samplesOf(std::int64_t label) const {
    std::int64_t sum = 0;
    for (std::int64_t predicted = 0; predicted < classes; ++predicted) {
        sum += count(label, predicted);
    }
    return sum;
}

double Classification::classAccuracy(std::int64_t label) const {
    const std::int64_t all = samplesOf(label);
    return all == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(count(label, label)) / static_cast<double>(all);
}

double Classification::accuracy() const {
    std::int64_t right = 0;
    for (std::int64_t label = 0; label < classes; ++label) {
        right += count(label, label);
    }
    return samples == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(right) / static_cast<double>(samples);
}

}  // namespace engine::spec
