// One run whose tasks have no agent, as its folder tells of it. It is watched and not governed: nothing is started, stopped or restarted
// here but by RUN/control.json, and nobody but the files says how a task is.
//
//              chief trains        chief pauses / goes on
//   Starting ────────────▶ Training ◀───────────────▶ Paused
//      └───────────┬───────────┴─────────────────────────┘
//                  ├── every task is over, and the chief was done ──▶ Done      (evaluators are waited for, the others for a while)
//                  ├── every task is over, none failed ─────────────▶ Stopped
//                  └── a task failed, or ended without a word ──────▶ Failed
//
// A task that begins to tell again when it, or all, were over begins a further attempt of the same run: a scheduler queued the job again.
// A run with a job (agent/local/scheduler_job.h) is there before its tasks are, and is over when the job is; only a chief that is done ends
// it sooner.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/server/followed/event_tail.h"
#include "agent/server/followed/followed.h"
#include "agent/server/followed/followed_loads.h"
#include "agent/server/runs/run_book.h"
#include "agent/server/scheduled/job_queue.h"
#include "engine/files/safe_folder.h"
#include "engine/run/run_info.h"

namespace agent::server {

struct FollowOptions {
    std::chrono::milliseconds silence{90000};  // of a task on another computer: it counts as gone
    // The same limit when the folder is opened, by the clocks: a task that was silent for so long is over.
    std::chrono::milliseconds old{600000};
    std::chrono::milliseconds chief_grace{10000};  // between the chief's end and the others', and between the job's and its tasks'
    LoadSinks loads{};                             // of the computers of its tasks
    std::shared_ptr<JobQueue> jobs{};              // null: schedulers are not asked, and a run's job counts for nothing
};

// Used by the follower's thread alone.
class FollowedRun final : public Followed {
public:
    // A run that is to be followed in `folder` (absolute): as the index knows it, or new with `new_id`. Reads what is there and tells the
    // journal what it lacks. Throws Error: kNotFound where nobody told anything, kFailedPrecondition for files of a newer version, and what
    // RunBook throws.
    FollowedRun(std::filesystem::path folder, std::optional<engine::run::RunInfo> known, const std::string& new_id,
                const FollowOptions& options, RunBook& book, LogSink log, SteadyTime now);

    const engine::run::RunInfo& record() const override { return record_; }
    // True when the run tells nothing any more, until a task begins again.
    bool isOver() const override { return log_ == nullptr; }
    // True when another run has begun in the folder, or the folder is gone: there is nothing to follow any more.
    bool isGone() const override { return gone_; }
    bool isDoneForGood() const override { return isOver() && record_.state == engine::run::RunState::kDone; }
    // True when the run is over, and its folder was handed to the scheduler again.
    bool isOfAnEarlierJob() const override;

    // Reads what is new, publishes it and judges.
    void step(SteadyTime now) override;
    // Writes the control for the tasks, or returns the job that is to be cancelled in its place: one that waits, or that is to end at once.
    // Throws Error(kFailedPrecondition) when the run is over, or waits and is asked for anything but its end, and what keeps the file from
    // being written.
    std::optional<convert::SchedulerJob> control(const engine::spec::Control& control) const override;

private:
    struct Task {
        std::unique_ptr<EventTail> tail;
        std::uint64_t told = 0;  // the journal has what ends up to this byte
        std::optional<FollowedStart> start;
        int attempt = 0;  // of its newest start; 0: none
        engine::spec::TaskState state = engine::spec::TaskState::kNotStarted;
        std::string detail;
        std::int64_t changed_unix_ns = 0, heard_unix_ns = 0;
        SteadyTime heard;
        bool lost = false;  // ended without a word
        bool finished = false, is_silent = false;
        bool was_ended = false;  // the journal has it as stopped, which it did not say itself: the run was over
        bool isOver() const { return lost || engine::spec::isFinal(state); }
    };

    void openFiles();
    bool isOfJob(const std::optional<engine::run::RunInfo>& known) const;
    void openRecord(std::optional<engine::run::RunInfo> known, const std::string& new_id);
    void readAll(SteadyTime now);
    Task* nextTask();
    void take(const engine::spec::TaskId& id, Task& task, const FollowedMessage& message, SteadyTime now);
    void begin(const engine::spec::TaskId& id, Task& task, const FollowedMessage& message, bool is_new);
    void beginAttempt(const engine::spec::TaskId& id, const FollowedMessage& message);
    void note(const engine::spec::TaskId& id, Task& task, const engine::spec::TaskEvent& event);
    void goOn(std::int64_t time_unix_ns);
    void add(const engine::spec::TaskId& task, std::int64_t time_unix_ns, engine::spec::EventBody body);
    bool hasBackup() const;
    void publish();
    void publishLoads(SteadyTime now);
    void lookAtJob(SteadyTime now);
    void tellQueue();
    void judge(SteadyTime now);
    void judgeJob(const Task* cause, bool tasks_are_over, SteadyTime now);
    std::string lastWordsOfJob() const;
    bool isLost(const Task& task, SteadyTime now) const;
    void lose(const engine::spec::TaskId& id, Task& task);
    void finish(engine::run::RunState state);
    void endTasks(const std::string& why);
    bool chiefIsDone() const;
    bool everyTaskIsOver() const;
    bool evaluatesStill(SteadyTime now) const;

    const std::filesystem::path folder_;
    const FollowOptions options_;
    RunBook& book_;
    const LogSink tell_;
    std::shared_ptr<const engine::files::SafeFolder> opened_, events_;
    std::map<engine::spec::TaskId, Task> tasks_;
    engine::spec::TaskId chief_;
    bool independent_ = false;
    int attempt_ = 1;        // as the files have it
    int told_attempts_ = 1;  // that the journal has
    bool record_changed_ = false, gone_ = false;
    bool had_backup_ = false;  // when the last attempt was over
    std::optional<SteadyTime> chief_over_;
    engine::run::RunInfo record_;
    std::optional<convert::SchedulerJob> job_;
    struct {
        JobReport report;
        std::string told;   // of it
        std::string cause;  // why the tasks of the last start ended
        std::optional<SteadyTime> ended;
    } queue_;
    std::shared_ptr<EventLog> log_;  // null: the run is over
    FollowedLoads loads_;
    std::vector<ToldEvent> pending_;
};

}  // namespace agent::server
