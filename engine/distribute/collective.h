// Sums, copies and meetings between the replicas of one run. Every member calls the same operations in the same order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/distribute/exchange_progress.h"
#include "engine/spec/cluster/reduce_route.h"

namespace engine::distribute {

// Sums between the members' GPUs, put on a stream of the caller's: what a captured graph holds. Owned by its Collective; one compute
// thread. The order of a sum is the library's: the same members, sizes and library give the same bytes, another number of members does not.
class StreamCollective {
public:
    using Stream = void*;  // a cudaStream_t of the device that was current when the collective was made

    virtual ~StreamCollective() = default;

    // In place, `count` floats of device memory. Only enqueues, also while the stream is being captured: each launch of the graph is then
    // one sum. Every member enqueues and launches the same sums in the same order. Throws Error(kUnavailable) when the library refuses.
    virtual void enqueueAllReduceSum(float* data, std::size_t count, Stream stream) = 0;
    virtual void enqueueBroadcast(std::byte* data, std::size_t bytes, int root, Stream stream) = 0;

    // To be called again and again while the host waits for a stream with sums, `since` being when it began to: a member that is lost
    // leaves them waiting for good. Throws Error (kUnavailable naming the member or the library's reason, kDeadlineExceeded) after it has
    // ended every sum under way: streams then run empty, what was summed is worthless, and the collective is broken.
    virtual void check(std::chrono::steady_clock::time_point since) = 0;
};

// Owned by the worker's main; used by one compute thread (start/wait may hand the work to a thread of the collective's own).
// Every operation ends by the deadline given at construction or throws Error: kDeadlineExceeded or kUnavailable, naming the peer task.
// After an Error the collective is broken and every further call throws at once.
// The order of every sum depends on element and rank only: same inputs, same bytes, on every transport.
class Collective {
public:
    virtual ~Collective() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;

    // Memory that reduces without a copy where the transport can (64-byte aligned, zeroed, lives as long as the collective). Called once,
    // before the first operation, with the same size on every member. Data elsewhere is reduced too, through copies.
    virtual std::span<std::byte> allocateRegion(std::size_t bytes) = 0;

    // In place; afterwards every member holds the same bytes.
    virtual void allReduceSum(std::span<float> data) = 0;

    // The same without waiting: `data` must not be touched until wait(ticket) returns. Tickets are started in the same order on every
    // member.
    virtual std::uint64_t startAllReduceSum(std::span<float> data) = 0;
    virtual void wait(std::uint64_t ticket) = 0;
    // The same along a route between the devices of one task. Collectives between tasks have one way, and take it.
    virtual std::uint64_t startReduceSum(std::span<float> data, const spec::ReduceRoute& /*route*/) { return startAllReduceSum(data); }

    virtual void broadcast(std::span<std::byte> data, int root) = 0;
    // `all` is size() * mine.size() bytes, in rank order.
    virtual void allGather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
    virtual void barrier() = 0;

    // Throws what an operation that waits would: when a member is lost, or left a while ago.
    virtual void checkMembers() {}
    // Sums that never touch the host's memory; null where there are none. Lives as long as this.
    virtual StreamCollective* onStreams() { return nullptr; }

    // What tells where this member is; null: nobody asks. Lives as long as this.
    virtual ExchangeProgress* progress() { return nullptr; }

    // "worker 0 <-> worker 1: shared memory", one pair a line: what the run's log says.
    virtual std::string describe() const = 0;
};

}  // namespace engine::distribute
