// One run in progress: its tasks, what is asked of it, and how it ends. Used by the supervisor's thread alone.
//
//            chief trains        chief pauses / goes on
//   Starting ────────────▶ Training ◀───────────────▶ Paused
//      └───────────┬───────────┴─────────────────────────┘
//                  ├── every task ended well ──────────────────▶ Done
//                  ├── stop asked, every task ended ───────────▶ Stopped
//                  ├── a task was lost (killed, silent) and may be
//                  │   started again: the others are stopped; when
//                  │   all have ended, a pause, then all start,
//                  │   or those alone that were not lost ────────▶ Starting, the next attempt
//                  └── a task ended otherwise, was lost or
//                      could not start: the others are stopped ▶ Failed
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <poll.h>

#include "agent/load/live_task.h"
#include "agent/local/secret.h"
#include "agent/server/runs/run_book.h"
#include "agent/server/runs/run_continuation.h"
#include "agent/server/supervision/home_watch.h"
#include "agent/server/supervision/injected_faults.h"
#include "agent/server/supervision/supervised_task.h"
#include "agent/server/supervision/task_starter.h"
#include "engine/chaos/journal_line.h"

namespace agent::server {

struct SupervisorOptions {
    std::chrono::milliseconds heartbeat_lost{4000};              // silent for so long, or for half of what is fatal: named in an event
    std::optional<std::chrono::milliseconds> heartbeat_fatal{};  // silent for so long: lost; in place of what each run says
    std::chrono::milliseconds first_word{static_cast<int>(engine::spec::kFirstWordSeconds * 1000)};  // before a task has said anything
    std::chrono::milliseconds graceful_stop{30000};                                                  // then SIGTERM
    std::chrono::milliseconds stop_while_starting{5000};  // the same before training began, or where a host can't be asked
    std::chrono::milliseconds kill_after{2000};           // SIGTERM, then SIGKILL
    std::chrono::milliseconds stream_grace{2000};         // from the end of a task's events to its own end
    std::chrono::milliseconds save_again{250};            // between two tries to write events that a full disk did not take
    std::chrono::milliseconds restart_pause{500};         // before the second attempt; twice as long before each further one
    std::chrono::milliseconds longest_pause{30000};       // at most so long
    std::chrono::milliseconds port_patience{10000};       // for a port that an earlier attempt had and somebody holds now
};

// The rules for starting a run's tasks again when one of them is lost.
struct RestartPolicy {
    int most = 0;                                     // restarts, in all
    std::function<bool()> has_backup;                 // to go on from; may throw engine::Error
    std::shared_ptr<RunContinuation> without_lost{};  // null: all are started again, those that were lost, too
};

// The knowledge of a home that was killed and started again about a run whose tasks went on meanwhile on other computers.
struct Adoption {
    std::vector<engine::spec::TaskEvent> recalled;  // of this attempt, from the journal: what the tasks' standing follows from
    bool stop_asked = false;                        // by its user, before
};

struct RunLaunch {
    engine::run::RunInfo record;
    std::shared_ptr<EventLog> log;
    std::vector<TaskLaunch> tasks;
    RestartPolicy restarts{};
    std::chrono::milliseconds heartbeat_fatal{10000};  // cluster.heartbeat_fatal_s
    // Workers and servers that do not wait for each other: one that is lost is started again while the others go on, and each is told of
    // controls.
    bool tasks_are_independent = false;
    // The secret that the run's tasks prove to each other; empty: one of this run alone is made when they are started.
    std::optional<convert::Secret> secret{};
    // The event that is told before the tasks start when a run that was over goes on; empty for a new run.
    std::optional<engine::spec::AttemptStarted> attempt{};
    // Some of its tasks are on other computers (TaskLaunch::part).
    bool across_hosts = false;
    // The tasks of this computer in a run whose home is another one: home decides what follows from the end of one.
    bool is_part = false;
    std::chrono::milliseconds home_lost{0};  // of a part: cluster.home_lost_s
    // Its tasks run already: their processes stand for what goes on elsewhere.
    std::optional<Adoption> adoption{};
};

class SupervisedRun {
public:
    SupervisedRun(RunLaunch launch, const SupervisorOptions& options, RunBook& book, LogSink log);

    const std::string& id() const { return record_.id; }
    // Starts every task; `launcher` outlives the run. A task that can't be started fails the run.
    void start(ProcessLauncher& launcher, SteadyTime now);

    static constexpr std::size_t kDescriptorsPerTask = 4;
    // Appends kDescriptorsPerTask entries for each task, to be handed to step() after poll().
    void addDescriptors(std::vector<pollfd>& descriptors) const;
    // Reads what is ready, notices ends and silences, keeps deadlines, publishes. True when more can be read at once.
    bool step(std::span<const pollfd> descriptors, SteadyTime now);
    // Returns when step() has something to do even if nothing arrives.
    SteadyTime nextDeadline(SteadyTime now) const;
    std::size_t taskCount() const { return tasks_.size(); }
    // Appends the tasks whose process has not ended.
    void addLiveTasks(std::vector<load::LiveTask>& tasks, SteadyTime now) const;

    // Throws Error(kFailedPrecondition) when the run is ending, kUnavailable when its chief does not answer.
    void control(const engine::spec::Control& control, SteadyTime now);
    // Lets a fault happen to one task. Throws Error(kNotFound) for a task that the run does not have, kFailedPrecondition when the run or
    // the task can't have the fault, kUnavailable when it can't now, since the task is about to start or its computer is out of reach, and
    // as InjectedFaults::begin(). The journal then has a line of the fault; for a task on another computer its agent writes that line.
    void inject(const engine::chaos::Fault& fault, SteadyTime now);
    // The run's home is there, and follows this part of it.
    void hearHome(SteadyTime now) { home_.hear(now); }
    // The agent ends: every task is stopped at once.
    void shutDown(SteadyTime now);
    // Every task has ended, the record is final and the log is closed.
    bool finished() const { return finished_; }

private:
    struct Failure {
        engine::spec::TaskId task;
        std::string reason;
        std::int64_t time_unix_ns = 0;
        bool certain = false;        // killed or not even started: no consequence of another's failure
        bool lost = false;           // nothing says that it would end so again
        bool missed_a_peer = false;  // it ended by itself, since another task could no longer be reached
    };

    void take(ToldEvent told, const engine::spec::TaskEvent* event);
    void note(const engine::spec::TaskEvent& event);
    void adopt(SteadyTime now);
    void noteStop();
    void add(const engine::spec::TaskId& task, engine::spec::EventBody body);
    void addAttempt(const engine::spec::TaskId& task, engine::spec::AttemptStarted attempt);
    void changeState(engine::run::RunState state);
    void writeRecord();
    void noteEnd(SupervisedTask& task, SteadyTime now);
    std::string failureReason(const SupervisedTask& task) const;
    bool endedWell(const SupervisedTask& task) const;
    bool chiefIsDone();
    const Failure& rootCause() const;
    void launchAll(SteadyTime now);
    void endAttempt(SteadyTime now);
    bool mayEndOtherwise() const;
    bool mayRestart();
    std::optional<RunContinuation::Outcome> leaveOutTheLost();
    bool hasBackup() const;
    void planRestart(const RunContinuation::Outcome& without, SteadyTime now);
    std::chrono::milliseconds homeGrace() const;
    void stopWithoutHome(SteadyTime now);
    void followStop(const SupervisedTask& task, SteadyTime now);
    void restart(SteadyTime now);
    bool comesBack(const SupervisedTask& task, bool lost);
    void planReturn(const SupervisedTask& task, const std::string& reason, SteadyTime now);
    void bringBack(SteadyTime now);
    std::unique_ptr<SupervisedTask> launch(TaskLaunch& launch, SteadyTime now);
    void endHelpers(SteadyTime now);
    bool sendToTasks(const engine::spec::Control& control);
    std::string restartsText(const Failure& cause) const;
    void fail(const SupervisedTask& task, SteadyTime now);
    void giveUpTheSilent(SteadyTime now);
    void giveUp(SupervisedTask& task, const std::string& reason, SteadyTime now);
    void terminateAll(SteadyTime now);
    void watchSilence(SupervisedTask& task, SteadyTime now);
    void keepDeadlines(SteadyTime now);
    void publish(SteadyTime now);
    void finish();
    bool everyTaskEnded() const;
    SupervisedTask* chief();
    SupervisedTask* find(const engine::spec::TaskId& id);
    std::string obstacleTo(const engine::chaos::Fault& fault) const;
    void endFaults(SteadyTime now);
    void tellFault(const engine::chaos::FaultLine& line);
    void stop(const engine::spec::Control& control, SteadyTime now);
    bool waitForTheChief();
    void tellTheChief();
    void leaveTheUnreached(SteadyTime now);
    std::string endOfAStop() const;

    const SupervisorOptions options_;
    const std::chrono::milliseconds heartbeat_fatal_, heartbeat_lost_;
    RunBook& book_;
    const LogSink log_;
    engine::run::RunInfo record_;
    const std::shared_ptr<EventLog> events_;
    std::vector<TaskLaunch> launches_;  // of every attempt; each port is held again for the next one
    const RestartPolicy restarts_;
    const struct {
        bool tasks_are_independent, is_part, across_hosts;  // RunLaunch
    } kind_;
    TaskStarter starter_;
    const int first_attempt_;  // 1; of a run that was over and goes on, more
    const std::optional<engine::spec::AttemptStarted> by_hand_;
    std::optional<Adoption> adoption_;
    int restarts_done_ = 0;  // of this start
    struct Restart {
        SteadyTime at;
        SteadyTime ports_by;  // no longer is a port waited for
    };
    std::optional<Restart> restart_;                      // between two attempts: every task has ended
    std::vector<std::unique_ptr<SupervisedTask>> tasks_;  // by launch
    struct Return {
        std::size_t task = 0;  // index in tasks_: its process has ended
        SteadyTime at;
        SteadyTime port_by;
    };
    std::vector<Return> returns_;     // tasks that are about to be started again, the others going on
    std::vector<ToldEvent> pending_;  // to be published at the end of this step
    std::vector<Failure> failures_;
    struct {
        bool asked = false;  // by a user, by the end of the agent or by a task that was stopped where it is
        bool at_once = false;
        bool follows = false;          // nobody here has asked: a task was stopped where it is, and others may be so already
        bool waits_for_chief = false;  // it is out of reach and hears of the stop when it is not
        std::string detail;
        std::vector<std::string> not_asked;  // hosts that were out of reach
        std::optional<SteadyTime> deadline;  // then every task is terminated
    } stop_;
    HomeWatch home_;
    InjectedFaults faults_;
    SteadyTime save_again_{};  // when events that could not be written are tried again
    bool finished_ = false;
};

}  // namespace agent::server
