// Pushes between a worker and a parameter server that share memory: a queue of requests one way and of replies the other, in the worker's
// segment. The server is woken by a futex, as is the worker: on a machine with fewer cores than tasks nobody may spin.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/parameter_server/push.h"

namespace agent::worker {

// A counter that another process waits for. Lies in shared memory, zeroed at first.
class SharedCounter {
public:
    std::uint32_t load() const { return value_.load(std::memory_order_acquire); }
    // Adds one, and wakes whoever waits.
    void increment();
    // Returns when it differs from `seen`, or at `deadline`; false then.
    bool waitBeyond(std::uint32_t seen, std::chrono::steady_clock::time_point deadline);

private:
    std::atomic<std::uint32_t> value_{0};
    std::atomic<std::uint32_t> sleepers_{0};
};

// The memory of one pair. The worker writes `requests` and `asked`, the server the others; both ends check what they read of the other.
struct alignas(64) PushBox {
    static constexpr std::size_t kPlaces = 64;

    SharedCounter asked;
    alignas(64) SharedCounter answered;
    std::array<engine::parameter_server::PushRequest, kPlaces> requests;
    std::array<engine::parameter_server::PushReply, kPlaces> replies;
};

// The layout of a worker's segment: a box for each server, then its gradients.
inline std::size_t segmentBytes(std::size_t servers, std::size_t region_bytes) {
    return servers * sizeof(PushBox) + region_bytes;
}
inline PushBox& boxOf(std::span<std::byte> segment, std::size_t server) {
    return *reinterpret_cast<PushBox*>(segment.data() + server * sizeof(PushBox));
}
inline std::span<std::byte> gradientsIn(std::span<std::byte> segment, std::size_t servers) {
    return segment.subspan(servers * sizeof(PushBox));
}

}  // namespace agent::worker
