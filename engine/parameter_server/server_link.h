// One parameter server as a worker sees it: in the same process, over shared memory, or over gRPC.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/parameter_server/parameter_store.h"
#include "engine/parameter_server/push.h"

namespace engine::parameter_server {

// Owned by the client's maker; one thread at a time. Every call ends by `deadline`, where it has one, or by one of its own, and throws
// Error: kUnavailable or kDeadlineExceeded naming the server. A link that threw is lost: its maker makes another.
class ServerLink {
public:
    virtual ~ServerLink() = default;

    // What the server holds: 0 while nobody has given it anything, and the number of applied steps (of server 0).
    struct State {
        std::uint64_t generation = 0;
        std::int64_t global_step = 0;
        bool is_over = false;        // a worker has said that the run has all its steps
        bool chief_is_here = false;  // the chief is connected to the server
        std::int64_t pushes = 0, staleness_sum = 0, largest_staleness = 0;
        std::uint32_t rate_changes = 0;  // how often a coordinator has set the learning rate, and what to
        float learning_rate = 0;
        std::int64_t open_epochs = 0;  // that a coordinator has begun
        EpochOrigin origin{};          // of the values
    };
    static State stateIn(const StoreState& state) {
        return {.generation = state.generation.load(std::memory_order_acquire),
                .global_step = state.global_step.load(std::memory_order_acquire),
                .is_over = state.is_over.load(std::memory_order_acquire) != 0,
                .chief_is_here = state.chief_is_here.load(std::memory_order_acquire) != 0,
                .pushes = state.pushes.load(std::memory_order_relaxed),
                .staleness_sum = state.staleness_sum.load(std::memory_order_relaxed),
                .largest_staleness = state.largest_staleness.load(std::memory_order_relaxed),
                .rate_changes = state.rate_changes.load(std::memory_order_acquire),
                .learning_rate = state.learning_rate.load(std::memory_order_relaxed),
                .open_epochs = state.open_epochs.load(std::memory_order_acquire),
                .origin = {.epoch = state.first_epoch.load(std::memory_order_relaxed),
                           .step = state.first_step.load(std::memory_order_relaxed)}};
    }
    virtual State state() = 0;
    virtual void give(const GivenValues& values) = 0;

    // Server 0, where strategy.max_staleness bounds it: waits until this worker may begin a step.
    virtual void begin(std::chrono::steady_clock::time_point deadline) = 0;
    // Copies the `ranges` of parameters and states (StoreLayout::pulled bytes in all) to their places in `values`, and the buckets'
    // versions; returns the state as they were copied, generation and end at least. No range is empty, and none overlaps another one.
    virtual State pull(std::span<const ByteRange> ranges, std::span<std::byte> values, std::span<std::int64_t> versions) = 0;
    // The gradients lie in the worker's region; `ranges`, which the call alone needs, says where. Answers come in the order of the pushes.
    virtual void startPush(const PushRequest& request, const PushedRanges& ranges) = 0;
    virtual PushReply awaitPush() = 0;
    // Everything, slots too, as GivenValues::variables has it.
    virtual void read(std::span<std::byte> variables) = 0;

    // This call and those below are for runs in which a chief coordinates workers; all go to server 0. Tells what this worker's steps of an
    // epoch have added up to so far: sums that are told again replace those of before.
    virtual void tellEpoch(const EpochSums& sums) = 0;
    // What all workers have told of the epoch.
    virtual EpochSums epochSums(std::int64_t epoch) = 0;
    // The rate that workers take from their next step on.
    virtual void setLearningRate(float rate) = 0;
    // Workers may begin the first `epochs` epochs.
    virtual void openEpochs(std::int64_t epochs) = 0;

    // "shared memory", "gRPC", "loopback".
    virtual std::string way() const = 0;
};

}  // namespace engine::parameter_server
