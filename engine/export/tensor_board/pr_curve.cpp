#include "engine/export/tensor_board/pr_curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/spec/error.h"

namespace engine::exporter {

PrCurve prCurveOf(std::span<const float> probabilities, std::span<const std::uint8_t> is_class, int thresholds) {
    ENGINE_CHECK(probabilities.size() == is_class.size() && thresholds > 1);
    const auto count = static_cast<std::size_t>(thresholds);
    std::vector<double> hits(count, 0.0), misses(count, 0.0);  // at least the threshold, once summed up from above
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        const float p = std::isfinite(probabilities[i]) ? std::clamp(probabilities[i], 0.0F, 1.0F) : 0.0F;
        const auto at = static_cast<std::size_t>(std::floor(p * static_cast<float>(thresholds - 1)));
        (is_class[i] != 0 ? hits : misses)[at] += 1;
    }
    for (std::size_t i = count - 1; i-- > 0;) {
        hits[i] += hits[i + 1];
        misses[i] += misses[i + 1];
    }
    constexpr double kMinuscule = 1e-7;
    PrCurve curve;
    for (std::size_t i = 0; i < count; ++i) {
        const double found = hits[i], wrong = misses[i], missed = hits[0] - found;
        curve.true_positives.push_back(static_cast<float>(found));
        curve.false_positives.push_back(static_cast<float>(wrong));
        curve.true_negatives.push_back(static_cast<float>(misses[0] - wrong));
        curve.false_negatives.push_back(static_cast<float>(missed));
        curve.precision.push_back(static_cast<float>(found / std::max(kMinuscule, found + wrong)));
        curve.recall.push_back(static_cast<float>(found / std::max(kMinuscule, found + missed)));
    }
    return curve;
}

}  // namespace engine::exporter
