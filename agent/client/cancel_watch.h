// Ends a call that nobody waits for any more.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <thread>

#include <grpcpp/grpcpp.h>

#include "engine/thread/mutex.h"

namespace agent::client {

// Asks `is_cancelled` some 20 times a second, from a thread that ends with the object, and cancels the call on the first yes. Both
// arguments outlive it; an empty function is never asked.
class CancelWatch {
public:
    CancelWatch(grpc::ClientContext& context, const std::function<bool()>& is_cancelled) {
        if (is_cancelled) {
            thread_ = std::jthread([this, &context, &is_cancelled](const std::stop_token& stop) {
                engine::MutexLock lock(mutex_);
                while (!never_.wait_for(lock, stop, kLook, [&]() TANDEM_REQUIRES(mutex_) { return is_cancelled(); }) &&
                       !stop.stop_requested()) {
                }
                if (!stop.stop_requested()) {
                    was_cancelled_ = true;
                    context.TryCancel();
                }
            });
        }
    }
    bool wasCancelled() const { return was_cancelled_; }

private:
    static constexpr std::chrono::milliseconds kLook{50};

    std::atomic<bool> was_cancelled_ = false;
    engine::Mutex mutex_;
    std::condition_variable_any never_;  // nobody notifies it but the end of the thread
    std::jthread thread_;                // last: it uses the others
};

}  // namespace agent::client
