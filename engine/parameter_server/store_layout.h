// How a parameter server's memory is laid out, so that a worker on the same machine finds variables, versions and steps in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/parameter_server/push.h"
#include "engine/plan/strategies/parameter_server.h"

namespace engine::parameter_server {

// The state at the start of the memory. The server writes, workers read.
struct alignas(64) StoreState {
    // Which values the variables hold: 0 before somebody gave them some, another number after each time that somebody did. A push that was
    // computed from other values is void.
    std::atomic<std::uint64_t> generation{0};
    std::atomic<std::int64_t> global_step{0};     // of server 0: steps of all workers that were applied
    std::atomic<std::uint32_t> is_over{0};        // a worker has said that the run has all its steps: the others end, too
    std::atomic<std::uint32_t> chief_is_here{0};  // the task that gives the values, and begins epochs where it coordinates, is connected
    // How many pushes were applied, counted by bucket, and of how many updates they did not know, in all and at most.
    std::atomic<std::int64_t> pushes{0}, staleness_sum{0}, largest_staleness{0};
    // On server 0: the learning rate that a coordinator has set, and how often it has set one; workers take it when the number changes.
    std::atomic<float> learning_rate{0};
    std::atomic<std::uint32_t> rate_changes{0};
    std::atomic<std::int64_t> open_epochs{0};  // of server 0: how many epochs a coordinator has begun; workers wait for theirs
    std::atomic<std::int64_t> first_epoch{0}, first_step{0};  // EpochOrigin of the values that were given last
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a worker's process reads them, too");

// Offsets in bytes from the start of the memory, each a multiple of 64. Both sides compute it from the same plans.
struct StoreLayout {
    std::size_t versions = 0;   // std::atomic<std::int64_t> for each bucket of the worker's plan: updates so far
    std::size_t variables = 0;  // as plan::layoutVariables() has them
    std::size_t pulled = 0;     // bytes of parameters and states, which come first
    std::size_t bytes = 0;      // of all
};
// `server_plan` is any of the server's.
StoreLayout storeLayout(const plan::Plan& server_plan, std::size_t buckets);

// Copies the ranges of the variables to their places in `values`, and versions, out of a store's memory or a mapping of it, beside updates
// that go on. Returns the generation.
std::uint64_t copyOut(std::span<const std::byte> memory, const StoreLayout& layout, std::span<const ByteRange> ranges,
                      std::span<std::byte> values, std::span<std::int64_t> versions);

}  // namespace engine::parameter_server
