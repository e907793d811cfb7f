#include "engine/backend/loss_weights.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace engine::backend {
namespace {

CountedRows countRows(const LossBatch& batch) {
    CountedRows counted;
    const std::int64_t rows = batch.layout.joins() ? 1 : batch.layout.rows_per_sample;
    for (std::int64_t i = 0; i < batch.samples; ++i) {
        double valid = static_cast<double>(rows);
        if (batch.ignores_class || batch.mask != nullptr) {
            valid = 0;
            for (std::int64_t k = 0; k < rows; ++k) valid += isCounted(batch, i * rows + k) ? 1 : 0;
        }
        counted.rows += valid;
        counted.weights += valid * (batch.weights == nullptr ? 1.0 : static_cast<double>(batch.weights[i]));
    }
    return counted;
}

std::int64_t product(const spec::Shape& shape, std::int64_t begin, std::int64_t end) {
    return std::accumulate(shape.begin() + begin, shape.begin() + end, std::int64_t{1}, std::multiplies<>());
}

}  // namespace

LossLayout lossLayout(const plan::LossAttributes& loss, const spec::Shape& scores) {
    const auto rank = static_cast<std::int64_t>(scores.size());
    const std::int64_t first = loss.first_axis < 0 ? rank - 1 : loss.first_axis, end = first + loss.axes;
    const std::int64_t stride = product(scores, end, rank);
    if (first == 0) return {.rows_per_sample = 0, .elements = product(scores, 1, end), .stride = stride};
    return {.rows_per_sample = product(scores, 1, first) * stride, .elements = product(scores, first, end), .stride = stride};
}

void ignoreClass(const plan::LossAttributes& loss, LossBatch& batch) {
    batch.ignores_class = loss.ignored_class.has_value();
    batch.ignored_class = loss.ignored_class.value_or(0);
}

LossScale lossScale(const plan::LossAttributes& loss, const LossBatch& batch, int replicas) {
    if (batch.layout.joins()) return joinedScale(loss.reduction, countRows(batch), batch.weights != nullptr, batch.layout.stride);
    const bool looks_at_rows = loss.reduction != plan::LossReduction::kSum;
    LossScale scale = lossScale(loss.reduction, looks_at_rows ? countRows(batch) : CountedRows{}, replicas);
    if (isHinge(loss.kind)) {
        const float* end = batch.values + batch.layout.rows(batch.samples) * batch.layout.elements;
        scale.zero_one = std::all_of(batch.values, end, [](float t) { return t == 0 || t == 1; });
    }
    return scale;
}

}  // namespace engine::backend
