// What one row of predictions adds to a metric's sums; engine/plan/metric_attributes.h has the meanings.
#pragma once

#include <cstdint>
#include <span>

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

// Metrics of (total, count), without the weight: the mean over the row's elements where the metric is one of elements.
double rowMetric(const plan::MetricAttributes& metric, const MetricRow& row);

// Whether the metric counts positives and negatives by threshold.
bool countsByThreshold(plan::MetricKind kind);
// Adds each element of the row to `sums` (metric.width), by its weight: the positive ones' counts first.
void countByThreshold(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums);

}  // namespace engine::backend
