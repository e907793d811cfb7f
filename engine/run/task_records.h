// What each task of a run told: its state, its own curve, what it waits for, how it ended. And who of them failed, is silent or missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/point_table.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace engine::run {

// Tells where a task's time went: microseconds a step, mean over the last packs (about 100 steps).
struct StepTimes {
    double input_us = 0, compute_us = 0, wait_us = 0, reduce_us = 0, apply_us = 0;
    double total_us() const { return input_us + compute_us + wait_us + reduce_us + apply_us; }
};

struct StateEntry {
    std::int64_t time_unix_ns = 0;
    spec::TaskState state = spec::TaskState::kNotStarted;
    std::string detail{};
};

inline constexpr std::size_t kMostStates = 1000;

// What a ps told of its load. Rows are in order of time; the step is the last one that any task had told by then.
struct ServerRecord {
    PointTable loads;                                  // one row an event: updates_per_s, pulled_bytes_per_s, pushed_bytes_per_s
    std::vector<std::vector<std::int64_t>> staleness;  // of the same rows: updates that had missed 0, 1, 2 ... updates of others

    void dropAfter(double last_step);
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
    ServerRecord serving{};            // of a ps
    std::vector<StateEntry> states{};  // in order, the present one last; the newest kMostStates
    spec::WaitCause wait_cause = spec::WaitCause::kNone;
    std::vector<spec::TaskId> awaited{};  // by this task, before the first step

    // It gives no sign of life; seconds since the last one (0: it was never heard).
    double silentSeconds(std::int64_t now_unix_ns) const {
        return heard_unix_ns == 0 ? 0 : static_cast<double>(now_unix_ns - heard_unix_ns) * 1e-9;
    }
    bool isSilent() const { return state == spec::TaskState::kWaiting && wait_cause == spec::WaitCause::kSilence; }

    // What the task said at a time; `created_unix_ns`: when the run was created.
    void hear(const spec::StateChanged& body, std::int64_t time_unix_ns);
    // True when rows went, as PointTable::append() has it.
    bool hear(const spec::StepPoints& body, std::int64_t time_unix_ns, std::int64_t created_unix_ns);
    void hear(const spec::Heartbeat& body, std::int64_t time_unix_ns, std::int64_t created_unix_ns);
    void hear(const spec::ServerLoad& body, double step, double time_s);
    void hear(const spec::TaskFailed& body, std::int64_t time_unix_ns);
    void hear(const spec::TaskFinished& body);
};

// Owned by a RunHistory; one thread. Never empty after take(). Pointers and references to a task live until the next change.
class TaskRecords {
public:
    // The tasks stand in rank order of the cluster (chief, workers, then the others).
    std::vector<TaskRecord>::const_iterator begin() const { return tasks_.begin(); }
    std::vector<TaskRecord>::const_iterator end() const { return tasks_.end(); }
    std::size_t size() const { return tasks_.size(); }
    const TaskRecord& operator[](std::size_t at) const { return tasks_[at]; }
    const TaskRecord& front() const { return tasks_.front(); }
    // nullptr when there is none.
    const TaskRecord* find(const spec::TaskId& task) const;

    // The last step that any of them told.
    std::int64_t lastStep() const;
    // The curve of the whole cluster: the chief's table of global batches, else its own.
    const PointTable& global() const;

    // Updates of all ps tasks by their staleness: how many had missed 0, 1, 2 ... updates of others. Empty without parameter servers.
    std::vector<std::int64_t> stalenessCounts() const;

    // The first failure over all tasks; nullptr while there is none, and while the others only noticed silent(), which is the cause.
    const TaskRecord* firstFailure() const;
    // A task that gives no sign of life; nullptr while there is none.
    const TaskRecord* silent() const;
    // Whom the others wait for before the first step, in rank order: who was never heard, is silent, or still connects while another says
    // that it waits for it; without such a one all that still connect, else all that are waited for.
    std::vector<const TaskRecord*> missing() const;
    // Those that wait for it.
    std::vector<const TaskRecord*> waitingFor(const spec::TaskId& task) const;

    // The tasks of a project: new ones are added, known ones get their addresses.
    void take(const spec::RunSpec& run);
    // Where they are, where that is elsewhere than the project says; those that it does not name are added. False when all is as it was.
    bool takeHosts(const std::vector<spec::TaskHost>& hosts);
    // One that is not known yet is added at the end.
    TaskRecord& of(const spec::TaskId& task);
    // Every task is as at the start of the run.
    void beginAttempt();
    // Rows of later steps go.
    void dropAfter(double last_step);
    // Those that never said how they ended count as stopped. False when there is none.
    bool stopAll(const std::string& detail);

private:
    void sort();

    std::vector<TaskRecord> tasks_;  // by rank: the chief, the workers, then the others
};

}  // namespace engine::run
