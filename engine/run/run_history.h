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
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace engine::run {

// Where a task's time went: microseconds a step, mean over the last packs (about 100 steps).
struct StepTimes {
    double input_us = 0, compute_us = 0, wait_us = 0, reduce_us = 0, apply_us = 0;
    double total_us() const { return input_us + compute_us + wait_us + reduce_us + apply_us; }
};

struct StateEntry {
    std::int64_t time_unix_ns = 0;
    spec::TaskState state = spec::TaskState::kNotStarted;
    std::string detail{};
};

struct TaskRecord {
    spec::TaskId id{};
    std::string address{};  // "localhost:12345"; empty for a run of one task without a cluster
    spec::TaskState state = spec::TaskState::kNotStarted;
    std::string detail{};
    std::int64_t last_step = 0;
    std::int64_t resident_bytes = 0;
    double cpu_cores = 0;
    StepTimes times{};
    std::optional<spec::TaskFailed> failure{};
    std::int64_t failed_unix_ns = 0;   // when it said that it failed, or when its agent gave it up
    std::int64_t heard_unix_ns = 0;    // its last sign of life
    PointTable own{};                  // of this replica alone; empty when the task reports whole batches only
    PointTable whole{};                // of the global batch, as this task reported it
    PointTable phases{};               // one row a pack: input_us, compute_us, wait_us, reduce_us, apply_us, the means of its steps
    PointTable resources{};            // one row a heartbeat: cpu_cores, memory_bytes; the epoch is unknown
    std::vector<StateEntry> states{};  // in order, the present one last; the newest kMostStates
    spec::WaitCause wait_cause = spec::WaitCause::kNone;
    std::vector<spec::TaskId> awaited{};  // by this task, before the first step

    // It gives no sign of life; seconds since the last one (0: it was never heard).
    double silentSeconds(std::int64_t now_unix_ns) const {
        return heard_unix_ns == 0 ? 0 : static_cast<double>(now_unix_ns - heard_unix_ns) * 1e-9;
    }
    bool isSilent() const { return state == spec::TaskState::kWaiting && wait_cause == spec::WaitCause::kSilence; }
};

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

// All tasks were started again, since one was lost or the user asked for it.
struct AttemptEntry {
    double time_s = 0;
    std::int64_t step = 0;  // the last one that was heard of the task that was lost
    spec::TaskId lost;      // by hand: of no meaning
    spec::AttemptStarted started;
    std::optional<std::int64_t> resumed_step{};  // steps that were done before; unknown until the chief has said it
    std::int64_t idle_ns = 0;                    // by hand: how long nobody worked on the run before it
};

// What a WeightReport says of one variable or its gradient, at the end of an epoch.
struct DistributionEntry {
    double step = 0, epoch = 0, time_s = 0;  // steps done in all; from 0; since the run was created
    double minimum = 0, maximum = 0, mean = 0, deviation = 0, norm = 0;
    std::int64_t not_finite = 0;       // values left out of the rest
    std::vector<double> limits;        // of the buckets, rising: one more than counts. All equal where all values are
    std::vector<std::int64_t> counts;  // of values per bucket
};

struct VariableHistory {
    std::string name;  // "conv2d/kernel"
    std::vector<DistributionEntry> entries;
};

// Of all weights and of all gradients together.
struct NormEntry {
    double step = 0, epoch = 0, time_s = 0;
    double weights = 0;
    double gradients = 0;  // NaN where the report had none
};

struct FilterEntry {
    double step = 0, epoch = 0, time_s = 0;
    spec::FilterPictures filters;
};

inline constexpr std::size_t kMostStates = 1000;

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

    // Of the agent's last word; its state goes on with what the tasks say in the meantime.
    const RunInfo& info() const { return info_; }
    RunState state() const { return info_.state; }
    // The project as the run resolved it.
    const spec::RunSpec& run() const { return run_; }
    // What the chief announced before its first step.
    const std::optional<spec::RunStarted>& started() const { return started_; }
    std::int64_t createdUnixNs() const { return info_.created_unix_ns; }
    std::int64_t finishedUnixNs() const { return info_.finished_unix_ns; }
    // Steps of an epoch; 0 until the chief has announced it.
    std::int64_t stepsPerEpoch() const { return started_ ? started_->steps_per_epoch : 0; }
    double secondsSinceCreation(std::int64_t unix_ns) const { return static_cast<double>(unix_ns - info_.created_unix_ns) / 1e9; }
    std::int64_t lastStep() const;
    std::int64_t totalSteps() const;  // 0 until the chief has announced it
    std::uint64_t lastSequence() const { return last_sequence_; }
    // Of the latest event by now: what happened before it is known, but for the order in which tasks tell.
    std::int64_t lastEventUnixNs() const { return last_event_unix_ns_; }

    // In rank order of the cluster (chief, workers, then the others), known from the start.
    const std::vector<TaskRecord>& tasks() const { return tasks_; }
    const TaskRecord* findTask(const spec::TaskId& task) const;
    // The curve of the whole cluster: the chief's table of global batches, else its own.
    const PointTable& global() const;
    // The first failure over all tasks; nullptr while there is none, and while the others only noticed silentTask(), which is the cause.
    const TaskRecord* firstFailure() const;
    // A task that gives no sign of life; nullptr while there is none.
    const TaskRecord* silentTask() const;
    // Whom the others wait for before the first step, in rank order: who was never heard, is silent, or still connects while another says
    // that it waits for it; without such a one all that still connect, else all that are waited for.
    std::vector<const TaskRecord*> missingTasks() const;
    // Those that wait for it.
    std::vector<const TaskRecord*> waitingFor(const spec::TaskId& task) const;

    const std::vector<LogEntry>& logs() const { return logs_; }
    const std::vector<EpochEntry>& epochs() const { return epochs_; }
    const std::vector<CheckpointEntry>& checkpoints() const { return checkpoints_; }
    const std::vector<ControlEntry>& controls() const { return controls_; }
    // Without the first one.
    const std::vector<AttemptEntry>& attempts() const { return attempts_; }
    // Whether all tasks were started again between two times since the creation: nothing was trained for a while.
    bool pausedBetween(double from_s, double to_s) const;
    // What the chief reported of its weights every fit.histogram_freq epochs, in order of step; variables in the model's order. Empty when
    // the project asks for none. References live until the next change.
    const std::vector<VariableHistory>& weights() const { return weights_; }
    const std::vector<VariableHistory>& gradients() const { return gradients_; }
    const std::vector<NormEntry>& norms() const { return norms_; }
    // Of the first convolution; empty when the model has none.
    const std::vector<FilterEntry>& filters() const { return filters_; }
    const std::optional<spec::TaskFinished>& finished() const { return finished_; }

    // Appends in order of sequence; events at or below lastSequence() are skipped, so a replay may overlap. Answers Changes.
    unsigned add(const std::vector<spec::TaskEvent>& events);
    // The agent's word on the run as a whole. Answers Changes.
    unsigned setInfo(RunInfo info);
    // No event of the run is still to come. Of a run that is over, tasks that never said how they ended (their agent was killed) count as
    // stopped from then on, for the run's reason. Answers Changes.
    unsigned endOfEvents();
    bool hasAllEvents() const { return has_all_events_; }
    // The run was started again: there are events to come.
    void expectEvents() { has_all_events_ = false; }

private:
    TaskRecord& taskOf(const spec::TaskId& task);
    unsigned apply(const spec::TaskEvent& event);
    void add(const spec::WeightReport& report, double time_s);
    void takeProject(const std::string& json);
    void beginAttempt();
    unsigned dropAfter(std::int64_t step);
    void dropReportsAfter(double last_step);
    unsigned addLine(const spec::TaskEvent& event, spec::LogLevel level, std::string text);
    void updateState();
    unsigned endTasks();

    RunInfo info_;
    spec::RunSpec run_;
    std::optional<spec::RunStarted> started_;
    std::optional<spec::TaskFinished> finished_;
    std::vector<TaskRecord> tasks_;
    std::vector<LogEntry> logs_;
    std::vector<EpochEntry> epochs_;
    std::vector<CheckpointEntry> checkpoints_;
    std::vector<ControlEntry> controls_;
    std::vector<AttemptEntry> attempts_;
    std::vector<VariableHistory> weights_, gradients_;
    std::vector<NormEntry> norms_;
    std::vector<FilterEntry> filters_;
    std::uint64_t last_sequence_ = 0;
    bool has_all_events_ = false;
    std::int64_t last_event_unix_ns_ = 0;
};

}  // namespace engine::run
