// Looks for libtandem-cuda.so: TANDEM_CUDA_MODULE names it, else it lies beside the program, in the folder lib beside the program's, or in
// the folder for modules below that, where an installation has it.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "engine/backend/cuda_backend.h"

namespace engine::backend {
namespace {

constexpr const char* kFile = "libtandem-cuda.so";

std::vector<std::filesystem::path> places() {
    if (const char* named = std::getenv("TANDEM_CUDA_MODULE")) return {named};
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    if (error) return {};
    const std::filesystem::path root = folder.parent_path();
    return {folder / kFile, root / "lib" / kFile, root / TANDEM_LIBRARY_FOLDER / "tandem" / kFile};
}

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
    std::filesystem::path file;
    std::error_code error;
    for (const std::filesystem::path& place : places()) {
        if (file.empty() && std::filesystem::exists(place, error)) file = place;
    }
    if (file.empty()) {
        module.reason = std::string("this installation has no back-end for GPUs (") + kFile + ")";
        return module;
    }
    if (std::getenv("TANDEM_CUDA_MODULE") == nullptr && !hasDriver()) {
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
