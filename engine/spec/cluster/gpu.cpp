#include "engine/spec/cluster/gpu.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <utility>

namespace engine::spec {

namespace {

constexpr double kGib = 1 << 30;

}  // namespace

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// NCCL's number has two digits each for minor and patch since 2.9.
std::string ncclVersionText(int version) {
    const bool newer = version >= 10000;
    const int major = version / (newer ? 10000 : 1000), minor = version / 100 % (newer ? 100 : 10);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(version % 100);
}

std::string capabilityText(const Gpu& gpu) {
    return std::to_string(gpu.capability_major) + "." + std::to_string(gpu.capability_minor);
}

std::string toString(const Gpu& gpu) {
    char memory[32];
    std::snprintf(memory, sizeof memory, "%.1f GB", static_cast<double>(gpu.memory_bytes) / kGib);
    return gpu.name + ", " + memory + ", compute capability " + capabilityText(gpu);
}

std::string gpuObstacle(const Gpu& gpu) {
    const bool enough = gpu.capability_major != kLeastCapabilityMajor ? gpu.capability_major > kLeastCapabilityMajor
                                                                      : gpu.capability_minor >= kLeastCapabilityMinor;
    return enough ? "" : gpu.name + " has compute capability " + capabilityText(gpu) + ", Tandem needs 7.5";
}

std::string gpuObstacle(const GpuInventory& inventory) {
    if (inventory.gpus.empty()) {
        return inventory.no_gpu_reason;
    }
    if (!inventory.no_backend_reason.empty()) {
        return inventory.no_backend_reason;
    }
    if (inventory.cuda_version < kLeastCudaVersion) {
        return "the driver " + inventory.driver_version + " runs CUDA " + cudaVersionText(inventory.cuda_version) +
               " at most, Tandem needs " + cudaVersionText(kLeastCudaVersion);
    }
    return usableGpus(inventory) > 0 ? "" : gpuObstacle(inventory.gpus.front());
}

std::vector<Gpu> usable(const GpuInventory& inventory) {
    std::vector<Gpu> found;
    if (inventory.no_backend_reason.empty() && inventory.cuda_version >= kLeastCudaVersion) {
        std::copy_if(inventory.gpus.begin(), inventory.gpus.end(), std::back_inserter(found),
                     [](const Gpu& gpu) { return gpuObstacle(gpu).empty(); });
    }
    return found;
}

int usableGpus(const GpuInventory& inventory) {
    return static_cast<int>(usable(inventory).size());
}

void hideGpus(GpuInventory& inventory, const std::optional<std::string>& visible_devices) {
    if (!visible_devices || inventory.gpus.empty()) {
        return;
    }
    std::vector<Gpu> shown;
    std::stringstream entries(*visible_devices);
    for (std::string entry; std::getline(entries, entry, ',');) {
        entry.erase(0, entry.find_first_not_of(' '));
        const bool is_number = !entry.empty() && std::all_of(entry.begin(), entry.end(), [](char c) { return c >= '0' && c <= '9'; });
        const auto at = is_number && entry.size() < 6 ? static_cast<std::size_t>(std::stoi(entry)) : inventory.gpus.size();
        const auto found = at < inventory.gpus.size()   ? inventory.gpus.begin() + static_cast<std::ptrdiff_t>(at)
                           : is_number || entry.empty() ? inventory.gpus.end()
                                                        : std::find_if(inventory.gpus.begin(), inventory.gpus.end(),
                                                                       [&](const Gpu& gpu) { return gpu.uuid.starts_with(entry); });
        if (found == inventory.gpus.end()) {
            break;
        }
        shown.push_back(*found);
    }
    inventory.gpus = std::move(shown);
    if (inventory.gpus.empty()) {
        inventory.no_gpu_reason = "CUDA_VISIBLE_DEVICES hides every GPU";
    }
}

}  // namespace engine::spec
