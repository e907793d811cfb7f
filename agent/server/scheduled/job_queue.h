// What a scheduler says of the jobs whose runs are followed here: the header to read first of the folder.
#pragma once

#include <string>

#include "agent/local/scheduler_job.h"

namespace agent::server {

struct JobReport {
    enum class Stage {
        kUnanswered,  // the scheduler has not been asked yet, or does not answer
        kQueued,      // waits, for the first time or after a node was lost
        kRunning,
        kEnded,
    };
    Stage stage = Stage::kUnanswered;
    std::string text{};                               // "job 12 waits in Slurm's queue: Priority, place 3 of 5"; empty: nothing to say
    bool is_cancelled = false, is_completed = false;  // of kEnded
    friend bool operator==(const JobReport&, const JobReport&) = default;
};

// Safe from any thread.
class JobQueue {
public:
    virtual ~JobQueue() = default;
    // The newest that is known, without waiting: the scheduler is asked again every few seconds while somebody looks.
    virtual JobReport look(const convert::SchedulerJob& job) = 0;
    // Waits for the scheduler's answer, some seconds at most. Throws Error with what the scheduler says.
    virtual void cancel(const convert::SchedulerJob& job) = 0;
};

}  // namespace agent::server
