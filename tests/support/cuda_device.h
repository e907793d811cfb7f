// Executors on the first GPU; on the emulated one where the test is compiled with it.
#pragma once

#include <memory>
#include <string>

#include "engine/backend/cuda/backend.h"
#include "engine/spec/error.h"

namespace tests::support {

// Null, and why in `reason`, without a GPU.
inline engine::backend::GpuBackend* cudaBackend(std::string* reason = nullptr) {
    static std::string why;
    static const std::unique_ptr<engine::backend::GpuBackend> backend = engine::backend::cuda::makeBackend(&why);
    if (reason != nullptr) *reason = why;
    return backend.get();
}

inline std::unique_ptr<engine::backend::Executor> makeCudaExecutor(const engine::plan::Plan& plan, engine::backend::Variables& variables,
                                                                   const engine::backend::ExecutorOptions& options) {
    std::string reason;
    if (cudaBackend(&reason) == nullptr) throw engine::Error(engine::ErrorCode::kUnavailable, reason);
    return cudaBackend()->makeExecutor(plan, variables, options);
}

}  // namespace tests::support
