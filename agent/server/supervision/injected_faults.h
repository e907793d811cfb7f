// The lasting faults in a run's tasks: which there are and until when. This code also brings them about: by signals where the process as a
// whole is meant, and by an order to the task where it is something inside it.
#pragma once

#include <functional>
#include <vector>

#include "agent/server/supervision/supervised_task.h"
#include "engine/chaos/fault.h"

namespace agent::server {

// Owned by its run, from the supervisor's thread.
class InjectedFaults {
public:
    // Lets the fault happen to the task. Throws Error(kFailedPrecondition) for a task that has ended and for a fault that it has already,
    // kUnavailable when the task does not take orders. Nothing was done then.
    void begin(const engine::chaos::Fault& fault, SupervisedTask& task, SteadyTime now);
    // Ends the faults whose time is over and returns them; those of tasks that have ended are forgotten. `find` answers null for a task
    // that is no more.
    std::vector<engine::chaos::Fault> end(const std::function<SupervisedTask*(const engine::spec::TaskId&)>& find, SteadyTime now);
    // Returns when the next fault ends; the end of time when there is none.
    SteadyTime nextEnd() const;

private:
    struct Lasting {
        engine::chaos::Fault fault;
        SteadyTime until;
    };
    std::vector<Lasting> lasting_;
};

}  // namespace agent::server
