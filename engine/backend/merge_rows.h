// How two results of a sample become one, and the way back: one definition for every back-end. Meaning: plan::MergeAttributes.
#pragma once

#include <cstdint>

#include "engine/plan/plan.h"

namespace engine::backend {

// Sizes of one sample: a (rows, a_width), b (rows, b_width), y (rows, y_width).
struct MergeSizes {
    std::int64_t rows = 1, a_width = 1, b_width = 1;
};
// The sizes for two tensors of a merge; both shapes have their batch axis.
MergeSizes mergeSizes(const spec::Shape& a, const spec::Shape& b);

void mergeSample(const plan::MergeAttributes& merge, const MergeSizes& sizes, const float* a, const float* b, float* y);
void mergeSampleBack(const plan::MergeAttributes& merge, const MergeSizes& sizes, const float* a, const float* b, const float* dy,
                     float* da, float* db);

}  // namespace engine::backend
