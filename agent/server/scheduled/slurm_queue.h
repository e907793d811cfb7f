// Slurm's jobs, asked of slurmctld by a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "agent/server/scheduled/job_queue.h"
#include "agent/server/scheduled/slurm.h"
#include "engine/thread/mutex.h"

namespace agent::server {

struct SlurmQueueOptions {
    std::chrono::milliseconds interval{2000};    // between two questions about a job
    std::chrono::milliseconds forgotten{30000};  // nobody looked at it for so long: it is not asked about
    std::chrono::milliseconds answer{15000};     // of one of Slurm's programs
    // Runs one of them; tests give their own.
    std::function<convert::ProgramEnd(const std::vector<std::string>&, std::chrono::milliseconds)> run =
        [](const std::vector<std::string>& words, std::chrono::milliseconds time) { return convert::runProgram(words, time); };
};

class SlurmQueue final : public JobQueue {
public:
    explicit SlurmQueue(SlurmQueueOptions options = {});
    ~SlurmQueue() override;

    JobReport look(const convert::SchedulerJob& job) override;
    void cancel(const convert::SchedulerJob& job) override;
    // Hands a script, by its absolute path, to sbatch and answers the job's number. Where sbatch does not answer in time, the queue is
    // asked whether it has the script all the same. Throws Error: kNotFound without Slurm's programs on this computer, kFailedPrecondition
    // with Slurm's reason, kUnavailable when it does not answer.
    std::string submit(const std::string& script);

private:
    using SteadyTime = std::chrono::steady_clock::time_point;
    struct Entry {
        JobReport report;
        SteadyTime looked_at, ask_at;
        bool seems_ended = false;  // said once: a job that is queued again is ended for a moment
    };
    void loop(const std::stop_token& stop);
    JobReport ask(const std::string& id) const;
    convert::ProgramEnd call(const std::vector<std::string>& words) const;

    const SlurmQueueOptions options_;
    engine::Mutex mutex_;
    std::condition_variable_any wake_;
    std::map<std::string, Entry> jobs_ TANDEM_GUARDED_BY(mutex_);  // by the job's number
    std::jthread thread_;                                          // last: it uses the others
};

}  // namespace agent::server
