// Functions on their way from a coordinator's program to its workers. This queue does not know how they travel.
//
//   push() -> waiting -> take() -> under way -> done() | failed()
//                ▲                     │
//                └────── lost() ◀──────┘     the worker is gone: another one, or that one again, runs it
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "agent/transport/function_values.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::distributed {

// Owned by the coordinator. Thread-safe: the program pushes and waits, a thread for each worker takes. A function that fails ends those
// that wait; its error is kept for the next push(), wait() or isDone(), which throws it once, and then the queue is as new. Whoever takes
// bounds every wait: a function ends by its deadline, a worker that stays away is given up.
class FunctionQueue {
public:
    struct Result;  // of one function; the queue's mutex guards it
    struct Call {
        std::string function;
        worker::FunctionValues arguments;
        std::shared_ptr<Result> result;
        int losses = 0;  // workers that were lost with it
    };

    static constexpr int kMostLosses = 10;  // of one function: more than that is its own fault

    // At most `limit` functions wait at a time; `workers` is how many may take functions at first.
    FunctionQueue(std::size_t limit, int workers);
    ~FunctionQueue();

    // Waits for room. Throws the kept error; Error(kUnavailable) when no worker is left.
    std::shared_ptr<Result> push(std::string function, worker::FunctionValues arguments);
    // Waits until no function waits or is under way. Throws the kept error.
    void wait();
    bool isDone();
    // Waits for the result. Throws the function's own error; Error(kCancelled) when an earlier one's ended it.
    worker::FunctionValues fetch(const Result& result);

    // Returns the function that has waited longest; nullopt when there was none within `may_wait`.
    std::optional<Call> take(std::chrono::milliseconds may_wait);
    void done(const Call& call, worker::FunctionValues values);
    void failed(const Call& call, const engine::Error& error);
    // Puts a function whose worker was lost back to the front of those that wait. A function that was lost too often has failed.
    void lost(Call call, const engine::Error& why);

    // A worker is given up; when it was the last one, every function fails with `why`. It may come back.
    void giveUpWorker(const engine::Error& why);
    void takeBackWorker();
    // Keeps an error that is not a single function's: another program on a worker, the end of the coordinator. Drops the functions that
    // wait.
    void fail(const engine::Error& error);

private:
    void failAll(const engine::Error& error) TANDEM_REQUIRES(mutex_);
    void throwKept() TANDEM_REQUIRES(mutex_);
    bool isEmpty() const TANDEM_REQUIRES(mutex_) { return waiting_.empty() && under_way_ == 0; }

    const std::size_t limit_;
    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Call> waiting_ TANDEM_GUARDED_BY(mutex_);
    std::size_t under_way_ TANDEM_GUARDED_BY(mutex_) = 0;
    int workers_ TANDEM_GUARDED_BY(mutex_);  // not given up
    std::optional<engine::Error> no_worker_ TANDEM_GUARDED_BY(mutex_);
    std::optional<engine::Error> kept_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::distributed
