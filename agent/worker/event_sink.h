// Where a task's events go: to its agent, or onto the terminal of whoever started it by hand.
#pragma once

#include "engine/spec/task_event.h"

namespace agent::worker {

class EventSink {
public:
    virtual ~EventSink() = default;
    // From any thread; never throws. Keeps the order of each thread.
    virtual void send(const engine::spec::TaskEvent& event) = 0;
};

}  // namespace agent::worker
