// GPUs, for those who know nothing of CUDA: the back-end is a module of its own, libtandem-cuda.so, which is looked for when it is first
// needed. A program starts, and trains on its processor, on machines without the module, a driver or a GPU. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/distribute/nccl/nccl_collective.h"

namespace engine::backend {

struct GpuDevice {
    int index = 0;       // the runtime's
    std::string name{};  // "NVIDIA H200"
    std::string uuid{};  // "GPU-5fd4f087-86f3-7a43-b711-4771313afc50"
    std::int64_t memory_bytes = 0;
    int major = 0, minor = 0;  // compute capability
};

// What holds for all executors of a process. The names are TensorFlow's.
struct GpuOptions {
    bool tensor_float_32_execution = false;  // float32 products in TensorFloat-32: faster, with 10 bits of the mantissa
    bool op_determinism = false;             // the same bytes in every run: algorithms are not tried, so that products may be slower
};

class GpuBackend {
public:
    virtual ~GpuBackend() = default;
    // Those that it can use, one or more; the runtime's other ones are too old.
    virtual std::vector<GpuDevice> devices() const = 0;
    // Makes an executor on the device that the plan's ops name: "GPU:1" is the second of devices(); where there are fewer, counting goes on
    // from the first. Throws Error(kResourceExhausted) with what the plan needs and what is free.
    virtual std::unique_ptr<Executor> makeExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) = 0;
    virtual void setOptions(const GpuOptions& options) = 0;  // of executors made from now on
    // The libraries' algorithms that were chosen by measurement, by what they are for.
    virtual std::map<std::string, std::string> choices() const = 0;
    virtual void setChoices(const std::map<std::string, std::string>& choices) = 0;
    virtual std::string describe() const = 0;  // "CUDA 13.0, driver 13.0"

    // "2.28.9"; empty, and why in `reason`, where NCCL can't be loaded.
    virtual std::string ncclVersion(std::string& reason) = 0;
    // distribute::nccl::connect() for a member that computes on the device GPU:index.
    virtual distribute::nccl::NcclConnection connectNccl(int index, distribute::Collective& host) = 0;
};

// The module's, loaded once; null where it can't be, with the reason in a sentence for people: module, driver or device missing, or a
// driver too old.
GpuBackend* gpuBackend(std::string* reason = nullptr);

// Makes an executor on the device that the plan's ops are placed on: a GPU, else makeCpuExecutor(). Throws Error(kUnavailable) with
// gpuBackend()'s reason.
std::unique_ptr<Executor> makeExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options);

// What a module's entry takes and returns. Both sides share classes: they must have been built of the same sources by the same compiler.
inline constexpr const char* kGpuModuleEntry = "tandem_gpu_backend";
inline constexpr const char* kGpuModuleBuild = "1 of " __VERSION__;  // the number goes up with every change of what they share
using GpuModuleEntry = GpuBackend* (*)(const char* build, std::string* reason);

}  // namespace engine::backend
