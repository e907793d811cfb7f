// Chooses between the back-ends by what a plan's ops are placed on.
#include <algorithm>
#include <string>

#include "engine/backend/cuda_backend.h"
#include "engine/spec/error.h"

namespace engine::backend {

std::unique_ptr<Executor> makeExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) {
    const bool on_gpu =
        std::any_of(plan.ops.begin(), plan.ops.end(), [](const plan::Op& op) { return op.device.find("GPU:") != std::string::npos; });
    if (!on_gpu) return makeCpuExecutor(plan, variables, options);
    std::string reason;
    GpuBackend* backend = gpuBackend(&reason);
    if (backend == nullptr) throw Error(ErrorCode::kUnavailable, "GPU: " + reason);
    return backend->makeExecutor(plan, variables, options);
}

}  // namespace engine::backend
