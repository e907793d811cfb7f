// The state that the emulator's devices, memory and streams have in common.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

namespace cuda_emulator {

inline constexpr std::size_t kAddresses = std::size_t{64} << 30;  // reserved, never used up
inline constexpr std::size_t kAlignment = 256, kPage = 4096;
inline constexpr std::size_t kSharedLimit = 227 << 10, kSharedWithoutAsking = 48 << 10;

using Work = std::function<cudaError_t()>;

struct Graph {
    std::vector<Work> work;  // in the order of the calls, which is one of those that the dependencies allow
};
struct Capture {
    Graph graph;
    Stream* origin = nullptr;
    std::thread::id thread{};  // that began it; any: cudaStreamCaptureModeGlobal
    int open = 0;              // other streams that have joined, whose work nobody has waited for
    bool broken = false;
};
struct Stream {
    std::deque<Work> queue;
    std::uint64_t issued = 0, done = 0;
    std::shared_ptr<Capture> capture;
    bool joined_back = true;  // of a stream that a capture has reached through an event
};
struct Event {
    Stream* stream = nullptr;
    std::uint64_t ticket = 0;
    std::shared_ptr<Capture> capture;
    Stream* captured_on = nullptr;
    std::chrono::steady_clock::time_point time;
};

struct Allocation {
    std::size_t bytes = 0;
    int device = 0;
};

struct State {
    std::recursive_mutex mutex;
    bool lazy = false;
    int devices = 1;
    std::size_t capacity = std::size_t{1} << 30;
    int fail_in = 0;
    std::uint64_t launches = 0, waits = 0;
    std::byte* base = nullptr;
    std::size_t used_to = 0;                        // of the reserved addresses
    std::map<std::size_t, Allocation> allocations;  // by offset
    std::map<std::size_t, std::size_t> holes;
    std::map<std::byte*, std::size_t> pinned, registered;
    int open = 0;  // pieces of work that run: device memory is within reach
    std::vector<std::unique_ptr<Stream>> streams;
    Stream null_stream;
    std::map<const void*, std::size_t> shared_limits;
    cudaError_t sticky = cudaSuccess;

    State();
    std::size_t allocated(int device) const;
    bool owns(const void* memory) const { return memory >= base && memory < base + kAddresses; }
    bool isPinned(const void* memory, std::size_t bytes) const;
};
State& state();
using Lock = std::lock_guard<std::recursive_mutex>;
extern thread_local int chosen_device;
extern thread_local cudaError_t last_error;

cudaError_t failed(cudaError_t error);  // remembers it; returns it
void protect(int how);                  // device memory, as mprotect() says it
// Device memory is within reach as long as one exists.
class Reach {
public:
    Reach();
    ~Reach();
    Reach(const Reach&) = delete;
    Reach& operator=(const Reach&) = delete;
};

Stream& streamOf(cudaStream_t stream);
// Runs what was put on the stream up to that number.
cudaError_t drain(Stream& stream, std::uint64_t to);
cudaError_t drainAll();
// Puts work on a stream, or into the graph that it captures.
cudaError_t issue(cudaStream_t to, Work work);
// Waiting is no part of a graph: a thread that waits breaks its captures.
cudaError_t refuseWhileCapturing();

}  // namespace cuda_emulator
