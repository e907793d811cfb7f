#include "engine/run/task_records.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/spec/cluster/cluster_hosts.h"

namespace engine::run {

using namespace spec;

namespace {

constexpr double kNoReading = std::numeric_limits<double>::quiet_NaN();
constexpr double kStepTimeWindow = 100;  // steps

int dutyRank(const TaskId& task) {
    if (task.type == "chief") return 0;
    if (task.type == "worker") return 1;
    return task.type == "ps" ? 2 : 3;
}

// The tasks as the cluster lists them.
std::vector<TaskRecord> tasksOf(const RunSpec& run) {
    std::vector<TaskRecord> tasks;
    for (const Job& job : run.cluster.spec.jobs) {
        for (const auto& [index, address] : job.tasks) {
            tasks.push_back({.id = {job.name, index}, .address = address});
        }
    }
    if (tasks.empty()) tasks.push_back({.id = {"worker", 0}});
    return tasks;
}

double secondsBetween(std::int64_t from_unix_ns, std::int64_t to_unix_ns) {
    return static_cast<double>(to_unix_ns - from_unix_ns) / 1e9;
}

}  // namespace

void TaskRecord::hear(const StateChanged& body, std::int64_t time_unix_ns) {
    state = body.state;
    wait_cause = body.cause;
    awaited = body.awaited;
    detail = body.detail;
    if (!isFinal(state)) failed_unix_ns = 0;
    if (state == TaskState::kFailed && failed_unix_ns == 0) failed_unix_ns = time_unix_ns;
    if (!isSilent() && !isFinal(state)) heard_unix_ns = time_unix_ns;
    if (states.size() == kMostStates) states.erase(states.begin());
    states.push_back({time_unix_ns, state, detail});
}

bool TaskRecord::hear(const StepPoints& body, std::int64_t time_unix_ns, std::int64_t created_unix_ns) {
    const bool rows_went = (body.aggregated ? whole : own).append(body, created_unix_ns);
    if (rows_went) phases.dropAfter(static_cast<double>(*std::min_element(body.step.begin(), body.step.end())) - 1);
    if (!body.step.empty()) last_step = body.step.back();
    heard_unix_ns = time_unix_ns;
    const double weight = std::min(1.0, static_cast<double>(body.step.size()) / kStepTimeWindow);
    const double w = times.total_us() > 0 ? weight : 1.0;
    const auto blend = [w](double& mean, double value) { mean += w * (value - mean); };
    blend(times.input_us, body.input_us);
    blend(times.compute_us, body.compute_us);
    blend(times.wait_us, body.wait_us);
    blend(times.reduce_us, body.reduce_us);
    blend(times.apply_us, body.apply_us);
    const bool timed = body.input_us > 0 || body.compute_us > 0 || body.wait_us > 0 || body.reduce_us > 0 || body.apply_us > 0;
    if (!body.step.empty() && timed) {
        const PointTable& table = body.aggregated ? whole : own;
        phases.appendRow(table.step.back(), table.epoch.back(), table.time_s.back(),
                         {{"input_us", body.input_us},
                          {"compute_us", body.compute_us},
                          {"wait_us", body.wait_us},
                          {"reduce_us", body.reduce_us},
                          {"apply_us", body.apply_us}});
    }
    return rows_went;
}

void TaskRecord::hear(const Heartbeat& body, std::int64_t time_unix_ns, std::int64_t created_unix_ns) {
    heard_unix_ns = time_unix_ns;
    resident_bytes = body.resident_bytes;
    cpu_cores = body.cpu_cores;
    // A task that begins again counts its steps from 0 until its first one.
    const double before = resources.size() > 0 ? resources.step.back() : 0;
    resources.appendRow(std::max(static_cast<double>(body.step), before), kNoReading, secondsBetween(created_unix_ns, time_unix_ns),
                        {{"cpu_cores", body.cpu_cores}, {"memory_bytes", static_cast<double>(body.resident_bytes)}});
}

void ServerRecord::dropAfter(double last_step) {
    loads.dropAfter(last_step);
    staleness.resize(std::min(staleness.size(), loads.size()));
}

void TaskRecord::hear(const ServerLoad& body, double step, double time_s) {
    if (!(body.seconds > 0)) return;
    const auto rate = [&](std::int64_t count) { return static_cast<double>(count) / body.seconds; };
    const double before = serving.loads.size() > 0 ? serving.loads.step.back() : 0;
    serving.loads.appendRow(std::max(step, before), kNoReading, time_s,
                            {{"updates_per_s", rate(body.updates)},
                             {"pulled_bytes_per_s", rate(body.pulled_bytes)},
                             {"pushed_bytes_per_s", rate(body.pushed_bytes)}});
    serving.staleness.push_back(body.staleness);
}

void TaskRecord::hear(const TaskFailed& body, std::int64_t time_unix_ns) {
    state = TaskState::kFailed;
    detail = body.reason;
    failure = body;
    if (failed_unix_ns == 0) failed_unix_ns = time_unix_ns;  // else told before
}

void TaskRecord::hear(const TaskFinished& /*body*/) {
    if (!isFinal(state)) state = TaskState::kDone;
}

const TaskRecord* TaskRecords::find(const TaskId& task) const {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [&](const TaskRecord& t) { return t.id == task; });
    return at == tasks_.end() ? nullptr : &*at;
}

std::int64_t TaskRecords::lastStep() const {
    std::int64_t step = 0;
    for (const TaskRecord& task : tasks_) step = std::max(step, task.last_step);
    return step;
}

const PointTable& TaskRecords::global() const {
    for (const TaskRecord& task : tasks_) {
        if (task.whole.size() > 0) return task.whole;
    }
    return tasks_.front().own;
}

std::vector<std::int64_t> TaskRecords::stalenessCounts() const {
    std::vector<std::int64_t> counts;
    for (const TaskRecord& task : tasks_) {
        for (const std::vector<std::int64_t>& row : task.serving.staleness) {
            counts.resize(std::max(counts.size(), row.size()), 0);
            for (std::size_t i = 0; i < row.size(); ++i) counts[i] += row[i];
        }
    }
    return counts;
}

// A task that was killed or given up before one that ended by itself, which may only have noticed it: both may be told in the same moment.
const TaskRecord* TaskRecords::firstFailure() const {
    const TaskRecord* first = nullptr;
    const auto rank = [](const TaskRecord& task) { return std::pair(task.failure->exit_code >= 0, task.failed_unix_ns); };
    for (const TaskRecord& task : tasks_) {
        if (task.failure && (!first || rank(task) < rank(*first))) first = &task;
    }
    const bool noticed = first != nullptr && first->failure->exit_code >= 0 && silent() != nullptr;
    return noticed ? nullptr : first;
}

const TaskRecord* TaskRecords::silent() const {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [](const TaskRecord& task) { return task.isSilent(); });
    return at == tasks_.end() ? nullptr : &*at;
}

std::vector<const TaskRecord*> TaskRecords::waitingFor(const TaskId& task) const {
    std::vector<const TaskRecord*> waiting;
    for (const TaskRecord& one : tasks_) {
        const auto& awaited = one.awaited;
        if (one.state == TaskState::kWaiting && std::find(awaited.begin(), awaited.end(), task) != awaited.end()) waiting.push_back(&one);
    }
    return waiting;
}

std::vector<const TaskRecord*> TaskRecords::missing() const {
    std::vector<const TaskRecord*> certain, connecting, awaited;
    for (const TaskRecord& task : tasks_) {
        const bool connects = task.state == TaskState::kConnecting;
        const bool is_awaited = !waitingFor(task.id).empty();
        if (connects) connecting.push_back(&task);
        if (is_awaited) awaited.push_back(&task);
        if (task.state == TaskState::kNotStarted || task.isSilent() || (connects && is_awaited)) certain.push_back(&task);
    }
    return !certain.empty() ? certain : !connecting.empty() ? connecting : awaited;
}

void TaskRecords::take(const RunSpec& run) {
    std::vector<TaskRecord> tasks = tasksOf(run);
    for (TaskRecord& task : tasks) {
        TaskRecord& known = of(task.id);
        known.address = std::move(task.address);
    }
    sort();
}

void TaskRecords::sort() {
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const TaskRecord& a, const TaskRecord& b) {
        return std::pair(dutyRank(a.id), a.id.index) < std::pair(dutyRank(b.id), b.id.index);
    });
}

bool TaskRecords::takeHosts(const std::vector<TaskHost>& hosts) {
    bool is_new = false;
    for (const TaskHost& one : hosts) {
        TaskRecord& known = of(one.task);
        if (!known.address.empty() && hostOf(known.address) == one.host) continue;  // with its port
        known.address = one.host;
        is_new = true;
    }
    if (is_new) sort();
    return is_new;
}

TaskRecord& TaskRecords::of(const TaskId& task) {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [&](const TaskRecord& t) { return t.id == task; });
    if (at != tasks_.end()) return *at;
    tasks_.push_back({.id = task});
    return tasks_.back();
}

void TaskRecords::beginAttempt() {
    for (TaskRecord& task : tasks_) {
        task.state = TaskState::kNotStarted;
        task.detail.clear();
        task.failure.reset();
        task.failed_unix_ns = task.heard_unix_ns = 0;
        task.wait_cause = WaitCause::kNone;
        task.awaited.clear();
    }
}

void TaskRecords::dropAfter(double last_step) {
    for (TaskRecord& task : tasks_) {
        for (PointTable* table : {&task.own, &task.whole, &task.phases, &task.resources}) table->dropAfter(last_step);
        task.serving.dropAfter(last_step);
    }
}

bool TaskRecords::stopAll(const std::string& detail) {
    bool any = false;
    for (TaskRecord& task : tasks_) {
        if (isFinal(task.state)) continue;
        task.state = TaskState::kStopped;
        task.detail = detail;
        any = true;
    }
    return any;
}

}  // namespace engine::run
