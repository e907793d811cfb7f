// A sign of life every second from a thread of its own, whatever training does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <thread>

#include "agent/worker/sinks/event_sink.h"
#include "agent/worker/task_observer.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

// Owned by the task runner; `observer` must outlive it. Ends in its destructor.
class HeartbeatThread {
public:
    // `live`: what goes along with a beat, asked once for each on the thread; may be empty.
    using AskLive = std::function<LiveState()>;
    explicit HeartbeatThread(TaskObserver& observer, AskLive live = {}, std::chrono::milliseconds interval = std::chrono::seconds(1));
    ~HeartbeatThread();

private:
    void run(const std::stop_token& stop);

    TaskObserver& observer_;
    const AskLive live_;
    const std::chrono::milliseconds interval_;
    engine::Mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

// Returns the resident memory of this process, from /proc/self/statm; 0 where it cannot be read.
std::int64_t residentBytes();

}  // namespace agent::worker
