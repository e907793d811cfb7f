// What a task tells while it runs. Made by engine/train, carried by the agents, read by studio and command line: one set of values for all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

// The states of a task: NotStarted -> Connecting -> Ready -> Training <-> Paused | Waiting; ends in Done, Stopped or Failed.
enum class TaskState { kNotStarted, kConnecting, kReady, kTraining, kWaiting, kPaused, kDone, kStopped, kFailed };
bool isFinal(TaskState state);
std::string_view toString(TaskState state);  // "Training"

// Who says that a task is kWaiting, and why. kNone in every other state.
enum class WaitCause {
    kNone,
    kPeers,    // the task itself: it is there and waits for `awaited`
    kSilence,  // its agent: it sends no heartbeat
};

struct StateChanged {
    TaskState state = TaskState::kNotStarted;
    std::string detail;  // "waiting for worker 1 at localhost:23456 for 5 s"
    WaitCause cause = WaitCause::kNone;
    std::vector<TaskId> awaited{};  // of kPeers: in order of rank
    friend bool operator==(const StateChanged&, const StateChanged&) = default;
};

struct Column {
    std::string name;           // "loss", "accuracy", "learning_rate"
    std::vector<float> values;  // one per step; NaN = none
    friend bool operator==(const Column&, const Column&) = default;
};

// Points of consecutive steps, packed. All arrays have one entry a step.
struct StepPoints {
    std::vector<std::int64_t> step;   // from 1, over the whole run
    std::vector<std::int32_t> epoch;  // from 0
    std::vector<std::int64_t> time_unix_ns;
    std::int32_t examples_per_step = 0;  // this task's replica
    bool aggregated = true;              // values are of the global batch (all tasks), not of this replica alone
    std::vector<Column> columns;
    // Mean over the pack, microseconds: where this task's time went.
    float input_us = 0, compute_us = 0, wait_us = 0, reduce_us = 0, apply_us = 0;
    friend bool operator==(const StepPoints&, const StepPoints&) = default;
};

struct EpochEnd {
    std::int32_t epoch = 0;                            // from 0
    std::int64_t step = 0;                             // steps done in all
    double seconds = 0;                                // training alone, without validation
    std::vector<std::pair<std::string, double>> logs;  // Keras' names: accuracy, loss, val_accuracy, val_loss, learning_rate
    friend bool operator==(const EpochEnd&, const EpochEnd&) = default;
};

// True when the event has nothing but what validation measured at that step: between the ends of epochs, or by an evaluator.
inline bool isEvaluation(const EpochEnd& end) {
    return !end.logs.empty() && end.logs.front().first.starts_with("val_") && end.logs.back().first.starts_with("val_");
}

// "evaluation after step 500: val_accuracy 0.9812, val_loss 0.0613"
std::string evaluationText(const EpochEnd& end);

struct CheckpointSaved {
    std::string prefix;      // "checkpoints/ckpt_3", relative to the run's folder
    std::int32_t epoch = 0;  // from 0
    std::int64_t step = 0;
    std::int64_t bytes = 0;
    double seconds = 0;
    bool best = false;
    std::vector<std::string> removed{};  // prefixes of older ones that were removed for it
    friend bool operator==(const CheckpointSaved&, const CheckpointSaved&) = default;
};

enum class LogLevel { kDebug, kInfo, kWarning, kError };
struct LogLine {
    LogLevel level = LogLevel::kInfo;
    std::string text;  // one line; API names stay English
    friend bool operator==(const LogLine&, const LogLine&) = default;
};
// Begins the line with which an agent stands in for events that are damaged in its journal.
inline constexpr std::string_view kJournalDamage = "journal: ";

// What the run is about to do; sent by the chief before the first step, once in each attempt.
struct RunStarted {
    std::int64_t steps_per_epoch = 0;
    std::int64_t epochs = 0;
    std::int64_t global_batch_size = 0;
    std::int64_t parameters = 0;
    std::int64_t gradient_bytes = 0;  // reduced in a step
    std::string executor;             // "cpu (AVX-512, 2 threads)"
    std::string transport;            // "worker 0 <-> worker 1: shared memory"; empty for one task
    std::int64_t resumed_step = 0;    // steps done before, by the backup that it goes on from; what was told of later ones comes again
    friend bool operator==(const RunStarted&, const RunStarted&) = default;
};

// A control that took effect on all replicas at `step`.
struct ControlApplied {
    std::string what;  // "pause", "resume", "stop", "learning_rate 0.0001"
    std::int64_t step = 0;
    friend bool operator==(const ControlApplied&, const ControlApplied&) = default;
};

// The values of one variable, or of its gradient, in numbers. Values that are not finite are counted and left out of everything else.
struct Distribution {
    std::string name;  // of the variable: "conv2d/kernel"
    double minimum = 0, maximum = 0;
    double mean = 0;
    double deviation = 0;              // standard deviation of all values, not of a sample
    double norm = 0;                   // square root of the sum of squares
    std::int64_t not_finite = 0;       // NaN and infinities
    std::vector<std::int64_t> counts;  // TensorBoard's buckets: of equal width between minimum and maximum; all equal: all in the last one
    friend bool operator==(const Distribution&, const Distribution&) = default;
};

// The kernels of the model's first Conv2D, at most 64, as pictures; or the weights of a first Dense layer, as the image that each unit
// sees.
struct FilterPictures {
    std::string name;  // "conv2d/kernel"; empty: the model has none
    std::int32_t height = 0, width = 0;
    std::int32_t channels = 0;  // 1 or 3; of other numbers of channels the mean
    std::int32_t count = 0;
    std::vector<float> values;  // (count, height, width, channels), as they are in the kernel
    friend bool operator==(const FilterPictures&, const FilterPictures&) = default;
};

// Weights and gradients at the end of an epoch, every fit.histogram_freq epochs; from the chief alone. Gradients are of its replica's last
// batch at these weights, before clipping; none when this start has not seen a batch yet.
struct WeightReport {
    std::int32_t epoch = 0;  // from 0
    std::int64_t step = 0;   // steps done in all
    std::vector<Distribution> weights, gradients;
    double weights_norm = 0, gradients_norm = 0;  // over all of them: square root of the sum of the squared norms
    FilterPictures filters;
    friend bool operator==(const WeightReport&, const WeightReport&) = default;
};

// One layer in a step that was measured (engine/train/fit/layer_watch.h). A norm is the square root of the sum of the squares of all that
// is trained of the layer, over finite values alone.
struct LayerMeasure {
    std::string layer;                     // "conv2d"
    double gradient_norm = 0;              // of the gradient as the strategy sums it, before clipping; NaN: nothing is trained of the
                                           // layer, or the step was left out because the scaled loss overflowed
    double weights_norm = 0;               // before the step
    double update_norm = 0;                // of what the step changed
    std::int64_t gradient_not_finite = 0;  // NaN and infinities among its gradient
    std::int64_t weights_not_finite = 0;   // among its weights, after the step
    std::int64_t units = 0;                // of its ReLU-like activations; 0: it has none, or they were not looked at
    std::int64_t dead_units = 0;           // of these: 0 for each of LayerReport::samples
    friend bool operator==(const LayerMeasure&, const LayerMeasure&) = default;
};

// How each layer learns, in some steps of runs with fit.histogram_freq; from one task alone.
struct LayerReport {
    std::int32_t epoch = 0;    // from 0
    std::int64_t step = 0;     // from 1, over the whole run: the one that was measured
    std::int64_t samples = 0;  // of that step's batch, before it, that dead units were looked for in
    std::vector<LayerMeasure> layers;
    friend bool operator==(const LayerReport&, const LayerReport&) = default;
};

// Last word of a task that ended by itself. `results` of the chief: test_accuracy, test_loss, images_per_s, first_step_unix_ns as numbers.
struct TaskFinished {
    std::vector<std::pair<std::string, double>> results;
    std::string checkpoint;  // prefix of the last one, relative to the run's folder; may be empty
    std::string weights_sha256;
    friend bool operator==(const TaskFinished&, const TaskFinished&) = default;
};

// Written by the agent, not by the task: how a process ended against expectation.
struct TaskFailed {
    std::string reason;  // "killed by signal 9 (SIGKILL)", "exit code 3", "no heartbeat for 4 s", "out of memory"
    int exit_code = -1;  // -1 when a signal ended it
    int signal = 0;
    std::vector<std::string> last_lines;  // the last 50 of what it told, as lines: event_line.h
    friend bool operator==(const TaskFailed&, const TaskFailed&) = default;
};

struct Heartbeat {
    std::int64_t step = 0;
    std::int64_t resident_bytes = 0;
    double cpu_cores = 0;  // in use over the last second
    friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};

// What a ps has done since it told so last, about once a second while something happens; of ParameterServerStrategy.
struct ServerLoad {
    double seconds = 0;                               // that it covers
    std::int64_t updates = 0;                         // pushes of a bucket that were applied
    std::int64_t steps = 0;                           // of all workers; ps 0 alone counts them
    std::int64_t pulled_bytes = 0, pushed_bytes = 0;  // variables that workers took, gradients that they brought
    std::vector<std::int64_t> staleness;              // of the updates: how many had missed 0, 1, 2 ... updates of others
    friend bool operator==(const ServerLoad&, const ServerLoad&) = default;
};
// Entries of ServerLoad::staleness at the most; the last of so many counts those that had missed more, too.
inline constexpr std::size_t kStalenessPlaces = 64;

// Written by the agent: the tasks of the run are started again, since the event's task was lost or, when the run was over, since somebody
// asked for it. Everything that they said before is of the attempt before; RunStarted says from which step the new one goes on. A run on
// several computers, or of a scheduler's job, tells its first attempt too, for its hosts' sake: beginsAgain() is false for it.
struct AttemptStarted {
    std::int32_t attempt = 2;
    std::int32_t attempts = 2;  // at most, in all
    bool from_backup = false;   // else from the first step: none was written yet
    std::string reason;         // "killed by signal 9 (SIGKILL)"; by hand: how the attempt before had ended, "Failed: worker 1: killed ..."
    bool by_hand = false;
    std::vector<TaskId> left_out{};  // the run goes on without these; by the names that they had in the attempt before
    std::vector<TaskHost> hosts{};   // where its tasks are; empty of a run without a cluster, and in journals from before this was kept
    friend bool operator==(const AttemptStarted&, const AttemptStarted&) = default;
};
inline bool beginsAgain(const AttemptStarted& attempt) {
    return attempt.attempt > 1;
}

using EventBody = std::variant<StateChanged, StepPoints, EpochEnd, CheckpointSaved, LogLine, RunStarted, ControlApplied, TaskFinished,
                               TaskFailed, Heartbeat, WeightReport, AttemptStarted, ServerLoad, LayerReport>;

struct TaskEvent {
    std::uint64_t sequence = 0;  // per run, from 1, given by the agent's journal; 0 before that
    std::int64_t time_unix_ns = 0;
    TaskId task;
    EventBody body;
    friend bool operator==(const TaskEvent&, const TaskEvent&) = default;
};

// What a user may ask of a running run. Goes to the chief; takes effect on all replicas at one step.
enum class ControlVerb { kPause, kResume, kStep, kStop, kStopNow, kCheckpointNow, kSetLearningRate };
struct Control {
    ControlVerb verb = ControlVerb::kPause;
    double value = 0;  // kSetLearningRate
    friend bool operator==(const Control&, const Control&) = default;
};

}  // namespace engine::spec
