// SPDX-License-Identifier: GPL-3.0-or-later
// Everything known of one run, as columns and lists: what charts, task list, log and Monitor read. They only grow, but for a run whose
// tasks are started again: what the attempt before told of steps that come again goes then, and superseded() says so. Owned by Session;
// lives and is read on the GUI thread. Events come in through ingest(); signals leave in batches, at most 20 a second.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/spec/task_event.h"
#include "ui/session/values.h"

namespace ui::session {

// The points of one task (or of the whole cluster as the chief reports it). All columns have one entry a row; NaN where a column came later
// or a value is missing. Rows are in order of step.
struct PointTable {
    std::vector<double> step;        // from 1
    std::vector<double> epoch;       // from 0
    std::vector<double> time_s;      // since the run was created
    std::vector<double> examples;    // of this task's replica in the step
    std::vector<std::string> names;  // "loss", "accuracy", "learning_rate"
    std::vector<std::vector<double>> columns;

    std::size_t size() const { return step.size(); }
    // nullptr when no point had this column yet. The pointer lives until the next ingest.
    const std::vector<double>* find(std::string_view name) const;
    void append(const engine::spec::StepPoints& points, std::int64_t origin_unix_ns);
    // Rows of later steps go.
    void dropAfter(double last_step);
    // One row with all of its columns, in the order of the first call.
    void appendRow(double at_step, double at_epoch, double at_time_s, std::initializer_list<std::pair<const char*, double>> values);
};

// Where a task's time went: microseconds a step, mean over the last packs (about 100 steps).
struct StepTimes {
    double input_us = 0, compute_us = 0, wait_us = 0, reduce_us = 0, apply_us = 0;
    double total_us() const { return input_us + compute_us + wait_us + reduce_us + apply_us; }
};

struct StateEntry {
    std::int64_t time_unix_ns = 0;
    engine::spec::TaskState state = engine::spec::TaskState::kNotStarted;
    QString detail{};
};

struct TaskRecord {
    engine::spec::TaskId id{};
    QString address{};  // "localhost:12345"; empty for a run of one task without a cluster
    engine::spec::TaskState state = engine::spec::TaskState::kNotStarted;
    QString detail{};
    std::int64_t last_step = 0;
    std::int64_t resident_bytes = 0;
    double cpu_cores = 0;
    StepTimes times{};
    std::optional<engine::spec::TaskFailed> failure{};
    std::int64_t failed_unix_ns = 0;   // when it said that it failed, or when its agent gave it up
    std::int64_t heard_unix_ns = 0;    // its last sign of life
    PointTable own{};                  // of this replica alone; empty when the task reports whole batches only
    PointTable whole{};                // of the global batch, as this task reported it
    PointTable phases{};               // one row a pack: input_us, compute_us, wait_us, reduce_us, apply_us, the means of its steps
    PointTable resources{};            // one row a heartbeat: cpu_cores, memory_bytes; the epoch is unknown
    std::vector<StateEntry> states{};  // in order, the present one last; the newest kMostStates
    engine::spec::WaitCause wait_cause = engine::spec::WaitCause::kNone;
    std::vector<engine::spec::TaskId> awaited{};  // by this task, before the first step

    // It gives no sign of life; seconds since the last one (0: it was never heard).
    double silentSeconds(std::int64_t now_unix_ns) const {
        return heard_unix_ns == 0 ? 0 : static_cast<double>(now_unix_ns - heard_unix_ns) * 1e-9;
    }
    bool isSilent() const { return state == engine::spec::TaskState::kWaiting && wait_cause == engine::spec::WaitCause::kSilence; }
};

struct LogEntry {
    std::int64_t time_unix_ns = 0;
    engine::spec::TaskId task;
    engine::spec::LogLevel level = engine::spec::LogLevel::kInfo;
    QString text;
};

struct EpochEntry {
    double time_s = 0;  // since the run was created
    engine::spec::EpochEnd end;
    // A log by Keras' name ("val_loss"); NaN when absent.
    double log(std::string_view name) const;
};

struct CheckpointEntry {
    double time_s = 0;
    engine::spec::CheckpointSaved saved;
};

struct ControlEntry {
    double time_s = 0;
    engine::spec::ControlApplied applied;
};

// All tasks were started again, since one was lost or the user asked for it.
struct AttemptEntry {
    double time_s = 0;
    std::int64_t step = 0;      // the last one that was heard of the task that was lost
    engine::spec::TaskId lost;  // by hand: of no meaning
    engine::spec::AttemptStarted started;
    std::optional<std::int64_t> resumed_step{};  // steps that were done before; unknown until the chief has said it
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
    engine::spec::FilterPictures filters;
};

inline constexpr std::size_t kMostStates = 1000;

class RunRecord : public QObject {
    Q_OBJECT
public:
    explicit RunRecord(RunSummary summary, QObject* parent = nullptr);

    const RunSummary& summary() const { return summary_; }
    QString id() const { return summary_.id; }
    RunState state() const { return summary_.state; }
    // The project as the run resolved it.
    const engine::spec::RunSpec& run() const { return run_; }
    // What the chief announced before its first step.
    const std::optional<engine::spec::RunStarted>& started() const { return started_; }
    std::int64_t createdUnixNs() const { return summary_.created_unix_ns; }
    std::int64_t finishedUnixNs() const { return summary_.finished_unix_ns; }
    // Steps of an epoch; 0 until the chief has announced it.
    std::int64_t stepsPerEpoch() const { return started_ ? started_->steps_per_epoch : 0; }
    double secondsSinceCreation(std::int64_t unix_ns) const { return static_cast<double>(unix_ns - summary_.created_unix_ns) / 1e9; }
    std::int64_t lastStep() const;
    std::int64_t totalSteps() const;  // 0 until the chief has announced it
    std::uint64_t lastSequence() const { return last_sequence_; }
    // Of the latest event by now: what happened before it is known, but for the order in which tasks tell.
    std::int64_t lastEventUnixNs() const { return last_event_unix_ns_; }
    std::int64_t droppedPoints() const { return dropped_points_; }

    // In rank order of the cluster (chief, workers, then the others), known from the start.
    const std::vector<TaskRecord>& tasks() const { return tasks_; }
    const TaskRecord* findTask(const engine::spec::TaskId& task) const;
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
    std::vector<const TaskRecord*> waitingFor(const engine::spec::TaskId& task) const;

    const std::vector<LogEntry>& logs() const { return logs_; }
    const std::vector<EpochEntry>& epochs() const { return epochs_; }
    const std::vector<CheckpointEntry>& checkpoints() const { return checkpoints_; }
    const std::vector<ControlEntry>& controls() const { return controls_; }
    // Without the first one.
    const std::vector<AttemptEntry>& attempts() const { return attempts_; }
    // Whether all tasks were started again between two times since the creation: nothing was trained for a while.
    bool pausedBetween(double from_s, double to_s) const;
    // What the chief reported of its weights every fit.histogram_freq epochs, in order of step; variables in the model's order. Empty when
    // the project asks for none. References live until the next ingest.
    const std::vector<VariableHistory>& weights() const { return weights_; }
    const std::vector<VariableHistory>& gradients() const { return gradients_; }
    const std::vector<NormEntry>& norms() const { return norms_; }
    // Of the first convolution; empty when the model has none.
    const std::vector<FilterEntry>& filters() const { return filters_; }
    const std::optional<engine::spec::TaskFinished>& finished() const { return finished_; }

    // Appends in order of sequence; events at or below lastSequence() are skipped, so a replay may overlap.
    void ingest(const std::vector<engine::spec::TaskEvent>& events);
    void addDropped(std::int64_t points);
    // The agent's word on the run as a whole.
    void setSummary(const RunSummary& summary);
    // No event of the run is still to come. Of a run that is over, tasks that never said how they ended (their agent was killed) count as
    // stopped from then on, for the summary's reason.
    void endOfEvents();
    bool hasAllEvents() const { return has_all_events_; }
    // The run was started again: there are events to come.
    void expectEvents() { has_all_events_ = false; }
    // Sends what is waiting at once. Tests use it; the timer calls it otherwise.
    void flush();

signals:
    void superseded();  // rows and entries went: whoever counts them begins anew
    void pointsArrived();
    void tasksChanged();
    void logsArrived();
    void epochsChanged();
    void checkpointsChanged();
    void controlsChanged();
    void weightsArrived();  // weights(), gradients(), norms() and filters() grew
    void stateChanged();

private:
    enum Dirty : unsigned {
        kPoints = 1,
        kTasks = 2,
        kLogs = 4,
        kEpochs = 8,
        kCheckpoints = 16,
        kControls = 32,
        kState = 64,
        kWeights = 128,
        kSuperseded = 256
    };

    TaskRecord& taskOf(const engine::spec::TaskId& task);
    unsigned apply(const engine::spec::TaskEvent& event);
    void add(const engine::spec::WeightReport& report, double time_s);
    void takeProject(const QString& json);
    void beginAttempt();
    unsigned dropAfter(std::int64_t step);
    void dropReportsAfter(double last_step);
    unsigned addLine(const engine::spec::TaskEvent& event, engine::spec::LogLevel level, const QString& text);
    void mark(unsigned dirty);
    void updatePhase();
    void endTasks();

    RunSummary summary_;
    engine::spec::RunSpec run_;
    std::optional<engine::spec::RunStarted> started_;
    std::optional<engine::spec::TaskFinished> finished_;
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
    std::int64_t dropped_points_ = 0;
    unsigned dirty_ = 0;
    QTimer flush_timer_;
};

}  // namespace ui::session
