// What a run told, gathered into plain series and lists: what data files and reports are written from. The folder's header to read first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/run_series.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace engine::report {

using run::SeriesData;

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

// All of it, by now. `file_stem`: what its files are called; empty: the run's id.
RunData runData(const run::RunHistory& history, std::string file_stem = {});

}  // namespace engine::report
