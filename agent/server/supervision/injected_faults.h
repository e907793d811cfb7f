// The faults in a run's tasks that last: which there are and until when. What they do to a task is done here too, by signals where the
// process as a whole is meant and by an order to the task where it is something inside it.
#pragma once

#include <functional>
#include <vector>

#include "agent/server/supervision/supervised_task.h"
#include "engine/chaos/fault.h"

namespace agent::server {

// Owned by its run, from the supervisor's thread.
class InjectedFaults {
public:
    // Throws Error(kFailedPrecondition) for a task that has ended and for a fault that it has already, kUnavailable when it does not take
    // orders. Nothing was done then.
    void begin(const engine::chaos::Fault& fault, SupervisedTask& task, SteadyTime now);
    // Ends those whose time is over, and answers them; those of tasks that have ended are forgotten. `find` answers null for a task that is
    // no more.
    std::vector<engine::chaos::Fault> end(const std::function<SupervisedTask*(const engine::spec::TaskId&)>& find, SteadyTime now);
    // When the next one ends; the end of time without any.
    SteadyTime nextEnd() const;

private:
    struct Lasting {
        engine::chaos::Fault fault;
        SteadyTime until;
    };
    std::vector<Lasting> lasting_;
};

}  // namespace agent::server
