// One batch as the executor takes it: where the samples lie and which of them to gather.
#pragma once

#include <cstdint>
#include <span>

#include "engine/tensor/dtype.h"

namespace engine::tensor {

// Points into a data set's cache (or a staging buffer of the pipeline, with indices 0..n-1); owns nothing. The executor reads it during the
// call only. value = element * scale + offset is applied while gathering, so that a cached set keeps its source's type; with `scales` each
// element of a sample has its own pair. Labels are converted to the type of the plan's label tensor.
struct BatchView {
    const std::byte* samples = nullptr;  // (N, sample elements), C order
    DType sample_dtype = DType::kUInt8;
    std::int64_t sample_elements = 0;  // 784 for (28, 28, 1)
    float scale = 1.0F;
    float offset = 0.0F;
    const float* scales = nullptr;  // (sample elements), with `offsets`, in place of scale and offset; null: one pair for all
    const float* offsets = nullptr;
    const std::byte* labels = nullptr;  // (N, label elements): class indices (uint8, int32) or numbers (any of the three types)
    DType label_dtype = DType::kUInt8;
    std::int64_t label_elements = 1;
    const float* sample_weights = nullptr;   // (N), or null: all 1. Only plans with a sample weight look at them
    std::span<const std::uint32_t> indices;  // one per sample of the batch, in order; may be empty (a replica without data)
    std::span<const std::uint32_t> parts;    // of a task with several devices: how many of the indices are whose, in order; may be empty
    std::span<const std::uint32_t> numbers;  // of a staging buffer: each index's number in the data set, which random layers draw by
    std::uint64_t set = 0;                   // of samples that stay as they are: a number that no other set of this process has or had;
    std::int64_t count = 0;                  // with it, N. 0: a staging buffer, or who made the view can't tell

    // One for each of the indices.
    std::span<const std::uint32_t> numbersInSet() const { return numbers.empty() ? indices : numbers.first(indices.size()); }
};

}  // namespace engine::tensor
