// Brings another thread's news to the thread that handles a gRPC completion queue.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/completion_queue.h>

#include <atomic>
#include <functional>
#include <utility>

#include "agent/transport/completion.h"

namespace agent::worker {

// The queue must have been shut down and emptied before the waker goes: an alarm that is set holds a pointer into it.
class QueueWaker {
public:
    // Called before the first wake(). `woken` runs where the queue's completions are handled.
    void start(grpc::CompletionQueue& queue, std::function<void()> woken) {
        queue_ = &queue;
        woken_.done = [this, woken = std::move(woken)](bool) {
            is_set_ = false;
            woken();
        };
    }

    // Any thread. Calls before `woken` has begun are one.
    void wake() {
        if (!is_set_.exchange(true)) alarm_.Set(queue_, gpr_now(GPR_CLOCK_MONOTONIC), &woken_);
    }

private:
    grpc::CompletionQueue* queue_ = nullptr;
    std::atomic<bool> is_set_{false};
    grpc::Alarm alarm_;
    Completion woken_;
};

}  // namespace agent::worker
