// What a packet of steps brings to the device and what it gives back, on both sides.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/backend/cuda/handles.h"
#include "engine/backend/cuda/step_parameters.h"
#include "engine/backend/cuda/training/step_kernels.h"

namespace engine::backend::cuda {

// How much a packet holds.
struct PacketSize {
    std::int64_t steps = 1;
    std::int64_t batch = 0;   // samples of a step
    std::int64_t header = 0;  // floats of a step's header; 0 for a plan without

    // Results are the steps' faults, then their headers.
    std::size_t faultBytes() const { return alignedBytes(static_cast<std::size_t>(steps) * sizeof(StepFault)); }
    std::size_t headerBytes(std::int64_t of_steps) const { return static_cast<std::size_t>(of_steps * header) * sizeof(float); }
};

// Two of them take turns: while one runs the next one is filled (packet_writer.h). Owned by an executor, one thread. Its memory may go when
// nothing is under way.
struct StepPacket {
    StepPacket() = default;
    // Device memory is cleared by `stream`. Throws Error(kResourceExhausted).
    StepPacket(const PacketSize& of_size, cudaStream_t stream)
        : size(of_size),
          feed(sizeof(StepFeed), "step"),
          steps(static_cast<std::size_t>(size.steps) * sizeof(StepParameters), "step"),
          indices(static_cast<std::size_t>(size.steps * size.batch) * sizeof(std::uint32_t), "step"),
          results(resultBytes(), "step"),
          device_steps(steps.size(), "step"),
          device_indices(indices.size(), "step"),
          device_results(results.size(), "step") {
        for (const DeviceMemory* memory : {&device_steps, &device_indices, &device_results}) {
            if (memory->size() > 0) check(cudaMemsetAsync(memory->get(), 0, memory->size(), stream), "step");
        }
    }

    // No step yet.
    void clear() {
        count = 0;
        staged_bytes = 0;
    }
    // The fault of step `step`; known when the packet is done.
    const StepFault& fault(std::int64_t step) const { return reinterpret_cast<const StepFault*>(results.get())[step]; }
    std::span<const float> header(std::int64_t step) const {
        return {reinterpret_cast<const float*>(results.get() + size.faultBytes()) + step * size.header,
                static_cast<std::size_t>(size.header)};
    }

    PacketSize size;
    PinnedMemory feed, steps, indices, results, staged;
    DeviceMemory device_steps, device_indices, device_results, device_staged;
    Event uploaded, done;
    std::int64_t count = 0;
    std::size_t staged_bytes = 0;  // of `staged`, by the steps so far
    bool is_under_way = false;
    std::chrono::steady_clock::time_point begin{};

private:
    std::size_t resultBytes() const {
        return size.faultBytes() + static_cast<std::size_t>(size.steps * std::max<std::int64_t>(size.header, 1)) * sizeof(float);
    }
};

}  // namespace engine::backend::cuda
