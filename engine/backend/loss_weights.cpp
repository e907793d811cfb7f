#include "engine/backend/loss_weights.h"

#include <algorithm>

namespace engine::backend {
namespace {

bool isHinge(plan::LossKind kind) {
    return kind == plan::LossKind::kHinge || kind == plan::LossKind::kSquaredHinge;
}

// Sums over the rows that count: how many, and their weights.
struct Sums {
    double rows = 0, weights = 0;
};

Sums sumsOf(const plan::LossAttributes& loss, const LossBatch& batch) {
    Sums sums;
    for (std::int64_t i = 0; i < batch.samples; ++i) {
        double valid = static_cast<double>(batch.rows_per_sample);
        if (loss.ignored_class && batch.classes != nullptr) {
            const std::int32_t* begin = batch.classes + i * batch.rows_per_sample;
            valid -= static_cast<double>(std::count(begin, begin + batch.rows_per_sample, static_cast<std::int32_t>(*loss.ignored_class)));
        }
        sums.rows += valid;
        sums.weights += valid * (batch.weights == nullptr ? 1.0 : static_cast<double>(batch.weights[i]));
    }
    return sums;
}

}  // namespace

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
