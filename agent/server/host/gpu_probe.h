// GPUs of this computer through NVIDIA's management library, which comes with the driver: loaded when it is there, never linked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/cluster/gpu.h"
#include "engine/spec/events/host_load.h"

namespace agent::server {

// Names or paths for the loader; tests have libraries of their own.
struct GpuLibraries {
    std::string nvml = "libnvidia-ml.so.1";
    std::string nccl = "libnccl.so.2";
};

struct GpuUse {
    std::vector<engine::spec::GpuLoad> gpus;           // in the order of their slots
    std::map<int, std::int64_t> process_memory_bytes;  // by process, over all GPUs
};

// Safe from any thread. Never throws: a library that is not there is looked for again at the next question.
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
    const Nvml* opened();
    void findNccl();

    const GpuLibraries libraries_;
    const std::optional<std::string> visible_devices_;
    std::mutex mutex_;
    std::unique_ptr<Nvml> nvml_;  // guarded by mutex_, as all below
    std::string no_gpu_reason_;
    std::string nccl_version_, no_nccl_reason_;
};

}  // namespace agent::server
