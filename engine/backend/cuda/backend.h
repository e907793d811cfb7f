// GpuBackend on the CUDA runtime: what the module gives out, and tests use as it is.
#pragma once

#include <memory>
#include <string>

#include "engine/backend/cuda_backend.h"

namespace engine::backend::cuda {

// Null, and why in `reason`, where there is no device that it can use.
std::unique_ptr<GpuBackend> makeBackend(std::string* reason);

// 1 of "/job:worker/replica:0/task:0/device:GPU:1", where the plan's ops are; 0 of a plan that names none.
int deviceOf(const plan::Plan& plan);

}  // namespace engine::backend::cuda
