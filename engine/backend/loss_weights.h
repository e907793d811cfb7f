// How the rows of a batch weigh in its loss.
#pragma once

#include <cstdint>

#include "engine/plan/loss_attributes.h"
#include "engine/spec/shape.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// Which elements of the scores make a row, that is one loss. Rows that join samples are `stride` in number, whatever the samples.
struct LossLayout {
    std::int64_t rows_per_sample = 1;  // 0: rows join samples
    std::int64_t elements = 1;         // of a row; where rows join samples, in one sample
    std::int64_t stride = 1;           // from one to the next

    TANDEM_DEVICE bool joins() const { return rows_per_sample == 0; }
    TANDEM_DEVICE std::int64_t rows(std::int64_t samples) const { return !joins() ? samples * rows_per_sample : samples == 0 ? 0 : stride; }
    TANDEM_DEVICE std::int64_t rowElements(std::int64_t samples) const { return joins() ? samples * elements : elements; }
    // The row's first element.
    TANDEM_DEVICE std::int64_t begin(std::int64_t row) const { return row / stride * elements * stride + row % stride; }
};
LossLayout lossLayout(const plan::LossAttributes& loss, const spec::Shape& scores);

// The labels of the samples present; one of the two is null. `weights`: one a sample, may be null.
struct LossBatch {
    const std::int32_t* classes = nullptr;  // (samples, rows a sample)
    const float* values = nullptr;          // of the scores' shape
    const float* weights = nullptr;         // (samples)
    const std::uint8_t* mask = nullptr;     // (samples, rows a sample): which count; may be null
    std::int64_t samples = 0;
    LossLayout layout{};
    bool ignores_class = false;  // of labels that are classes: ignoreClass()
    std::int64_t ignored_class = 0;
};
void ignoreClass(const plan::LossAttributes& loss, LossBatch& batch);

struct LossScale {
    double row = 0;         // of a row's loss, times its sample's weight (if it has one sample), in the batch's loss
    double replicas = 1;    // divides the gradient
    bool zero_one = false;  // hinge labels are 0 and 1, to be taken as -1 and 1
};

TANDEM_DEVICE inline bool isIgnored(const LossBatch& batch, std::int64_t row) {
    return batch.ignores_class && batch.classes != nullptr && batch.classes[row] == batch.ignored_class;
}
TANDEM_DEVICE inline bool isCounted(const LossBatch& batch, std::int64_t row) {
    return !isIgnored(batch, row) && (batch.mask == nullptr || batch.mask[row] != 0);
}

// The weight and the class of one row of the batch.
struct RowTarget {
    double weight = 1;          // 0 where the row does not count
    std::int64_t class_id = 0;  // of labels that are classes; 0 for an ignored one
};
TANDEM_DEVICE inline RowTarget rowTarget(const LossBatch& batch, std::int64_t row) {
    RowTarget target;
    if (batch.weights != nullptr && !batch.layout.joins()) {
        target.weight = static_cast<double>(batch.weights[row / batch.layout.rows_per_sample]);
    }
    if (!isCounted(batch, row)) target.weight = 0;
    if (batch.classes != nullptr && !isIgnored(batch, row)) target.class_id = batch.classes[row];
    return target;
}

// Rows that count: how many, and their weights. Where rows join samples: the samples.
struct CountedRows {
    double rows = 0, weights = 0;
};
TANDEM_DEVICE inline LossScale lossScale(plan::LossReduction reduction, CountedRows counted, int replicas) {
    if (reduction == plan::LossReduction::kSum) {  // Keras tells the loss times the replicas; its gradient is that of the sum
        return {static_cast<double>(replicas), static_cast<double>(replicas), false};
    }
    const double divisor = reduction == plan::LossReduction::kMean ? counted.rows : counted.weights;
    return {divisor == 0 ? 0 : 1 / divisor, static_cast<double>(replicas), false};
}
// The same of a number of rows that join samples: each sample's weight is that of the whole batch's loss.
TANDEM_DEVICE inline LossScale joinedScale(plan::LossReduction reduction, CountedRows counted, bool is_weighted, std::int64_t rows) {
    if (reduction == plan::LossReduction::kSum) return {is_weighted ? counted.weights : 1, 1, false};
    const double weight = reduction == plan::LossReduction::kMean ? counted.weights / counted.rows : counted.weights == 0 ? 0 : 1;
    return {counted.rows == 0 ? 0 : weight / static_cast<double>(rows), 1, false};
}
// True for the losses that take labels 0 and 1 as well as -1 and 1; the batch tells which of them it has.
TANDEM_DEVICE constexpr bool isHinge(plan::LossKind kind) {
    return kind == plan::LossKind::kHinge || kind == plan::LossKind::kSquaredHinge;
}

// Looks at all labels and weights of the batch: the same for every thread.
LossScale lossScale(const plan::LossAttributes& loss, const LossBatch& batch, int replicas);

}  // namespace engine::backend
