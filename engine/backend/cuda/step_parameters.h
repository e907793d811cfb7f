// What a step brings, in device memory: a captured graph is the same for every step, so its kernels read here what changes. Written by the
// executor before the step; plain values, one writer, then many readers.
#pragma once

#include <array>
#include <cstdint>

#include "engine/plan/optimizer.h"
#include "engine/tensor/dtype.h"

namespace engine::backend::cuda {

inline constexpr std::size_t kMaxRules = 8;  // different optimizers of one plan

// What a kernel found that no step can do, device memory: the first one that is seen, since no kernel can throw. The executor clears it and
// looks after the step (step_fault.h).
struct StepFault {
    unsigned is_set = 0;
    std::int32_t op = 0;            // number in plan.ops
    std::int64_t item = 0, id = 0;  // an embedding's id out of range, and its place among the ids
};

struct StepParameters {
    std::uint64_t seed = 0, epoch = 0;
    std::int64_t iteration = 0;
    std::int64_t samples = 0;                            // present: the first ones of plan.batch
    StepFault* fault = nullptr;                          // null: nobody asks
    const std::uint32_t* indices = nullptr;              // (samples), device memory: their numbers in the data set
    float control = 0, control_value = 0;                // StepControl
    std::array<plan::StepFactors, kMaxRules> factors{};  // by the number that the executor gave the rule
    float learning_rate = 0;                             // StepControl
    // True in a step with loss scaling whose gradients are not finite: nobody applies them. bindUnscaleGradients() sets it, with the
    // factors that count only the steps that were not left out; the executor writes false.
    bool leaves_out = false;

    // Rest of the gather: engine/backend/cuda/kernels/gather.cu.
    const void* data = nullptr;    // device memory
    const void* labels = nullptr;  // null: none are asked for
    tensor::DType data_type = tensor::DType::kUInt8, label_type = tensor::DType::kUInt8;
    std::int64_t label_elements = 0;  // of a sample in the data; 0: as many as the plan's label has
    const float* sample_weights = nullptr;
    const float* scales = nullptr;
    const float* offsets = nullptr;
    float scale = 1, offset = 0;
    bool is_staged = false;  // data, labels and weights are those of this step's samples alone, in order; else of the whole set
};

}  // namespace engine::backend::cuda
