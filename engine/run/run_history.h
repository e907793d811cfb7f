// Everything that a run told, as columns and lists: what charts, task lists, logs, reports and data files read, in the studio and on the
// command line alike. They only grow, but for a run whose tasks are started again: what the attempt before told of steps that come again
// goes then, and kSuperseded says so. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/point_table.h"
#include "engine/run/run_info.h"
#include "engine/run/task_records.h"
#include "engine/run/weight_history.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace engine::run {

struct LogEntry {
    std::int64_t time_unix_ns = 0;
    spec::TaskId task;
    spec::LogLevel level = spec::LogLevel::kInfo;
    std::string text;
};

struct EpochEntry {
    double time_s = 0;  // since the run was created
    spec::EpochEnd end;
    // A log by Keras' name ("val_loss"); NaN when absent.
    double log(std::string_view name) const;
};

struct CheckpointEntry {
    double time_s = 0;
    spec::CheckpointSaved saved;
};

struct ControlEntry {
    double time_s = 0;
    spec::ControlApplied applied;
};

// All tasks were started again, or those that are left, since one was lost or the user asked for it.
struct AttemptEntry {
    double time_s = 0;
    std::int64_t step = 0;  // the last one that was heard of the task that was lost
    spec::TaskId lost;      // by hand: of no meaning
    spec::AttemptStarted started;
    std::optional<std::int64_t> resumed_step{};  // steps that were done before; unknown until the chief has said it
    std::int64_t idle_ns = 0;                    // by hand: how long nobody worked on the run before it
};

// One task was started again by itself while the others went on.
struct ReturnEntry {
    double time_s = 0;
    std::int64_t step = 0;  // the last one that was heard of any task
    spec::TaskId task;
    std::string reason;  // why it had ended
};

class RunHistory {
public:
    // What a call changed: an or of these.
    enum Change : unsigned {
        kPoints = 1,
        kTasks = 2,
        kLogs = 4,
        kEpochs = 8,
        kCheckpoints = 16,
        kControls = 32,
        kState = 64,
        kWeights = 128,
        kSuperseded = 256  // rows and entries went: whoever counts them begins anew
    };

    // `info.project_json` is the project as the run resolved it; one that can't be read counts as empty.
    explicit RunHistory(RunInfo info);

    // The agent's last word on the run; its state goes on with what the tasks say in the meantime.
    const RunInfo& info() const { return info_; }
    RunState state() const { return info_.state; }
    // The project as the run resolved it.
    const spec::RunSpec& run() const { return run_; }
    // What the chief announced before its first step.
    const std::optional<spec::RunStarted>& started() const { return started_; }
    // RunStarted::resumed_step of the first word that its journal has of it: above 0 where an earlier run's backup was gone on from.
    std::int64_t resumedAtFirst() const { return resumed_at_first_; }
    std::int64_t createdUnixNs() const { return info_.created_unix_ns; }
    std::int64_t finishedUnixNs() const { return info_.finished_unix_ns; }
    // Steps of an epoch; 0 until the chief has announced it.
    std::int64_t stepsPerEpoch() const { return started_ ? started_->steps_per_epoch : 0; }
    double secondsSinceCreation(std::int64_t unix_ns) const { return static_cast<double>(unix_ns - info_.created_unix_ns) / 1e9; }
    std::int64_t lastStep() const { return tasks_.lastStep(); }
    std::int64_t totalSteps() const;  // 0 until the chief has announced it
    // Returns the epochs before the one that the first step belongs to: `fit.initial_epoch`, but for a branch, whose steps count on.
    std::int64_t epochsPassedOver() const { return run_.fit.initial_state ? 0 : run_.fit.initial_epoch; }
    std::uint64_t lastSequence() const { return last_sequence_; }
    // The time of the latest event by now: what happened before it is known, but for the order in which tasks tell.
    std::int64_t lastEventUnixNs() const { return last_event_unix_ns_; }

    // The tasks in rank order of the cluster (chief, workers, then the others), known from the start. They know who failed, is silent or
    // missing.
    const TaskRecords& tasks() const { return tasks_; }
    // The curve of the whole cluster: the chief's table of global batches, else its own.
    const PointTable& global() const { return tasks_.global(); }

    const std::vector<LogEntry>& logs() const { return logs_; }
    const std::vector<EpochEntry>& epochs() const { return epochs_; }
    const std::vector<CheckpointEntry>& checkpoints() const { return checkpoints_; }
    const std::vector<ControlEntry>& controls() const { return controls_; }
    // The attempts to run, without the first one.
    const std::vector<AttemptEntry>& attempts() const { return attempts_; }
    const std::vector<ReturnEntry>& returns() const { return returns_; }
    // True when all tasks were started again between two times since the creation: nothing was trained for a while.
    bool pausedBetween(double from_s, double to_s) const;
    // What the chief reported of its weights and gradients.
    const WeightHistory& weightReports() const { return weight_reports_; }
    const std::optional<spec::TaskFinished>& finished() const { return finished_; }

    // Appends in order of sequence; events at or below lastSequence() are skipped, so a replay may overlap. Answers Changes.
    unsigned add(const std::vector<spec::TaskEvent>& events);
    // The agent's word on the run as a whole. Answers Changes.
    unsigned setInfo(RunInfo info);
    // Says that no event of the run is still to come. When the run is over, tasks that never said how they ended (their agent was killed)
    // count as stopped from then on, for the run's reason. Answers Changes.
    unsigned endOfEvents();
    bool hasAllEvents() const { return has_all_events_; }
    // The run was started again: there are events to come.
    void expectEvents() { has_all_events_ = false; }

private:
    unsigned apply(const spec::TaskEvent& event);
    void takeProject(const std::string& json);
    void beginAttempt();
    unsigned addEpoch(EpochEntry entry);
    unsigned dropAfter(std::int64_t step);
    unsigned addLine(const spec::TaskEvent& event, spec::LogLevel level, std::string text);
    void updateState();
    unsigned endTasks();

    RunInfo info_;
    spec::RunSpec run_;
    std::optional<spec::RunStarted> started_;
    std::optional<spec::TaskFinished> finished_;
    TaskRecords tasks_;
    std::vector<LogEntry> logs_;
    std::vector<EpochEntry> epochs_;
    std::vector<CheckpointEntry> checkpoints_;
    std::vector<ControlEntry> controls_;
    std::vector<AttemptEntry> attempts_;
    std::vector<ReturnEntry> returns_;
    WeightHistory weight_reports_;
    std::int64_t resumed_at_first_ = 0;
    std::uint64_t last_sequence_ = 0;
    bool has_all_events_ = false;
    std::int64_t last_event_unix_ns_ = 0;
};

}  // namespace engine::run
