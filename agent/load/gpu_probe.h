// GPUs of this computer through NVIDIA's management library, which comes with the driver: loaded when it is there, never linked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/cluster/gpu.h"
#include "engine/spec/events/host_load.h"
#include "engine/thread/mutex.h"

namespace agent::load {

// Names or paths for the loader; tests have libraries of their own.
struct GpuLibraries {
    std::string nvml = "libnvidia-ml.so.1";
    std::string nccl = "libnccl.so.2";
};

struct GpuUse {
    std::vector<engine::spec::GpuLoad> gpus;           // in the order of their slots
    std::map<int, std::int64_t> process_memory_bytes;  // by process, over all GPUs
};

// Safe from any thread. Never throws: a library that is not there is looked for again with the next question.
class GpuProbe {
public:
    // `visible_devices` is CUDA_VISIBLE_DEVICES, which the tasks inherit; nullopt where it is not set.
    explicit GpuProbe(GpuLibraries libraries = {}, std::optional<std::string> visible_devices = std::nullopt);
    ~GpuProbe();
    GpuProbe(const GpuProbe&) = delete;
    GpuProbe& operator=(const GpuProbe&) = delete;

    engine::spec::GpuInventory inventory();
    GpuUse use();

private:
    class Nvml;
    const Nvml* opened() TANDEM_REQUIRES(mutex_);
    void findNccl() TANDEM_REQUIRES(mutex_);

    const GpuLibraries libraries_;
    const std::optional<std::string> visible_devices_;
    engine::Mutex mutex_;
    std::unique_ptr<Nvml> nvml_ TANDEM_GUARDED_BY(mutex_);
    std::string no_gpu_reason_ TANDEM_GUARDED_BY(mutex_);
    std::string nccl_version_ TANDEM_GUARDED_BY(mutex_), no_nccl_reason_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::load
