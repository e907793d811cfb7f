// The gradients that replicas add up: their memory on the device, and the host's where they are added up there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend/cuda/handles.h"
#include "engine/backend/executor.h"
#include "engine/distribute/collective.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

// Owned by an executor, one thread, whose device is current in every call. Throws Error as the runtime's calls and the collective.
class GradientRegion {
public:
    // Takes memory for plan.shared_bytes, cleared by `stream`. `plan`, options.collective and options.region outlive it. With a region of
    // the host and no collective (tests, probes) the region is mirrored around each packet of steps. Throws Error(kResourceExhausted).
    GradientRegion(const plan::Plan& plan, const ExecutorOptions& options, cudaStream_t stream);

    std::byte* onDevice() const { return device_.get(); }
    // The device memory of one bucket.
    std::byte* onDevice(int bucket) const;

    bool isMirrored() const { return is_mirrored_; }
    // Enqueue the copy of all of it; nothing where it is not mirrored.
    void copyToDevice(cudaStream_t stream) const;
    void copyToHost(cudaStream_t stream) const;

    // Sums over the host's memory: begins that of the op's bucket when what was enqueued on `stream` is done.
    void startReduction(const plan::Op& op, cudaStream_t stream);
    // Waits for it, and enqueues its way to the device.
    void awaitReduction(int bucket, cudaStream_t stream);

private:
    std::span<float> onHost(int bucket) const;

    const plan::Plan& plan_;
    distribute::Collective* const collective_;  // null: nothing is reduced
    const bool is_mirrored_;
    DeviceMemory device_;
    PinnedMemory own_;                    // where sums go by the host and the options have no region
    std::span<std::byte> host_;           // own_, or the options' region
    RegisteredMemory registered_;         // the options' region
    std::vector<std::uint64_t> tickets_;  // of the sums under way, by bucket
};

}  // namespace engine::backend::cuda
