#include "agent/server/scheduled/slurm_queue.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/spec/error.h"

namespace agent::server {

using engine::Error;
using engine::ErrorCode;
using Stage = JobReport::Stage;

SlurmQueue::SlurmQueue(SlurmQueueOptions options)
    : options_(std::move(options)), thread_([this](const std::stop_token& stop) { loop(stop); }) {}

SlurmQueue::~SlurmQueue() {
    thread_.request_stop();
    thread_.join();
}

JobReport SlurmQueue::look(const convert::SchedulerJob& job) {
    const engine::MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const auto [entry, is_new] = jobs_.try_emplace(job.job);
    entry->second.looked_at = now;
    if (is_new) {
        entry->second.ask_at = now;
        wake_.notify_all();
    }
    return entry->second.report;
}

// Slurm's programs are asked without the lock: one may take long.
void SlurmQueue::loop(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::string id;
        {
            engine::MutexLock lock(mutex_);
            const auto now = std::chrono::steady_clock::now();
            std::erase_if(jobs_, [&](const auto& one) { return now - one.second.looked_at > options_.forgotten; });
            const auto next = std::min_element(jobs_.begin(), jobs_.end(),
                                               [](const auto& a, const auto& b) { return a.second.ask_at < b.second.ask_at; });
            if (next == jobs_.end()) {
                wake_.wait(lock, stop, [this]() TANDEM_REQUIRES(mutex_) { return !jobs_.empty(); });
                continue;
            }
            if (next->second.ask_at > now) {
                const auto until = next->second.ask_at;
                wake_.wait_until(lock, stop, until, [&]() TANDEM_REQUIRES(mutex_) {
                    return std::any_of(jobs_.begin(), jobs_.end(), [&](const auto& one) { return one.second.ask_at < until; });
                });
                continue;
            }
            id = next->first;
        }
        JobReport report = ask(id);
        const engine::MutexLock lock(mutex_);
        const auto entry = jobs_.find(id);
        if (entry == jobs_.end()) continue;
        entry->second.ask_at = std::chrono::steady_clock::now() + options_.interval;
        const bool seemed = std::exchange(entry->second.seems_ended, report.stage == Stage::kEnded);
        if (report.stage != Stage::kEnded || seemed) entry->second.report = std::move(report);
    }
}

convert::ProgramEnd SlurmQueue::call(const std::vector<std::string>& words) const {
    try {
        return options_.run(words, options_.answer);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kNotFound) throw;
        throw Error(ErrorCode::kNotFound,
                    words.front() + ": expected Slurm's program on the PATH that this computer's agent was started with, found none");
    }
}

JobReport SlurmQueue::ask(const std::string& id) const {
    try {
        const convert::ProgramEnd shown = call({"scontrol", "--oneliner", "show", "job", id});
        std::string queue;
        if (const std::string partition = waitingPartition(shown); !partition.empty()) {
            queue = call({"squeue", "--noheader", "--array", "--states=PENDING", "--partition=" + partition, "--sort=-p,i", "--format=%i"})
                        .output;
        }
        return jobReport(id, shown, queue);
    } catch (const Error& error) {
        return {.stage = Stage::kUnanswered, .text = std::string("Slurm does not answer: ") + error.what()};
    }
}

void SlurmQueue::cancel(const convert::SchedulerJob& job) {
    const convert::ProgramEnd end = call({"scancel", job.job});
    const bool is_gone = isOfNoSuchJob(end);
    if (end.exit_code != 0 && !is_gone) {
        throw Error(ErrorCode::kFailedPrecondition, "Slurm did not cancel job " + job.job + ": " + slurmReason(end.errors));
    }
    {
        const engine::MutexLock lock(mutex_);
        if (const auto entry = jobs_.find(job.job); entry != jobs_.end()) {
            entry->second.ask_at = {};
            wake_.notify_all();
        }
    }
    if (is_gone) throw Error(ErrorCode::kFailedPrecondition, "job " + job.job + " is gone from Slurm, so nothing is left to cancel");
}

std::string SlurmQueue::submit(const std::string& script) {
    try {
        return submittedJob(call({"sbatch", "--parsable", script}));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kDeadlineExceeded) throw;
    }
    // It was ended as its time was over, and Slurm may have the job by then.
    try {
        const convert::ProgramEnd queue = call({"squeue", "--me", "--noheader", "--states=PENDING,CONFIGURING,RUNNING", "--format=%F %o"});
        if (const std::string job = jobOfScript(queue.output, script); queue.exit_code == 0 && !job.empty()) return job;
        if (queue.exit_code == 0)
            throw Error(ErrorCode::kUnavailable, "Slurm does not answer: sbatch took too long, and no job of it is in the queue");
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kDeadlineExceeded) throw;
    }
    throw Error(ErrorCode::kUnavailable, "Slurm does not answer, so nobody knows whether it took the job; squeue --me will say");
}

}  // namespace agent::server
