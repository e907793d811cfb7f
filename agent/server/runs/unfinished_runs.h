// The runs that an agent left unfinished when it was killed, and what its successor does with them.
//
//   every task on other computers   adopted: the parts went on, and are followed from the event after the last one in the journal
//   some or all tasks here          these died with their agent: taken up from the backup, as a further attempt of the same run, where the
//                                   project keeps one, one is there and cluster.max_restarts allows it; parts that go on are ended first
//   any other                       failed: RunBook has done that already
//
// A run that its user was stopping is not taken up; an adopted one is stopped on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <thread>
#include <vector>

#include "agent/server/runs/run_book.h"
#include "agent/server/runs/run_submission.h"
#include "agent/server/supervision/task_supervisor.h"
#include "engine/thread/mutex.h"

namespace agent::server {

// True when another computer's agent follows the run, as a note in its folder says (agent/local/far_run_note.h).
bool isFollowedFarAway(const engine::run::RunInfo& run);

// RunBookOptions::may_go_on of an agent that reaches other computers, or not. Reads the run's folder.
bool mayGoOn(const engine::run::RunInfo& run, bool reaches_hosts);

// Returns the launch that follows the tasks of a run that are all on other computers. Throws Error when its notes or its journal can't be
// read, and as SubmissionContext::parts.
RunLaunch adoptRun(const InterruptedRun& run, const SubmissionContext& context, RunBook& book);
// Prepares a further attempt of a run that can't be adopted. Throws Error as prepareRunOnHosts().
RunLaunch takeUpRun(const InterruptedRun& run, const SubmissionContext& context, RunBook& book);

// Goes on with book.interrupted(), on a thread of its own, for a host may have to be waited for: cluster.start_timeout_s at most.
class UnfinishedRuns {
public:
    // `book` and `supervisor` outlive it.
    UnfinishedRuns(SubmissionContext context, RunBook& book, TaskSupervisor& supervisor, LogSink log);
    // When it ends, the runs that still wait have failed.
    ~UnfinishedRuns();
    UnfinishedRuns(const UnfinishedRuns&) = delete;
    UnfinishedRuns& operator=(const UnfinishedRuns&) = delete;

    // Returns how many runs neither go on nor have failed yet.
    int waiting() const { return waiting_; }

private:
    struct Due {
        InterruptedRun run;
        std::chrono::steady_clock::time_point until;
    };

    void goOn(const std::stop_token& stop);
    bool tryOnce(const Due& due);
    void fail(const InterruptedRun& run, const std::string& why);

    const SubmissionContext context_;
    RunBook& book_;
    TaskSupervisor& supervisor_;
    const LogSink log_;
    std::atomic<int> waiting_ = 0;
    std::vector<Due> due_;  // the thread's
    engine::Mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::server
