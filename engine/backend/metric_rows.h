// What one row of predictions adds to a metric's sums; engine/plan/metric_attributes.h has the meanings.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "engine/backend/loss_formulas.h"
#include "engine/backend/loss_weights.h"
#include "engine/plan/metric_attributes.h"

namespace engine::backend {

// One row of predictions with its label: a class, or `n` values (`values` not null).
struct MetricRow {
    const float* predictions = nullptr;
    std::int64_t n = 0;
    std::int32_t label = 0;
    const float* values = nullptr;
    double weight = 1;  // of the row's sample
};

// A metric of (total, count) as a formula: plain values.
struct RowFormula {
    plan::MetricKind kind = plan::MetricKind::kSparseCategoricalAccuracy;
    plan::LossAttributes loss{};  // of a metric that is a loss's value
    float threshold = 0;
    std::int64_t k = 0;
};
RowFormula rowFormula(const plan::MetricAttributes& metric);

namespace metric_rows {

// Fewer than k scores are above the target's.
template <typename Lanes>
TANDEM_DEVICE bool isAmongLargest(const MetricRow& row, std::int64_t target, std::int64_t k, Lanes lanes) {
    const float wanted = row.predictions[target];
    double above = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        above += !std::isfinite(row.predictions[i]) || row.predictions[i] > wanted ? 1 : 0;
    }
    above = lanes.sum(above);
    return std::isfinite(wanted) && above < static_cast<double>(k);
}

template <typename Lanes, typename Test>
TANDEM_DEVICE double shareOf(const MetricRow& row, Lanes lanes, Test test) {
    double right = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) right += test(row.predictions[i], row.values[i]) ? 1 : 0;
    return lanes.sum(right) / static_cast<double>(row.n);
}

// The correlation of labels and predictions along the row.
template <typename Lanes>
TANDEM_DEVICE double correlationOf(plan::MetricKind kind, const MetricRow& row, Lanes lanes) {
    const auto size = static_cast<double>(row.n);
    double mean_t = 0, mean_y = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        mean_t += static_cast<double>(row.values[i]);
        mean_y += static_cast<double>(row.predictions[i]);
    }
    mean_t = lanes.sum(mean_t) / size;
    mean_y = lanes.sum(mean_y) / size;
    double both = 0, spread_t = 0, spread_y = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        const double t = static_cast<double>(row.values[i]) - mean_t, y = static_cast<double>(row.predictions[i]) - mean_y;
        both += t * y;
        spread_t += t * t;
        spread_y += y * y;
    }
    both = lanes.sum(both) / size;
    spread_t = lanes.sum(spread_t) / size;
    spread_y = lanes.sum(spread_y) / size;
    // Values that are all the same go with nothing: no number, as in Keras.
    if (kind == plan::MetricKind::kPearsonCorrelation) return both / (std::sqrt(spread_t) * std::sqrt(spread_y));
    const double between = mean_t - mean_y;
    return 2 * both / (spread_t + spread_y + between * between + static_cast<double>(kLossEpsilon));
}

template <typename Lanes>
TANDEM_DEVICE double lossOf(const plan::LossAttributes& loss, const MetricRow& row, Lanes lanes) {
    const LossRow one{loss, row.predictions, row.n, nullptr, 1};
    if (row.values == nullptr) return classLoss<double>(one, row.label >= 0 && row.label < row.n ? row.label : 0, lanes);
    // Hinges: labels -1 and 1 stay what they are, also where a row has nothing but ones.
    double others = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) others += row.values[i] == 0 || row.values[i] == 1 ? 0 : 1;
    const bool zero_one = lanes.sum(others) == 0;
    return rowLoss<double>(one, row.values, isHinge(loss.kind) && zero_one, lanes);
}

}  // namespace metric_rows

// Metrics of (total, count), without the weight: the mean over the row's elements where the metric is one of elements.
template <typename Lanes>
TANDEM_DEVICE double rowMetric(const RowFormula& metric, const MetricRow& row, Lanes lanes) {
    using plan::MetricKind;
    switch (metric.kind) {
        case MetricKind::kAccuracy:
            return metric_rows::shareOf(row, lanes, [](float y, float t) { return y == t; });
        case MetricKind::kBinaryAccuracy: {
            const float threshold = metric.threshold;
            return metric_rows::shareOf(row, lanes, [threshold](float y, float t) { return (y > threshold ? 1.0F : 0.0F) == t; });
        }
        case MetricKind::kCategoricalAccuracy:
            return firstLargest(row.predictions, row.n, lanes).index == firstLargest(row.values, row.n, lanes).index ? 1 : 0;
        case MetricKind::kSparseCategoricalAccuracy:
            return firstLargest(row.predictions, row.n, lanes).index == row.label ? 1 : 0;
        case MetricKind::kTopKCategoricalAccuracy:
            return metric_rows::isAmongLargest(row, firstLargest(row.values, row.n, lanes).index, metric.k, lanes) ? 1 : 0;
        case MetricKind::kSparseTopKCategoricalAccuracy: {
            const bool is_class = row.label >= 0 && row.label < row.n;
            const bool is_among = metric_rows::isAmongLargest(row, is_class ? row.label : 0, metric.k, lanes);
            return is_class && is_among ? 1 : 0;
        }
        case MetricKind::kPearsonCorrelation:
        case MetricKind::kConcordanceCorrelation:
            return metric_rows::correlationOf(metric.kind, row, lanes);
        case MetricKind::kCosineSimilarity:
            return -metric_rows::lossOf(metric.loss, row, lanes);
        default:
            return metric_rows::lossOf(metric.loss, row, lanes);
    }
}
// The metric's value of one row. Runs on the host.
double rowMetric(const plan::MetricAttributes& metric, const MetricRow& row);

// How many of the thresholds, which rise, are below a prediction.
TANDEM_DEVICE inline std::int64_t thresholdsBelow(const float* thresholds, std::int64_t count, bool from_logits, float prediction) {
    const float y = from_logits ? sigmoidOf(prediction) : prediction;
    std::int64_t begin = 0;
    for (std::int64_t left = count; left > 0;) {
        const std::int64_t half = left / 2;
        const bool is_below = thresholds[begin + half] < y;
        begin = is_below ? begin + half + 1 : begin;
        left = is_below ? left - half - 1 : half;
    }
    return begin;
}
// What an element adds to the sums of its class. Source: Keras' FBetaScore.
struct ClassElement {
    double true_positive = 0, false_positive = 0, false_negative = 0;

    TANDEM_DEVICE ClassElement(bool is_predicted, double label, double weight) {
        if (is_predicted) {
            true_positive = weight * label;
            false_positive = weight * (1 - label);
        } else {
            false_negative = weight * label;
        }
    }
};
// True when an output counts as 1: it is above the threshold, or (`largest_counts`) as large as the row's largest and not 0, so that a row
// of zeros predicts no class.
TANDEM_DEVICE inline bool isPredicted(float prediction, float bound, bool largest_counts) {
    constexpr float kZero = 1e-9F;
    return largest_counts ? prediction >= bound && std::fabs(prediction) > kZero : prediction > bound;
}
// The row's bound of isPredicted().
template <typename Lanes>
TANDEM_DEVICE float boundOfRow(float threshold, bool largest_counts, const MetricRow& row, Lanes lanes) {
    return largest_counts ? firstLargest(row.predictions, row.n, lanes).value : threshold;
}

// What an overlap counts: plain values.
struct OverlapFormula {
    std::int64_t classes = 2;
    bool ignores_class = false;
    std::int64_t ignored_class = 0;
    bool by_element = true;  // each element has a class; else a row has one
    bool is_binary = false;  // of elements: a prediction from the threshold on is class 1
    float threshold = 0;

    // True for a label and a prediction that count.
    TANDEM_DEVICE bool counts(std::int64_t label, std::int64_t prediction) const {
        return label >= 0 && label < classes && prediction >= 0 && prediction < classes && !(ignores_class && label == ignored_class);
    }
    TANDEM_DEVICE std::int64_t predicted(float prediction) const;
};
OverlapFormula overlapFormula(const plan::MetricAttributes& metric);

// The class that a number is, cut to a whole one; -1 for one that is none.
TANDEM_DEVICE inline std::int64_t classOf(float number) {
    constexpr float kMost = 2e9F;
    return number > -kMost && number < kMost ? static_cast<std::int64_t>(number) : -1;
}
TANDEM_DEVICE inline std::int64_t OverlapFormula::predicted(float prediction) const {
    if (is_binary) return prediction >= threshold ? 1 : 0;
    return classOf(prediction);
}
// Keras' confusion matrix is of whole numbers, and so are the weights in it.
TANDEM_DEVICE inline std::int64_t wholeWeight(double weight) {
    return static_cast<std::int64_t>(weight);
}

// What an element adds to the sums of its column.
struct ColumnElement {
    double label, square, residual;

    TANDEM_DEVICE ColumnElement(double t, double y, double weight)
        : label(weight * t), square(weight * t * t), residual(weight * (t - y) * (t - y)) {}
};

// Adds each element of the row to the `sums` (metric.width) of a metric that is no mean of rows, by the row's weight.
void countElements(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums);

}  // namespace engine::backend
