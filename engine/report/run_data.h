// What a run told, gathered into plain series and lists: what data files and reports are written from. The folder's header to read first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/spec/run_spec.h"
#include "engine/spec/task_event.h"

namespace engine::report {

// One curve. All columns have one entry a point, in order of arrival; values are finite or NaN (none).
struct SeriesData {
    std::string name;  // "loss", "val_loss", "throughput"; of one task "worker 1/loss", "worker 0/wait_us"
    std::string unit;  // "images/s", "us", "cores", "bytes"; empty: none
    std::vector<std::int64_t> step;
    std::vector<double> epoch;   // from 0; NaN where it is unknown
    std::vector<double> time_s;  // since the run was created
    std::vector<double> value;

    std::size_t size() const { return step.size(); }
    void append(std::int64_t at_step, double at_epoch, double at_time_s, double one_value);
    void dropAfter(std::int64_t last_step);  // points of later steps go
    friend bool operator==(const SeriesData&, const SeriesData&) = default;
};

inline constexpr const char* kPhaseNames[] = {"input_us", "compute_us", "wait_us", "reduce_us", "apply_us"};

struct TaskData {
    spec::TaskId id;
    std::string address;  // empty for a run of one task without a cluster
    spec::TaskState state = spec::TaskState::kNotStarted;
    std::string detail;  // why it waits or failed
    std::int64_t last_step = 0;
    std::int64_t peak_bytes = 0;  // resident, over its heartbeats
    double phase_us[5] = {};      // mean over all packs, in the order of kPhaseNames
    std::optional<spec::TaskFailed> failure;
    double failed_s = 0;  // since the run was created
};

// What happened when: a control, a checkpoint, a failure, a restart.
struct Mark {
    double time_s = 0;
    std::int64_t step = 0;
    std::string text;
    friend bool operator==(const Mark&, const Mark&) = default;
};

struct RunFacts {
    std::string id, name;
    std::string state;   // "Training", "Done"
    std::string detail;  // reason of a failure
    std::string run_dir;
    std::int64_t created_unix_ns = 0, finished_unix_ns = 0;  // finished 0 while it runs
    spec::RunSpec run;                                       // as resolved
    std::int64_t idle_ns = 0;                                // of it, over and not started again by hand yet
    std::string file_stem{};                                 // what its files are called; empty: its id
    const std::string& fileStem() const { return file_stem.empty() ? id : file_stem; }
};

// A start of all tasks behind the first one.
struct AttemptData {
    double time_s = 0;  // since the run was created
    spec::TaskId lost;  // by hand: of no meaning
    spec::AttemptStarted started;
    std::optional<std::int64_t> resumed_step;  // steps that were done before; unknown until the chief has said it
    friend bool operator==(const AttemptData&, const AttemptData&) = default;
};

struct RunData {
    RunFacts facts;
    std::optional<spec::RunStarted> started;
    std::vector<TaskData> tasks;  // in rank order
    std::vector<SeriesData> series;
    std::vector<std::pair<double, spec::EpochEnd>> epochs;  // with seconds since creation
    std::vector<spec::CheckpointSaved> checkpoints;
    std::vector<Mark> marks;
    std::vector<AttemptData> attempts;
    std::vector<std::pair<std::string, double>> results;
    std::vector<std::string> problems;  // warnings and errors of the log, at most kMostProblems
    std::string weights_sha256;

    const SeriesData* find(std::string_view name) const;  // nullptr when nothing of that name was told
};
inline constexpr std::size_t kMostProblems = 50;

// "attempt 2 of 4: worker 1 killed by signal 9 (SIGKILL)", "attempt 2, started by hand; the one before: stopped", as a mark says it.
std::string attemptText(const spec::TaskId& lost, const spec::AttemptStarted& attempt);

// The tasks of a run in rank order (chief, workers, then the others); one without a cluster is worker 0.
std::vector<TaskData> tasksOf(const spec::RunSpec& run);

// Takes events in the order of their sequence. What an attempt told of steps that a later one did again is left out. One thread.
class RunDataCollector {
public:
    explicit RunDataCollector(RunFacts facts);
    void add(const spec::TaskEvent& event);
    // Everything so far; the collector is spent.
    RunData take();

private:
    struct Table {
        std::vector<std::int64_t> step;
        std::vector<double> epoch, time_s, examples;
        std::vector<std::pair<std::string, std::vector<double>>> columns;  // as long as step
    };
    struct Told {
        Table own, whole;
        SeriesData phases[5], cpu, memory;
        double phase_steps = 0;
        spec::TaskState state = spec::TaskState::kNotStarted;
    };
    double seconds(std::int64_t unix_ns) const { return static_cast<double>(unix_ns - data_.facts.created_unix_ns) / 1e9; }
    std::size_t placeOf(const spec::TaskId& task);
    void addPoints(std::size_t place, const spec::StepPoints& points);
    void dropAfter(std::int64_t step);
    static void appendTable(Table& table, const spec::StepPoints& points, std::int64_t origin_unix_ns);
    void addThroughput(const Table& table, const std::string& name, double share);
    void addColumns(const Table& table, const std::string& prefix);

    RunData data_;
    std::vector<Told> told_;       // beside data_.tasks
    std::vector<Mark> failures_;   // of the last attempt
    bool attempt_begins_ = false;  // the chief has not said yet from which step it goes on
    SeriesData weights_norm_, gradients_norm_;
};

}  // namespace engine::report
