#include "engine/backend/metric_rows.h"

namespace engine::backend {

RowFormula rowFormula(const plan::MetricAttributes& metric) {
    RowFormula formula{.kind = metric.kind, .loss = metric.loss, .threshold = static_cast<float>(metric.threshold), .k = metric.k};
    if (metric.kind == plan::MetricKind::kCosineSimilarity) formula.loss = {.kind = plan::LossKind::kCosineSimilarity};
    if (metric.kind == plan::MetricKind::kRootMeanSquaredError) formula.loss = {.kind = plan::LossKind::kMeanSquaredError};
    return formula;
}

double rowMetric(const plan::MetricAttributes& metric, const MetricRow& row) {
    return rowMetric(rowFormula(metric), row, OneLane{});
}

namespace {

void countByClass(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums) {
    const auto classes = static_cast<std::size_t>(row.n);
    const float bound = boundOfRow(static_cast<float>(metric.threshold), metric.largest_counts, row, OneLane{});
    for (std::size_t i = 0; i < classes; ++i) {
        const ClassElement element(isPredicted(row.predictions[i], bound, metric.largest_counts), row.values[i], row.weight);
        sums[i] += element.true_positive;
        sums[classes + i] += element.false_positive;
        sums[2 * classes + i] += element.false_negative;
    }
}

// The positive elements' counts first.
void countByThreshold(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums) {
    const auto thresholds = static_cast<std::int64_t>(metric.thresholds.size());
    const std::span<double> positive = sums.first(metric.thresholds.size() + 1), negative = sums.subspan(metric.thresholds.size() + 1);
    for (std::int64_t i = 0; i < row.n; ++i) {
        const std::int64_t below = thresholdsBelow(metric.thresholds.data(), thresholds, metric.from_logits, row.predictions[i]);
        (row.values[i] != 0 ? positive : negative)[static_cast<std::size_t>(below)] += row.weight;
    }
}

}  // namespace

void countElements(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums) {
    (plan::countsByClass(metric.kind) ? countByClass : countByThreshold)(metric, row, sums);
}

}  // namespace engine::backend
