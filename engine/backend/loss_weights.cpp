#include "engine/backend/loss_weights.h"

#include <algorithm>

namespace engine::backend {
namespace {

bool isHinge(plan::LossKind kind) {
    return kind == plan::LossKind::kHinge || kind == plan::LossKind::kSquaredHinge;
}

bool isCounted(const plan::LossAttributes& loss, const LossBatch& batch, std::int64_t row) {
    const bool is_ignored = loss.ignored_class && batch.classes != nullptr && batch.classes[row] == *loss.ignored_class;
    return !is_ignored && (batch.mask == nullptr || batch.mask[row] != 0);
}

// Sums over the rows that count: how many, and their weights.
struct Sums {
    double rows = 0, weights = 0;
};

Sums sumsOf(const plan::LossAttributes& loss, const LossBatch& batch) {
    Sums sums;
    for (std::int64_t i = 0; i < batch.samples; ++i) {
        double valid = static_cast<double>(batch.rows_per_sample);
        if (loss.ignored_class || batch.mask != nullptr) {
            valid = 0;
            for (std::int64_t k = 0; k < batch.rows_per_sample; ++k) valid += isCounted(loss, batch, i * batch.rows_per_sample + k) ? 1 : 0;
        }
        sums.rows += valid;
        sums.weights += valid * (batch.weights == nullptr ? 1.0 : static_cast<double>(batch.weights[i]));
    }
    return sums;
}

}  // namespace

RowTarget rowTarget(const plan::LossAttributes& loss, const LossBatch& batch, std::int64_t row) {
    RowTarget target{.weight = batch.weights == nullptr ? 1 : static_cast<double>(batch.weights[row / batch.rows_per_sample])};
    if (!isCounted(loss, batch, row)) target.weight = 0;
    const bool has_class = batch.classes != nullptr && !(loss.ignored_class && batch.classes[row] == *loss.ignored_class);
    if (has_class) target.class_id = batch.classes[row];
    return target;
}

LossScale lossScale(const plan::LossAttributes& loss, const LossBatch& batch, int replicas) {
    LossScale scale{.row = 1};
    if (loss.reduction != plan::LossReduction::kSum) {
        const Sums sums = sumsOf(loss, batch);
        const double divisor = loss.reduction == plan::LossReduction::kMean ? sums.rows : sums.weights;
        scale.row = divisor == 0 ? 0 : 1 / divisor;
        scale.replicas = replicas;
    }
    if (isHinge(loss.kind)) {
        const float* end = batch.values + batch.samples * batch.rows_per_sample * batch.row_elements;
        scale.zero_one = std::all_of(batch.values, end, [](float t) { return t == 0 || t == 1; });
    }
    return scale;
}

}  // namespace engine::backend
