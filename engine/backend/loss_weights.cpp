#include "engine/backend/loss_weights.h"

#include <algorithm>

namespace engine::backend {
namespace {

CountedRows countRows(const LossBatch& batch) {
    CountedRows counted;
    for (std::int64_t i = 0; i < batch.samples; ++i) {
        double valid = static_cast<double>(batch.rows_per_sample);
        if (batch.ignores_class || batch.mask != nullptr) {
            valid = 0;
            for (std::int64_t k = 0; k < batch.rows_per_sample; ++k) valid += isCounted(batch, i * batch.rows_per_sample + k) ? 1 : 0;
        }
        counted.rows += valid;
        counted.weights += valid * (batch.weights == nullptr ? 1.0 : static_cast<double>(batch.weights[i]));
    }
    return counted;
}

}  // namespace

void ignoreClass(const plan::LossAttributes& loss, LossBatch& batch) {
    batch.ignores_class = loss.ignored_class.has_value();
    batch.ignored_class = loss.ignored_class.value_or(0);
}

LossScale lossScale(const plan::LossAttributes& loss, const LossBatch& batch, int replicas) {
    const bool looks_at_rows = loss.reduction != plan::LossReduction::kSum;
    LossScale scale = lossScale(loss.reduction, looks_at_rows ? countRows(batch) : CountedRows{}, replicas);
    if (isHinge(loss.kind)) {
        const float* end = batch.values + batch.samples * batch.rows_per_sample * batch.row_elements;
        scale.zero_one = std::all_of(batch.values, end, [](float t) { return t == 0 || t == 1; });
    }
    return scale;
}

}  // namespace engine::backend
