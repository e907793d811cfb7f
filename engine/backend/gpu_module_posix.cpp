// Looks for libtandem-cuda.so, which TANDEM_CUDA_MODULE may name: see distribute::moduleFile().
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <dlfcn.h>

#include "engine/backend/cuda_backend.h"
#include "engine/distribute/module_file.h"

namespace engine::backend {
namespace {

constexpr const char* kFile = "libtandem-cuda.so";
constexpr const char* kVariable = "TANDEM_CUDA_MODULE";

// The module brings NVIDIA's libraries along, hundreds of megabytes: nothing for a worker without a driver to wait for and to keep.
bool hasDriver() {
    return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
}

struct Module {
    std::unique_ptr<GpuBackend> backend{};
    std::string reason{};
};

Module load() {
    Module module;
    const std::filesystem::path file = distribute::moduleFile(kFile, kVariable);
    if (file.empty()) {
        module.reason = std::string("this installation has no back-end for GPUs (") + kFile + ")";
        return module;
    }
    if (std::getenv(kVariable) == nullptr && !hasDriver()) {
        module.reason = "no NVIDIA driver is installed";
        return module;
    }
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays: the back-end lives as long as the program
    if (handle == nullptr) {
        const char* why = dlerror();
        module.reason = std::string("the back-end for GPUs can't be loaded: ") + (why == nullptr ? file.c_str() : why);
        return module;
    }
    const auto entry = reinterpret_cast<GpuModuleEntry>(dlsym(handle, kGpuModuleEntry));
    if (entry == nullptr) {
        module.reason = file.string() + " is of another version of Tandem";
        return module;
    }
    module.backend.reset(entry(kGpuModuleBuild, &module.reason));
    return module;
}

}  // namespace

GpuBackend* gpuBackend(std::string* reason) {
    static Module* const module = new Module(load());  // never goes: other threads may still use it at the end
    if (reason != nullptr) *reason = module->reason;
    return module->backend.get();
}

}  // namespace engine::backend
