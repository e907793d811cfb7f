// The receiver of a task's events: its agent, a file in the run's folder, or the terminal of whoever started the task by hand.
#pragma once

#include <chrono>
#include <optional>

#include "engine/spec/events/exchange_state.h"
#include "engine/spec/events/host_load.h"
#include "engine/spec/events/task_event.h"

namespace agent::worker {

// What a heartbeat says beside itself: of the present alone, and kept in no journal.
struct LiveState {
    std::optional<engine::spec::ExchangeState> exchange{};  // none: the task exchanges nothing with others, or has not begun to
    std::optional<engine::spec::HostLoad> host{};           // none: nothing new, or another task tells of this computer
};

class EventSink {
public:
    virtual ~EventSink() = default;
    // Takes an event, from any thread; never throws. Keeps the order of each thread.
    virtual void send(const engine::spec::TaskEvent& event) = 0;
    // Takes a heartbeat with what goes along with it. A sink that does not show that sends the heartbeat alone.
    virtual void sendLive(const engine::spec::TaskEvent& heartbeat, const LiveState& /*live*/) { send(heartbeat); }
    // True once everything that the calling thread has sent is kept for good; false when it can't be kept now, or nobody says so by the
    // deadline.
    virtual bool confirmKept(std::chrono::milliseconds deadline) = 0;
};

}  // namespace agent::worker
