// Errors of CUDA and its libraries as Error.
#pragma once

#include <string_view>

#include <cuda_runtime.h>

namespace engine::backend::cuda {

// Throws Error: kResourceExhausted for want of memory, kUnavailable for a lost device, kInternal else; "what: CUDA's own words".
void check(cudaError_t status, std::string_view what);

}  // namespace engine::backend::cuda
