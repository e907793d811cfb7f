// Runs every task of this host. One thread for its whole life starts the processes (their death signal is tied to it), polls their pidfds
// and reads their pipes.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "agent/server/runs/own_time.h"
#include "agent/server/supervision/supervised_run.h"
#include "engine/thread/mutex.h"

namespace agent::server {

// Safe from any thread. `launcher` and `book` outlive it.
class TaskSupervisor {
public:
    TaskSupervisor(const SupervisorOptions& options, ProcessLauncher& launcher, RunBook& book, LogSink log);
    ~TaskSupervisor();  // shuts down
    TaskSupervisor(const TaskSupervisor&) = delete;
    TaskSupervisor& operator=(const TaskSupervisor&) = delete;

    // Stops every run and waits until its tasks have ended, SupervisorOptions::kill_after at the most and a little.
    void shutDown();

    // Returns at once; what goes wrong is told in the run's log and record. Requires book.open() of the run.
    // Throws Error(kUnavailable) after shutDown().
    void start(RunLaunch launch);
    // Throws Error(kNotFound) for a run that is not live, kDeadlineExceeded, and as SupervisedRun::control.
    void control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds deadline);
    // Throws Error(kNotFound) for a run that is not live, kDeadlineExceeded, and as SupervisedRun::inject.
    void inject(const std::string& run_id, const engine::chaos::Fault& fault, std::chrono::milliseconds deadline);
    // The home of that run, a part of which is here, is there. Returns at once; nothing happens for a run that is not live.
    void hearHome(const std::string& run_id);
    int activeRuns() const { return active_runs_; }
    // Returns the live tasks of all runs, in their order; empty when the supervisor has not answered by the deadline.
    std::vector<load::LiveTask> liveTasks(std::chrono::milliseconds deadline);

private:
    using Command = std::function<void(SteadyTime now)>;

    void post(Command command);
    // Lets the supervisor's thread do it to a live run, and waits for that.
    void askRun(const std::string& run_id, std::function<void(SupervisedRun& run, SteadyTime now)> asked,
                std::chrono::milliseconds deadline);
    void wake() const;
    void loop(const std::stop_token& stop);
    void runCommands();
    // Returns the time that this turn is judged by.
    SteadyTime pollOnce(bool more);
    bool stepRuns(const std::vector<pollfd>& descriptors, SteadyTime now);
    SteadyTime ownNow() const;
    void dropFinished();

    const SupervisorOptions options_;
    ProcessLauncher& launcher_;
    RunBook& book_;
    const LogSink log_;
    const convert::FileDescriptor wake_;  // eventfd
    std::atomic<int> active_runs_ = 0;
    std::atomic<bool> ending_ = false;
    engine::Mutex mutex_;
    std::vector<Command> commands_ TANDEM_GUARDED_BY(mutex_);
    OwnTime own_time_;  // the thread's alone, as the two below
    std::vector<std::unique_ptr<SupervisedRun>> runs_;
    std::vector<pollfd> descriptors_;
    std::jthread thread_;  // last: joined before anything it uses goes
};

}  // namespace agent::server
