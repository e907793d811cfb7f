// How the rows of a batch weigh in its loss.
#pragma once

#include <cstdint>

#include "engine/plan/loss_attributes.h"

namespace engine::backend {

// The labels of the samples present; one of the two is null. `weights`: one a sample, may be null.
struct LossBatch {
    const std::int32_t* classes = nullptr;  // (samples, rows a sample)
    const float* values = nullptr;          // (samples, rows a sample, row_elements)
    const float* weights = nullptr;         // (samples)
    const std::uint8_t* mask = nullptr;     // (samples, rows a sample): which count; may be null
    std::int64_t samples = 0, rows_per_sample = 1, row_elements = 1;
};

struct LossScale {
    double row = 0;         // of a row's loss, times its sample's weight, in the batch's loss
    double replicas = 1;    // divides the gradient
    bool zero_one = false;  // hinge labels are 0 and 1, to be taken as -1 and 1
};

// Of one row of the batch.
struct RowTarget {
    double weight = 1;          // 0 where the row does not count
    std::int64_t class_id = 0;  // of labels that are classes; 0 for an ignored one
};
RowTarget rowTarget(const plan::LossAttributes& loss, const LossBatch& batch, std::int64_t row);

// Looks at all labels and weights of the batch: the same for every thread.
LossScale lossScale(const plan::LossAttributes& loss, const LossBatch& batch, int replicas);

}  // namespace engine::backend
