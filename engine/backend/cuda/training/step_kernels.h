// The first and the last kernel of every step.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "engine/backend/cuda/step_parameters.h"

namespace engine::backend::cuda {

// Steps that follow each other without the host: what they bring, where their headers go, and which of them comes next. Device memory.
struct StepFeed {
    const StepParameters* steps = nullptr;
    float* headers = nullptr;  // (steps, header elements)
    std::uint32_t next = 0;
};

// *current = the next step's; the header (if there is one) is cleared and gets its control words.
void enqueueBeginStep(cudaStream_t stream, const StepFeed* feed, StepParameters* current, float* header, std::int64_t header_elements);
// Keeps the header; the next step is the next one.
void enqueueEndStep(cudaStream_t stream, StepFeed* feed, const float* header, std::int64_t header_elements);

}  // namespace engine::backend::cuda
