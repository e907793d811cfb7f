// How precision and recall of one class go together at every threshold, as TensorBoard's PR curves draw it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace engine::exporter {

// Each list has one entry a threshold, from 0 to 1 in equal steps: what is counted as the class has at least that probability.
struct PrCurve {
    std::vector<float> true_positives, false_positives, true_negatives, false_negatives, precision, recall;
    friend bool operator==(const PrCurve&, const PrCurve&) = default;
};

inline constexpr int kPrThresholds = 201;

// TensorBoard's own way of counting: a probability belongs to threshold floor(p * (thresholds - 1)). `probabilities` of the class, and
// whether it is the true one, an entry a sample; values that are no number count as 0.
PrCurve prCurveOf(std::span<const float> probabilities, std::span<const std::uint8_t> is_class, int thresholds = kPrThresholds);

}  // namespace engine::exporter
