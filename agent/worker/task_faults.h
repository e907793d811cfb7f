// What a user lets go wrong inside a task (engine/chaos/fault.h): handed on to what carries its messages, writes its files and tells its
// events.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/transport/link_faults.h"
#include "agent/worker/file_limit.h"
#include "engine/chaos/fault.h"
#include "engine/spec/events/task_event.h"

namespace agent::worker {

// Owned by the task. Safe from any thread.
class TaskFaults {
public:
    // `members`: who sums with each other, by rank.
    explicit TaskFaults(std::vector<engine::spec::TaskId> members)
        : members_(std::move(members)), links_(static_cast<int>(members_.size())) {}

    struct Effects {
        // The task's clock is so much ahead for so long.
        std::function<void(std::chrono::milliseconds by, std::chrono::milliseconds lasting)> skew;
        std::function<void(const engine::spec::LogLine& line)> log;
    };
    // Lets a fault happen. For a fault that can't be done here, `effects.log` gets a line that says so.
    void take(const engine::chaos::Fault& fault, const Effects& effects);

    LinkFaults& links() { return links_; }

private:
    const std::vector<engine::spec::TaskId> members_;
    LinkFaults links_;
    FileLimit files_;
};

}  // namespace agent::worker
