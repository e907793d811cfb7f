// What the runtime hands out, owned. Each belongs to the device that was current when it was made; moves, never copies.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <cuda_runtime.h>

#include "engine/backend/cuda/status.h"

namespace engine::backend::cuda {

// Device memory is aligned to that.
inline constexpr std::size_t kDeviceAlignment = 256;
constexpr std::size_t alignedBytes(std::size_t bytes) {
    return (bytes + kDeviceAlignment - 1) / kDeviceAlignment * kDeviceAlignment;
}

template <auto kRelease>
struct Releaser {
    template <typename Handle>
    void operator()(Handle* handle) const {
        kRelease(handle);  // nobody can answer for a failure here
    }
};

// The device's own calls while the object lives; the one from before afterwards.
class DeviceGuard {
public:
    explicit DeviceGuard(int device) {
        check(cudaGetDevice(&before_), "device");
        if (before_ != device) check(cudaSetDevice(device), "device " + std::to_string(device));
    }
    ~DeviceGuard() { cudaSetDevice(before_); }
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;

private:
    int before_ = 0;
};

class Stream {
public:
    Stream() {
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
        stream_.reset(stream);
    }
    cudaStream_t get() const { return stream_.get(); }
    void synchronize() const { check(cudaStreamSynchronize(stream_.get()), "stream"); }

private:
    std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Releaser<&cudaStreamDestroy>> stream_;
};

class Event {
public:
    Event() : Event(cudaEventDisableTiming) {}
    explicit Event(unsigned flags) {
        cudaEvent_t event = nullptr;
        check(cudaEventCreateWithFlags(&event, flags), "event");
        event_.reset(event);
    }
    cudaEvent_t get() const { return event_.get(); }
    void record(cudaStream_t stream) const { check(cudaEventRecord(event_.get(), stream), "event"); }
    void awaitOn(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_.get(), 0), "event"); }
    void synchronize() const { check(cudaEventSynchronize(event_.get()), "event"); }

private:
    std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Releaser<&cudaEventDestroy>> event_;
};

// Aligned to kDeviceAlignment. `what` names it in an Error(kResourceExhausted).
class DeviceMemory {
public:
    DeviceMemory() = default;
    DeviceMemory(std::size_t bytes, std::string_view what) : bytes_(bytes) {
        void* memory = nullptr;
        if (bytes > 0) check(cudaMalloc(&memory, bytes), what);
        memory_.reset(static_cast<std::byte*>(memory));
    }
    std::byte* get() const { return memory_.get(); }
    std::size_t size() const { return bytes_; }

private:
    std::unique_ptr<std::byte, Releaser<&cudaFree>> memory_;
    std::size_t bytes_ = 0;
};

// Memory of the host that the device can read and write itself.
class PinnedMemory {
public:
    PinnedMemory() = default;
    PinnedMemory(std::size_t bytes, std::string_view what) : bytes_(bytes) {
        void* memory = nullptr;
        if (bytes > 0) check(cudaMallocHost(&memory, bytes), what);
        memory_.reset(static_cast<std::byte*>(memory));
    }
    std::byte* get() const { return memory_.get(); }
    std::size_t size() const { return bytes_; }

private:
    std::unique_ptr<std::byte, Releaser<&cudaFreeHost>> memory_;
    std::size_t bytes_ = 0;
};

// The host's memory of somebody else, within the device's reach where the system allows it: copies are faster then, and go as well without.
class RegisteredMemory {
public:
    RegisteredMemory() = default;
    explicit RegisteredMemory(std::span<std::byte> memory) {
        if (memory.empty()) return;
        if (cudaHostRegister(memory.data(), memory.size(), cudaHostAllocPortable) == cudaSuccess) {
            memory_.reset(memory.data());
        } else {
            cudaGetLastError();  // nobody is to hear of it
        }
    }

private:
    std::unique_ptr<std::byte, Releaser<&cudaHostUnregister>> memory_;
};

// What a stream captured, ready to run.
class RunnableGraph {
public:
    RunnableGraph() = default;
    // Ends the capture of `stream`.
    static RunnableGraph endCapture(cudaStream_t stream) {
        cudaGraph_t captured = nullptr;
        check(cudaStreamEndCapture(stream, &captured), "capture of a step");
        const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Releaser<&cudaGraphDestroy>> graph(captured);
        cudaGraphExec_t runnable = nullptr;
        check(cudaGraphInstantiate(&runnable, captured, 0), "graph of a step");
        RunnableGraph result;
        result.graph_.reset(runnable);
        return result;
    }
    void launch(cudaStream_t stream) const { check(cudaGraphLaunch(graph_.get(), stream), "step"); }

private:
    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Releaser<&cudaGraphExecDestroy>> graph_;
};

}  // namespace engine::backend::cuda
