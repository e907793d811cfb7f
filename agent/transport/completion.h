// What a gRPC completion queue hands back.
#pragma once

#include <grpcpp/completion_queue.h>

#include <chrono>
#include <functional>

namespace agent::worker {

// The tag of one operation; lives until its completion was handled. `ok` is gRPC's: for a read, false means that the stream ended.
struct Completion {
    std::function<void(bool ok)> done;
};

inline void complete(void* tag, bool ok) {
    static_cast<Completion*>(tag)->done(ok);
}

// Handles the next one; false: none came within `may_block`. Zero never sleeps: a deadline of now would be rounded up to a millisecond, in
// which no other thread of the process could read a socket.
inline bool handleOne(grpc::CompletionQueue& queue, std::chrono::microseconds may_block) {
    const gpr_timespec deadline = may_block.count() <= 0
                                      ? gpr_inf_past(GPR_CLOCK_MONOTONIC)
                                      : gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_micros(may_block.count(), GPR_TIMESPAN));
    void* tag = nullptr;
    bool ok = false;
    if (queue.AsyncNext(&tag, &ok, deadline) != grpc::CompletionQueue::GOT_EVENT) return false;
    complete(tag, ok);
    return true;
}

// Handles what is there, after the same wait for the first, and comes back however much more arrives: whoever calls has other duties.
inline void handleMany(grpc::CompletionQueue& queue, std::chrono::microseconds may_block) {
    constexpr int kAtOnce = 128;
    for (int i = 0; i < kAtOnce && handleOne(queue, i == 0 ? may_block : std::chrono::microseconds(0)); ++i) {
    }
}

}  // namespace agent::worker
