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
        if (metric.column && i != *metric.column) continue;
        const std::int64_t below = thresholdsBelow(metric.thresholds.data(), thresholds, metric.from_logits, row.predictions[i]);
        (row.values[i] != 0 ? positive : negative)[static_cast<std::size_t>(below)] += row.weight;
    }
}

void countPair(const OverlapFormula& formula, std::int64_t label, std::int64_t prediction, double weight, std::span<double> sums) {
    if (!formula.counts(label, prediction)) return;
    const auto classes = static_cast<std::size_t>(formula.classes);
    const auto whole = static_cast<double>(wholeWeight(weight));
    if (label == prediction) sums[static_cast<std::size_t>(label)] += whole;
    sums[classes + static_cast<std::size_t>(prediction)] += whole;
    sums[2 * classes + static_cast<std::size_t>(label)] += whole;
}

void countOverlap(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums) {
    const OverlapFormula formula = overlapFormula(metric);
    if (!formula.by_element) {
        const std::int64_t label = row.values == nullptr ? row.label : firstLargest(row.values, row.n, OneLane{}).index;
        return countPair(formula, label, firstLargest(row.predictions, row.n, OneLane{}).index, row.weight, sums);
    }
    for (std::int64_t i = 0; i < row.n; ++i) {
        countPair(formula, classOf(row.values[i]), formula.predicted(row.predictions[i]), row.weight, sums);
    }
}

void countByColumn(const plan::MetricAttributes&, const MetricRow& row, std::span<double> sums) {
    const auto columns = static_cast<std::size_t>(row.n);
    for (std::size_t i = 0; i < columns; ++i) {
        const ColumnElement element(static_cast<double>(row.values[i]), static_cast<double>(row.predictions[i]), row.weight);
        sums[i] += element.label;
        sums[columns + i] += element.square;
        sums[2 * columns + i] += element.residual;
    }
    sums[3 * columns] += row.weight;
    sums[3 * columns + 1] += static_cast<double>(row.n);
}

}  // namespace

OverlapFormula overlapFormula(const plan::MetricAttributes& metric) {
    const bool is_binary = metric.kind == plan::MetricKind::kBinaryIoU;
    return {.classes = metric.classes,
            .ignores_class = metric.ignored_class.has_value(),
            .ignored_class = metric.ignored_class.value_or(0),
            .by_element = is_binary || metric.sparse_predictions,
            .is_binary = is_binary,
            .threshold = static_cast<float>(metric.threshold)};
}

void countElements(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums) {
    if (plan::countsByClass(metric.kind)) return countByClass(metric, row, sums);
    if (plan::countsOverlap(metric.kind)) return countOverlap(metric, row, sums);
    if (plan::countsByColumn(metric.kind)) return countByColumn(metric, row, sums);
    countByThreshold(metric, row, sums);
}

}  // namespace engine::backend
