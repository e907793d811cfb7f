// The entry of libtandem-cuda.so.
#include <exception>
#include <memory>
#include <string>

#include "engine/backend/cuda/backend.h"

extern "C" __attribute__((visibility("default"))) engine::backend::GpuBackend* tandem_gpu_backend(const char* build, std::string* reason) {
    if (std::string(build) != engine::backend::kGpuModuleBuild) {
        *reason =
            std::string("libtandem-cuda.so is of another build of Tandem (") + engine::backend::kGpuModuleBuild + ", not " + build + ")";
        return nullptr;
    }
    try {
        return engine::backend::cuda::makeBackend(reason).release();
    } catch (const std::exception& error) {
        *reason = error.what();
        return nullptr;
    }
}
