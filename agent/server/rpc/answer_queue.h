// Encoded answers between the thread that reads a worker's pipe and the stream that sends them to the caller: bounded, so that a slow
// caller holds the worker back and the agent stays small.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "agent/local/file_descriptor.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::server {

// Open ── finish ─▶ Finished;  Open | Finished ── cancel ─▶ Cancelled. Guarded by mutex_. Safe from any thread.
class AnswerQueue {
public:
    AnswerQueue();
    AnswerQueue(const AnswerQueue&) = delete;
    AnswerQueue& operator=(const AnswerQueue&) = delete;

    // ---- the side that answers
    // Waits while kMostBytes wait to be sent, until the caller takes some or is gone, which it is by its call's deadline at the latest.
    // False: the queue is finished or cancelled, and the answer is dropped.
    bool push(std::string answer);
    // Says that nothing follows: the call ends with `error`, or well without one. Only the first call counts, and a push() that waits gives
    // up.
    void finish(std::optional<engine::Error> error);
    bool isCancelled() const;
    // Readable once the queue is cancelled; valid while it lives.
    int cancelDescriptor() const { return cancelled_.get(); }

    // ---- the side that listens
    struct Next {
        std::optional<std::string> answer;  // encoded; nullopt: nothing yet, or the end
        bool is_end = false;
    };
    // Throws the error that the queue was finished with, once everything before it was taken.
    Next next();
    // `waker` is called, from any thread, when next() has news; an empty one ends that. No call goes on once it returns.
    void setWaker(std::function<void()> waker);
    void cancel();

private:
    static constexpr std::size_t kMostBytes = 4u << 20;
    enum class State { kOpen, kFinished, kCancelled };
    void wake();

    const convert::FileDescriptor cancelled_;  // eventfd
    mutable engine::Mutex mutex_;
    std::condition_variable_any room_;
    State state_ TANDEM_GUARDED_BY(mutex_) = State::kOpen;
    std::deque<std::string> answers_ TANDEM_GUARDED_BY(mutex_);
    std::size_t bytes_ TANDEM_GUARDED_BY(mutex_) = 0;  // of answers_
    std::optional<engine::Error> error_ TANDEM_GUARDED_BY(mutex_);
    engine::Mutex waker_mutex_;
    std::function<void()> waker_ TANDEM_GUARDED_BY(waker_mutex_);  // which is taken without mutex_
};

}  // namespace agent::server
