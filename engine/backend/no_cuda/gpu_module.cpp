// The back-end for systems that have no modules to load.
#include "engine/backend/cuda_backend.h"

namespace engine::backend {

GpuBackend* gpuBackend(std::string* reason) {
    if (reason != nullptr) *reason = "this program was built without a back-end for GPUs";
    return nullptr;
}

}  // namespace engine::backend
