#include "engine/backend/metric_rows.h"

#include <algorithm>
#include <cmath>

#include "engine/backend/loss_formulas.h"

namespace engine::backend {
namespace {

std::int64_t firstLargest(const float* values, std::int64_t n) {
    return std::max_element(values, values + n) - values;
}

double isAmongLargest(const MetricRow& row, std::int64_t target, std::int64_t k) {
    const float wanted = row.predictions[target];
    if (!std::isfinite(wanted)) return 0;
    const std::int64_t above =
        std::count_if(row.predictions, row.predictions + row.n, [wanted](float score) { return !std::isfinite(score) || score > wanted; });
    return above < k ? 1 : 0;
}

template <typename Test>
double shareOf(const MetricRow& row, Test test) {
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < row.n; ++i) right += test(row.predictions[i], row.values[i]) ? 1 : 0;
    return static_cast<double>(right) / static_cast<double>(row.n);
}

double lossOf(const plan::LossAttributes& loss, const MetricRow& row) {
    const LossRow one{.loss = loss, .scores = row.predictions, .n = row.n, .gradient = nullptr, .scale = 1};
    if (row.values == nullptr) return sparseCrossEntropy<double>(one, row.label);
    // Hinges: labels -1 and 1 stay what they are, also where a row has nothing but ones.
    const bool zero_one = std::all_of(row.values, row.values + row.n, [](float t) { return t == 0 || t == 1; });
    const bool is_hinge = loss.kind == plan::LossKind::kHinge || loss.kind == plan::LossKind::kSquaredHinge;
    return rowLoss<double>(one, row.values, is_hinge && zero_one);
}

}  // namespace

double rowMetric(const plan::MetricAttributes& metric, const MetricRow& row) {
    using plan::MetricKind;
    switch (metric.kind) {
        case MetricKind::kAccuracy:
            return shareOf(row, [](float y, float t) { return y == t; });
        case MetricKind::kBinaryAccuracy: {
            const auto threshold = static_cast<float>(metric.threshold);
            return shareOf(row, [threshold](float y, float t) { return (y > threshold ? 1.0F : 0.0F) == t; });
        }
        case MetricKind::kCategoricalAccuracy:
            return firstLargest(row.predictions, row.n) == firstLargest(row.values, row.n) ? 1 : 0;
        case MetricKind::kSparseCategoricalAccuracy:
            return firstLargest(row.predictions, row.n) == row.label ? 1 : 0;
        case MetricKind::kTopKCategoricalAccuracy:
            return isAmongLargest(row, firstLargest(row.values, row.n), metric.k);
        case MetricKind::kSparseTopKCategoricalAccuracy:
            return row.label >= 0 && row.label < row.n ? isAmongLargest(row, row.label, metric.k) : 0;
        case MetricKind::kCosineSimilarity:
            return -lossOf({.kind = plan::LossKind::kCosineSimilarity}, row);
        case MetricKind::kRootMeanSquaredError:
            return lossOf({.kind = plan::LossKind::kMeanSquaredError}, row);
        default:
            return lossOf(metric.loss, row);
    }
}

bool countsByThreshold(plan::MetricKind kind) {
    return kind >= plan::MetricKind::kTruePositives;
}

void countByThreshold(const plan::MetricAttributes& metric, const MetricRow& row, std::span<double> sums) {
    const std::span<double> positive = sums.first(metric.thresholds.size() + 1), negative = sums.subspan(metric.thresholds.size() + 1);
    for (std::int64_t i = 0; i < row.n; ++i) {
        const float y = metric.from_logits ? sigmoidOf(row.predictions[i]) : row.predictions[i];
        const auto below = std::lower_bound(metric.thresholds.begin(), metric.thresholds.end(), y) - metric.thresholds.begin();
        (row.values[i] != 0 ? positive : negative)[static_cast<std::size_t>(below)] += row.weight;
    }
}

}  // namespace engine::backend
