// A run that is watched and not governed: whatever it is read from.
#pragma once

#include <chrono>
#include <optional>

#include "agent/local/scheduler_job.h"
#include "engine/event_files/event_folder.h"
#include "engine/run/run_info.h"
#include "engine/spec/events/task_event.h"

namespace agent::server {

// Used by the follower's thread alone, or under its mutex.
class Followed {
public:
    using SteadyTime = std::chrono::steady_clock::time_point;

    virtual ~Followed() = default;

    virtual const engine::run::RunInfo& record() const = 0;
    // True when the run tells nothing any more, until more comes.
    virtual bool isOver() const = 0;
    // True when there is nothing to follow any more.
    virtual bool isGone() const = 0;
    // True when the run is over, and nothing is looked for any more.
    virtual bool isDoneForGood() const { return false; }
    // True when the run is over, and whoever follows its folder begins another one.
    virtual bool isOfAnEarlierJob() const { return false; }
    // Returns the event files that a run is read from; null for a run that is not read from event files.
    virtual const engine::event_files::EventFolder* eventFiles() const { return nullptr; }
    // True when there is more to read at once.
    virtual bool hasMore() const { return false; }

    // Reads what is new, publishes it and judges.
    virtual void step(SteadyTime now) = 0;
    // Passes the control on to whoever governs the run, or returns the job that is to be cancelled in its place. Throws
    // Error(kFailedPrecondition) where that is not possible.
    virtual std::optional<convert::SchedulerJob> control(const engine::spec::Control& control) const = 0;
};

}  // namespace agent::server
