#include "engine/backend/cuda/status.h"

#include <string>

#include "engine/spec/error.h"

namespace engine::backend::cuda {

void check(cudaError_t status, std::string_view what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // what is told once is not told again
    const std::string text = std::string(what) + ": " + cudaGetErrorString(status);
    switch (status) {
        case cudaErrorMemoryAllocation:
            throw Error(ErrorCode::kResourceExhausted, text);
        case cudaErrorNoDevice:
        case cudaErrorInsufficientDriver:
        case cudaErrorECCUncorrectable:
        case cudaErrorInitializationError:
            throw Error(ErrorCode::kUnavailable, text);
        default:
            throw Error(ErrorCode::kInternal, text);
    }
}

}  // namespace engine::backend::cuda
