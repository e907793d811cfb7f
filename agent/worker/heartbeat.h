// A sign of life every second from a thread of its own, whatever training does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <optional>
#include <thread>

#include "agent/worker/task_observer.h"
#include "engine/spec/events/exchange_state.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

// Owned by the task runner; `observer` must outlive it. Ends in its destructor.
class HeartbeatThread {
public:
    // `exchange`: where the task is in its exchange, asked once a beat on the thread; may be empty.
    using AskExchange = std::function<std::optional<engine::spec::ExchangeState>()>;
    explicit HeartbeatThread(TaskObserver& observer, AskExchange exchange = {},
                             std::chrono::milliseconds interval = std::chrono::seconds(1));
    ~HeartbeatThread();

private:
    void run(const std::stop_token& stop);

    TaskObserver& observer_;
    const AskExchange exchange_;
    const std::chrono::milliseconds interval_;
    engine::Mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

// Returns the resident memory of this process, from /proc/self/statm; 0 where it cannot be read.
std::int64_t residentBytes();

}  // namespace agent::worker
