// The GPUs of a host, and what a task needs to train on them: told by the host's agent, shown by the studio and the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine::spec {

struct Gpu {
    std::string name;  // "NVIDIA H200"
    std::string uuid;  // "GPU-5fd4f0c3-…": the same card under every number
    std::int64_t memory_bytes = 0, memory_free_bytes = 0;
    int capability_major = 0, capability_minor = 0;  // compute capability
    friend bool operator==(const Gpu&, const Gpu&) = default;
};

struct GpuInventory {
    std::vector<Gpu> gpus;          // in the order of their slots
    std::string no_gpu_reason;      // "no NVIDIA driver"; empty when there is a GPU
    std::string driver_version;     // "580.65.06"
    int cuda_version = 0;           // the newest that the driver runs, 13020 for 13.2
    std::string nccl_version;       // "2.28.3"; empty: there is none
    std::string no_nccl_reason;     // empty when there is NCCL
    std::string no_backend_reason;  // why Tandem's worker finds no back-end for GPUs; empty when it does
    friend bool operator==(const GpuInventory&, const GpuInventory&) = default;
};

// What the back-end for GPUs is built for.
inline constexpr int kLeastCudaVersion = 13000, kLeastCapabilityMajor = 7, kLeastCapabilityMinor = 5;

std::string cudaVersionText(int version);    // 13020: "13.2"
std::string ncclVersionText(int version);    // as ncclGetVersion tells it, 22803: "2.28.3"
std::string capabilityText(const Gpu& gpu);  // "9.0"
// "NVIDIA H200, 139.8 GB, compute capability 9.0"
std::string toString(const Gpu& gpu);

// Why no task can train on this host's GPUs although there are some: the driver is too old, or every GPU is. Empty when one can be used.
std::string gpuObstacle(const GpuInventory& inventory);
// Why this one can't be used; empty when it can.
std::string gpuObstacle(const Gpu& gpu);
// What is left of it under CUDA_VISIBLE_DEVICES, as CUDA reads it: numbers or beginnings of uuids, up to the first one that is none.
// nullopt: the variable is not set.
void hideGpus(GpuInventory& inventory, const std::optional<std::string>& visible_devices);
// GPUs that a task can train on, in their order.
std::vector<Gpu> usable(const GpuInventory& inventory);
int usableGpus(const GpuInventory& inventory);

}  // namespace engine::spec
