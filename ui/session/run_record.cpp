// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/spec/event_line.h"

namespace ui::session {
namespace {

using namespace engine::spec;

constexpr int kFlushMs = 50;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMaxLogLines = 200'000;  // the oldest quarter goes when it is reached; the agent's journal keeps them
constexpr double kStepTimeWindow = 100;        // steps

int dutyRank(const TaskId& task) {
    if (task.type == "chief") return 0;
    if (task.type == "worker") return 1;
    return task.type == "ps" ? 2 : 3;
}

std::vector<TaskRecord> tasksOf(const RunSpec& run) {
    std::vector<TaskRecord> tasks;
    for (const Job& job : run.cluster.spec.jobs) {
        if (job.name == "evaluator") continue;  // no program starts one: it stands in TF_CONFIG alone
        for (const auto& [index, address] : job.tasks) {
            tasks.push_back({.id = {job.name, index}, .address = QString::fromStdString(address)});
        }
    }
    if (tasks.empty()) tasks.push_back({.id = {"worker", 0}});
    std::stable_sort(tasks.begin(), tasks.end(), [](const TaskRecord& a, const TaskRecord& b) {
        return std::pair(dutyRank(a.id), a.id.index) < std::pair(dutyRank(b.id), b.id.index);
    });
    return tasks;
}

std::vector<double> bucketLimits(const Distribution& distribution) {
    std::vector<double> limits;
    const std::size_t buckets = distribution.counts.size();
    for (std::size_t i = 0; i <= buckets && buckets > 0; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(buckets);
        limits.push_back(distribution.minimum + part * (distribution.maximum - distribution.minimum));
    }
    return limits;
}

void append(std::vector<VariableHistory>& histories, const std::vector<Distribution>& distributions, const NormEntry& when) {
    for (const Distribution& distribution : distributions) {
        auto at = std::find_if(histories.begin(), histories.end(), [&](const VariableHistory& h) { return h.name == distribution.name; });
        if (at == histories.end()) at = histories.insert(at, {.name = distribution.name, .entries = {}});
        at->entries.push_back({.step = when.step,
                               .epoch = when.epoch,
                               .time_s = when.time_s,
                               .minimum = distribution.minimum,
                               .maximum = distribution.maximum,
                               .mean = distribution.mean,
                               .deviation = distribution.deviation,
                               .norm = distribution.norm,
                               .not_finite = distribution.not_finite,
                               .limits = bucketLimits(distribution),
                               .counts = distribution.counts});
    }
}

}  // namespace

double RunSummary::result(const QString& result_name) const {
    for (const auto& [key, value] : results) {
        if (key == result_name) return value;
    }
    return kNan;
}

double EpochEntry::log(std::string_view name) const {
    for (const auto& [key, value] : end.logs) {
        if (key == name) return value;
    }
    return kNan;
}

const std::vector<double>* PointTable::find(std::string_view name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? nullptr : &columns[static_cast<std::size_t>(at - names.begin())];
}

void PointTable::dropAfter(double last_step) {
    const auto kept = static_cast<std::size_t>(std::upper_bound(step.begin(), step.end(), last_step) - step.begin());
    for (std::vector<double>* column : {&step, &epoch, &time_s, &examples}) column->resize(kept);
    for (std::vector<double>& column : columns) column.resize(std::min(column.size(), kept));
}

void PointTable::append(const StepPoints& points, std::int64_t origin_unix_ns) {
    const std::size_t before = size(), count = points.step.size();
    for (std::size_t i = 0; i < count; ++i) {
        step.push_back(static_cast<double>(points.step[i]));
        epoch.push_back(i < points.epoch.size() ? points.epoch[i] : kNan);
        time_s.push_back(i < points.time_unix_ns.size() ? static_cast<double>(points.time_unix_ns[i] - origin_unix_ns) / 1e9 : kNan);
        examples.push_back(points.examples_per_step);
    }
    for (const Column& column : points.columns) {
        const auto at = std::find(names.begin(), names.end(), column.name);
        const auto index = static_cast<std::size_t>(at - names.begin());
        if (at == names.end()) {
            names.push_back(column.name);
            columns.emplace_back(before, kNan);
        }
        std::vector<double>& values = columns[index];
        values.resize(before, kNan);
        for (std::size_t i = 0; i < count; ++i) values.push_back(i < column.values.size() ? column.values[i] : kNan);
    }
    for (auto& values : columns) values.resize(before + count, kNan);
}

void PointTable::appendRow(double at_step, double at_epoch, double at_time_s,
                           std::initializer_list<std::pair<const char*, double>> values) {
    step.push_back(at_step);
    epoch.push_back(at_epoch);
    time_s.push_back(at_time_s);
    examples.push_back(0);
    if (names.empty()) {
        for (const auto& [name, value] : values) names.emplace_back(name);
        columns.resize(names.size());
    }
    std::size_t column = 0;
    for (const auto& [name, value] : values) columns[column++].push_back(value);
}

RunRecord::RunRecord(RunSummary summary, QObject* parent) : QObject(parent), summary_(std::move(summary)) {
    takeProject(summary_.project_json);
    flush_timer_.setSingleShot(true);
    flush_timer_.setInterval(kFlushMs);
    connect(&flush_timer_, &QTimer::timeout, this, &RunRecord::flush);
}

// An attempt may have a project of its own: more epochs, other ports.
void RunRecord::takeProject(const QString& json) {
    run_ = parseProject(json.toStdString()).run;
    std::vector<TaskRecord> tasks = tasksOf(run_);
    for (TaskRecord& task : tasks) {
        TaskRecord& known = taskOf(task.id);
        known.address = std::move(task.address);
    }
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const TaskRecord& a, const TaskRecord& b) {
        return std::pair(dutyRank(a.id), a.id.index) < std::pair(dutyRank(b.id), b.id.index);
    });
}

std::int64_t RunRecord::lastStep() const {
    std::int64_t step = 0;
    for (const TaskRecord& task : tasks_) step = std::max(step, task.last_step);
    return step;
}

std::int64_t RunRecord::totalSteps() const {
    return started_ ? started_->steps_per_epoch * started_->epochs : 0;
}

const TaskRecord* RunRecord::findTask(const TaskId& task) const {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [&](const TaskRecord& t) { return t.id == task; });
    return at == tasks_.end() ? nullptr : &*at;
}

const PointTable& RunRecord::global() const {
    for (const TaskRecord& task : tasks_) {
        if (task.whole.size() > 0) return task.whole;
    }
    return tasks_.front().own;
}

// A task that was killed or given up before one that ended by itself, which may only have noticed it: both may be told in the same moment.
const TaskRecord* RunRecord::firstFailure() const {
    const TaskRecord* first = nullptr;
    const auto rank = [](const TaskRecord& task) { return std::pair(task.failure->exit_code >= 0, task.failed_unix_ns); };
    for (const TaskRecord& task : tasks_) {
        if (task.failure && (!first || rank(task) < rank(*first))) first = &task;
    }
    const bool noticed = first != nullptr && first->failure->exit_code >= 0 && silentTask() != nullptr;
    return noticed ? nullptr : first;
}

const TaskRecord* RunRecord::silentTask() const {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [](const TaskRecord& task) { return task.isSilent(); });
    return at == tasks_.end() ? nullptr : &*at;
}

std::vector<const TaskRecord*> RunRecord::waitingFor(const TaskId& task) const {
    std::vector<const TaskRecord*> waiting;
    for (const TaskRecord& one : tasks_) {
        const auto& awaited = one.awaited;
        if (one.state == TaskState::kWaiting && std::find(awaited.begin(), awaited.end(), task) != awaited.end()) waiting.push_back(&one);
    }
    return waiting;
}

std::vector<const TaskRecord*> RunRecord::missingTasks() const {
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

bool RunRecord::pausedBetween(double from_s, double to_s) const {
    return std::any_of(attempts_.begin(), attempts_.end(),
                       [&](const AttemptEntry& one) { return one.time_s > from_s && one.time_s <= to_s; });
}

TaskRecord& RunRecord::taskOf(const TaskId& task) {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [&](const TaskRecord& t) { return t.id == task; });
    if (at != tasks_.end()) return *at;
    tasks_.push_back({.id = task});
    return tasks_.back();
}

unsigned RunRecord::apply(const TaskEvent& event) {
    TaskRecord& task = taskOf(event.task);
    const double time_s = secondsSinceCreation(event.time_unix_ns);
    struct Visitor {
        RunRecord& record;
        TaskRecord& task;
        const TaskEvent& event;
        double time_s;

        unsigned operator()(const StateChanged& body) const {
            task.state = body.state;
            task.wait_cause = body.cause;
            task.awaited = body.awaited;
            task.detail = QString::fromStdString(body.detail);
            if (!isFinal(task.state)) task.failed_unix_ns = 0;
            if (task.state == TaskState::kFailed && task.failed_unix_ns == 0) task.failed_unix_ns = event.time_unix_ns;
            if (!task.isSilent() && !isFinal(task.state)) task.heard_unix_ns = event.time_unix_ns;
            if (task.states.size() == kMostStates) task.states.erase(task.states.begin());
            task.states.push_back({event.time_unix_ns, task.state, task.detail});
            return kTasks;
        }
        unsigned operator()(const StepPoints& body) const {
            (body.aggregated ? task.whole : task.own).append(body, record.summary_.created_unix_ns);
            if (!body.step.empty()) task.last_step = body.step.back();
            task.heard_unix_ns = event.time_unix_ns;
            const double weight = std::min(1.0, static_cast<double>(body.step.size()) / kStepTimeWindow);
            const double w = task.times.total_us() > 0 ? weight : 1.0;
            const auto blend = [w](double& mean, double value) { mean += w * (value - mean); };
            blend(task.times.input_us, body.input_us);
            blend(task.times.compute_us, body.compute_us);
            blend(task.times.wait_us, body.wait_us);
            blend(task.times.reduce_us, body.reduce_us);
            blend(task.times.apply_us, body.apply_us);
            const bool timed = body.input_us > 0 || body.compute_us > 0 || body.wait_us > 0 || body.reduce_us > 0 || body.apply_us > 0;
            if (!body.step.empty() && timed) {
                const PointTable& table = body.aggregated ? task.whole : task.own;
                task.phases.appendRow(table.step.back(), table.epoch.back(), table.time_s.back(),
                                      {{"input_us", body.input_us},
                                       {"compute_us", body.compute_us},
                                       {"wait_us", body.wait_us},
                                       {"reduce_us", body.reduce_us},
                                       {"apply_us", body.apply_us}});
            }
            return kPoints;
        }
        unsigned operator()(const EpochEnd& body) const {
            // Every training task may tell the end of an epoch; the first in rank order speaks for the run.
            if (event.task != record.tasks_.front().id) return 0;
            // A backup that was made between an epoch's last step and its end tells of that end again.
            while (!record.epochs_.empty() && record.epochs_.back().end.epoch >= body.epoch) record.epochs_.pop_back();
            record.epochs_.push_back({time_s, body});
            return kEpochs;
        }
        unsigned operator()(const CheckpointSaved& body) const {
            if (body.best) {
                for (CheckpointEntry& entry : record.checkpoints_) entry.saved.best = false;
            }
            record.checkpoints_.push_back({time_s, body});
            return kCheckpoints;
        }
        unsigned operator()(const LogLine& /*body*/) const { return 0; }  // its line is added for every body below
        unsigned operator()(const RunStarted& body) const {
            record.started_ = body;
            if (record.attempts_.empty() || record.attempts_.back().resumed_step) return kState;
            record.attempts_.back().resumed_step = body.resumed_step;
            return kState | record.dropAfter(body.resumed_step);
        }
        unsigned operator()(const ControlApplied& body) const {
            if (event.task != record.tasks_.front().id) return 0;
            record.controls_.push_back({time_s, body});
            return kControls;
        }
        unsigned operator()(const TaskFinished& body) const {
            if (event.task == record.tasks_.front().id) record.finished_ = body;
            if (!isFinal(task.state)) task.state = TaskState::kDone;
            return kTasks | kState;
        }
        unsigned operator()(const TaskFailed& body) const {
            task.state = TaskState::kFailed;
            task.detail = QString::fromStdString(body.reason);
            task.failure = body;
            if (task.failed_unix_ns == 0) task.failed_unix_ns = event.time_unix_ns;  // else told before
            return kTasks | kState;
        }
        unsigned operator()(const Heartbeat& body) const {
            task.heard_unix_ns = event.time_unix_ns;
            task.resident_bytes = body.resident_bytes;
            task.cpu_cores = body.cpu_cores;
            // A task that begins again counts its steps from 0 until its first one.
            const double before = task.resources.size() > 0 ? task.resources.step.back() : 0;
            task.resources.appendRow(std::max(static_cast<double>(body.step), before), kNan, time_s,
                                     {{"cpu_cores", body.cpu_cores}, {"memory_bytes", static_cast<double>(body.resident_bytes)}});
            return kTasks;
        }
        unsigned operator()(const WeightReport& body) const {
            record.add(body, time_s);
            return kWeights;
        }
        unsigned operator()(const AttemptStarted& body) const {
            record.attempts_.push_back({time_s, task.last_step, event.task, body, {}});
            record.beginAttempt();
            return kTasks | kState;
        }
    };
    unsigned dirty = std::visit(Visitor{*this, task, event, time_s}, event.body);
    if (const auto line = eventLine(event.body)) dirty |= addLine(event, line->level, QString::fromStdString(line->text));
    return dirty;
}

void RunRecord::add(const WeightReport& report, double time_s) {
    if (!norms_.empty() && norms_.back().step >= static_cast<double>(report.step)) dropReportsAfter(static_cast<double>(report.step) - 1);
    const NormEntry entry{.step = static_cast<double>(report.step),
                          .epoch = static_cast<double>(report.epoch),
                          .time_s = time_s,
                          .weights = report.weights_norm,
                          .gradients = report.gradients.empty() ? kNan : report.gradients_norm};
    norms_.push_back(entry);
    append(weights_, report.weights, entry);
    append(gradients_, report.gradients, entry);
    if (!report.filters.name.empty()) filters_.push_back({entry.step, entry.epoch, time_s, report.filters});
}

// Every task is as at the start of the run; how the last attempt ended is in the log.
void RunRecord::beginAttempt() {
    for (TaskRecord& task : tasks_) {
        task.state = TaskState::kNotStarted;
        task.detail.clear();
        task.failure.reset();
        task.failed_unix_ns = task.heard_unix_ns = 0;
        task.wait_cause = WaitCause::kNone;
        task.awaited.clear();
    }
    finished_.reset();
    if (!isFinal(summary_.state)) summary_.state = RunState::kStarting;
}

// What comes again, by the backup that the chief has gone on from.
unsigned RunRecord::dropAfter(std::int64_t step) {
    const auto last = static_cast<double>(step);
    for (TaskRecord& task : tasks_) {
        for (PointTable* table : {&task.own, &task.whole, &task.phases, &task.resources}) table->dropAfter(last);
    }
    std::erase_if(epochs_, [&](const EpochEntry& entry) { return entry.end.step > step; });
    std::erase_if(checkpoints_, [&](const CheckpointEntry& entry) { return entry.saved.step > step; });
    dropReportsAfter(last);
    return kSuperseded | kPoints | kEpochs | kCheckpoints | kWeights;
}

void RunRecord::dropReportsAfter(double last_step) {
    const auto isLater = [&](const auto& entry) { return entry.step > last_step; };
    for (auto* histories : {&weights_, &gradients_}) {
        for (VariableHistory& history : *histories) std::erase_if(history.entries, isLater);
    }
    std::erase_if(norms_, isLater);
    std::erase_if(filters_, isLater);
}

unsigned RunRecord::addLine(const TaskEvent& event, LogLevel level, const QString& text) {
    logs_.push_back({event.time_unix_ns, event.task, level, text});
    if (logs_.size() > kMaxLogLines) logs_.erase(logs_.begin(), logs_.begin() + kMaxLogLines / 4);
    return kLogs;
}

void RunRecord::ingest(const std::vector<TaskEvent>& events) {
    unsigned dirty = 0;
    for (const TaskEvent& event : events) {
        if (event.sequence != 0 && event.sequence <= last_sequence_) continue;
        last_sequence_ = std::max(last_sequence_, event.sequence);
        last_event_unix_ns_ = std::max(last_event_unix_ns_, event.time_unix_ns);
        dirty |= apply(event);
    }
    if (dirty & kTasks) {
        const RunState before = summary_.state;
        updatePhase();
        if (before != summary_.state) dirty |= kState;
    }
    mark(dirty);
}

// Between two words of the agent the chief's state says what the run does; the end is the agent's to say.
void RunRecord::updatePhase() {
    if (isFinal(summary_.state)) return;
    switch (tasks_.front().state) {
        case TaskState::kTraining:
        case TaskState::kWaiting:
            summary_.state = RunState::kTraining;
            break;
        case TaskState::kPaused:
            summary_.state = RunState::kPaused;
            break;
        default:
            break;
    }
}

void RunRecord::addDropped(std::int64_t points) {
    dropped_points_ += points;
    mark(kState);
}

void RunRecord::setSummary(const RunSummary& summary) {
    if (summary == summary_) return;
    const RunState live = summary_.state;
    const bool was_final = isFinal(live);
    const bool goes_on = summary.attempts > summary_.attempts;
    if (summary.project_json != summary_.project_json) takeProject(summary.project_json);
    summary_ = summary;
    if (was_final && !isFinal(summary.state) && !goes_on) summary_.state = live;  // an older answer that overtook
    if (was_final && goes_on) beginAttempt();
    updatePhase();
    mark(kState);
    endTasks();
}

void RunRecord::endOfEvents() {
    has_all_events_ = true;
    endTasks();
}

void RunRecord::endTasks() {
    if (!has_all_events_ || !isFinal(summary_.state)) return;
    for (TaskRecord& task : tasks_) {
        if (engine::spec::isFinal(task.state)) continue;
        task.state = TaskState::kStopped;
        task.detail = summary_.detail;
        mark(kTasks);
    }
}

void RunRecord::mark(unsigned dirty) {
    if (dirty == 0) return;
    dirty_ |= dirty;
    if (!flush_timer_.isActive()) flush_timer_.start();
}

void RunRecord::flush() {
    const unsigned dirty = std::exchange(dirty_, 0u);
    if (dirty & kSuperseded) emit superseded();
    if (dirty & kState) emit stateChanged();
    if (dirty & kTasks) emit tasksChanged();
    if (dirty & kEpochs) emit epochsChanged();
    if (dirty & kCheckpoints) emit checkpointsChanged();
    if (dirty & kControls) emit controlsChanged();
    if (dirty & kPoints) emit pointsArrived();
    if (dirty & kWeights) emit weightsArrived();
    if (dirty & kLogs) emit logsArrived();
}

}  // namespace ui::session
