#include "engine/run/run_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/spec/events/event_line.h"

namespace engine::run {

using namespace spec;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMaxLogLines = 200'000;  // the oldest quarter goes when it is reached; the agent's journal keeps them
constexpr double kStepTimeWindow = 100;        // steps

int dutyRank(const TaskId& task) {
    if (task.type == "chief") return 0;
    if (task.type == "worker") return 1;
    return task.type == "ps" ? 2 : 3;
}

// As the cluster lists them.
std::vector<TaskRecord> tasksOf(const RunSpec& run) {
    std::vector<TaskRecord> tasks;
    for (const Job& job : run.cluster.spec.jobs) {
        if (job.name == "evaluator") continue;  // no program starts one: it stands in TF_CONFIG alone
        for (const auto& [index, address] : job.tasks) {
            tasks.push_back({.id = {job.name, index}, .address = address});
        }
    }
    if (tasks.empty()) tasks.push_back({.id = {"worker", 0}});
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

double EpochEntry::log(std::string_view name) const {
    for (const auto& [key, value] : end.logs) {
        if (key == name) return value;
    }
    return kNan;
}

RunHistory::RunHistory(RunInfo info) : info_(std::move(info)) {
    takeProject(info_.project_json);
}

// An attempt may have a project of its own: more epochs, other ports.
void RunHistory::takeProject(const std::string& json) {
    run_ = spec::parseProject(json).run;
    std::vector<TaskRecord> tasks = tasksOf(run_);
    for (TaskRecord& task : tasks) {
        TaskRecord& known = taskOf(task.id);
        known.address = std::move(task.address);
    }
    // In rank order: the chief, the workers, then the others.
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const TaskRecord& a, const TaskRecord& b) {
        return std::pair(dutyRank(a.id), a.id.index) < std::pair(dutyRank(b.id), b.id.index);
    });
}

std::int64_t RunHistory::lastStep() const {
    std::int64_t step = 0;
    for (const TaskRecord& task : tasks_) step = std::max(step, task.last_step);
    return step;
}

std::int64_t RunHistory::totalSteps() const {
    return started_ ? started_->steps_per_epoch * started_->epochs : 0;
}

const TaskRecord* RunHistory::findTask(const TaskId& task) const {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [&](const TaskRecord& t) { return t.id == task; });
    return at == tasks_.end() ? nullptr : &*at;
}

const PointTable& RunHistory::global() const {
    for (const TaskRecord& task : tasks_) {
        if (task.whole.size() > 0) return task.whole;
    }
    return tasks_.front().own;
}

// A task that was killed or given up before one that ended by itself, which may only have noticed it: both may be told in the same moment.
const TaskRecord* RunHistory::firstFailure() const {
    const TaskRecord* first = nullptr;
    const auto rank = [](const TaskRecord& task) { return std::pair(task.failure->exit_code >= 0, task.failed_unix_ns); };
    for (const TaskRecord& task : tasks_) {
        if (task.failure && (!first || rank(task) < rank(*first))) first = &task;
    }
    const bool noticed = first != nullptr && first->failure->exit_code >= 0 && silentTask() != nullptr;
    return noticed ? nullptr : first;
}

const TaskRecord* RunHistory::silentTask() const {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [](const TaskRecord& task) { return task.isSilent(); });
    return at == tasks_.end() ? nullptr : &*at;
}

std::vector<const TaskRecord*> RunHistory::waitingFor(const TaskId& task) const {
    std::vector<const TaskRecord*> waiting;
    for (const TaskRecord& one : tasks_) {
        const auto& awaited = one.awaited;
        if (one.state == TaskState::kWaiting && std::find(awaited.begin(), awaited.end(), task) != awaited.end()) waiting.push_back(&one);
    }
    return waiting;
}

std::vector<const TaskRecord*> RunHistory::missingTasks() const {
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

bool RunHistory::pausedBetween(double from_s, double to_s) const {
    return std::any_of(attempts_.begin(), attempts_.end(),
                       [&](const AttemptEntry& one) { return one.time_s > from_s && one.time_s <= to_s; });
}

TaskRecord& RunHistory::taskOf(const TaskId& task) {
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), [&](const TaskRecord& t) { return t.id == task; });
    if (at != tasks_.end()) return *at;
    tasks_.push_back({.id = task});
    return tasks_.back();
}

unsigned RunHistory::apply(const TaskEvent& event) {
    TaskRecord& task = taskOf(event.task);
    const double time_s = secondsSinceCreation(event.time_unix_ns);
    struct Visitor {
        RunHistory& record;
        TaskRecord& task;
        const TaskEvent& event;
        double time_s;

        unsigned operator()(const StateChanged& body) const {
            task.state = body.state;
            task.wait_cause = body.cause;
            task.awaited = body.awaited;
            task.detail = body.detail;
            if (!isFinal(task.state)) task.failed_unix_ns = 0;
            if (task.state == TaskState::kFailed && task.failed_unix_ns == 0) task.failed_unix_ns = event.time_unix_ns;
            if (!task.isSilent() && !isFinal(task.state)) task.heard_unix_ns = event.time_unix_ns;
            if (task.states.size() == kMostStates) task.states.erase(task.states.begin());
            task.states.push_back({event.time_unix_ns, task.state, task.detail});
            return kTasks;
        }
        unsigned operator()(const StepPoints& body) const {
            (body.aggregated ? task.whole : task.own).append(body, record.info_.created_unix_ns);
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
            task.detail = body.reason;
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
            const std::int64_t before = record.last_event_unix_ns_;
            const std::int64_t idle = body.by_hand && before > 0 ? std::max<std::int64_t>(0, event.time_unix_ns - before) : 0;
            record.attempts_.push_back({time_s, task.last_step, event.task, body, {}, idle});
            record.beginAttempt();
            return kTasks | kState;
        }
    };
    unsigned changes = std::visit(Visitor{*this, task, event, time_s}, event.body);
    if (const auto line = eventLine(event.body)) changes |= addLine(event, line->level, line->text);
    return changes;
}

void RunHistory::add(const WeightReport& report, double time_s) {
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
void RunHistory::beginAttempt() {
    for (TaskRecord& task : tasks_) {
        task.state = TaskState::kNotStarted;
        task.detail.clear();
        task.failure.reset();
        task.failed_unix_ns = task.heard_unix_ns = 0;
        task.wait_cause = WaitCause::kNone;
        task.awaited.clear();
    }
    finished_.reset();
    if (!isFinal(info_.state)) info_.state = RunState::kStarting;
}

// What comes again, by the backup that the chief has gone on from.
unsigned RunHistory::dropAfter(std::int64_t step) {
    const auto last = static_cast<double>(step);
    for (TaskRecord& task : tasks_) {
        for (PointTable* table : {&task.own, &task.whole, &task.phases, &task.resources}) table->dropAfter(last);
    }
    std::erase_if(epochs_, [&](const EpochEntry& entry) { return entry.end.step > step; });
    std::erase_if(checkpoints_, [&](const CheckpointEntry& entry) { return entry.saved.step > step; });
    dropReportsAfter(last);
    return kSuperseded | kPoints | kEpochs | kCheckpoints | kWeights;
}

void RunHistory::dropReportsAfter(double last_step) {
    const auto isLater = [&](const auto& entry) { return entry.step > last_step; };
    for (auto* histories : {&weights_, &gradients_}) {
        for (VariableHistory& history : *histories) std::erase_if(history.entries, isLater);
    }
    std::erase_if(norms_, isLater);
    std::erase_if(filters_, isLater);
}

unsigned RunHistory::addLine(const TaskEvent& event, LogLevel level, std::string text) {
    logs_.push_back({event.time_unix_ns, event.task, level, std::move(text)});
    if (logs_.size() > kMaxLogLines) logs_.erase(logs_.begin(), logs_.begin() + kMaxLogLines / 4);
    return kLogs;
}

unsigned RunHistory::add(const std::vector<TaskEvent>& events) {
    unsigned changes = 0;
    for (const TaskEvent& event : events) {
        if (event.sequence != 0 && event.sequence <= last_sequence_) continue;
        last_sequence_ = std::max(last_sequence_, event.sequence);
        changes |= apply(event);
        last_event_unix_ns_ = std::max(last_event_unix_ns_, event.time_unix_ns);
    }
    if (changes & kTasks) {
        const RunState before = info_.state;
        updateState();
        if (before != info_.state) changes |= kState;
    }
    return changes;
}

// Between two words of the agent the chief's state says what the run does; the end is the agent's to say.
void RunHistory::updateState() {
    if (isFinal(info_.state)) return;
    switch (tasks_.front().state) {
        case TaskState::kTraining:
        case TaskState::kWaiting:
            info_.state = RunState::kTraining;
            break;
        case TaskState::kPaused:
            info_.state = RunState::kPaused;
            break;
        default:
            break;
    }
}

unsigned RunHistory::setInfo(RunInfo info) {
    const RunState live = info_.state;
    const bool was_final = isFinal(live);
    const bool goes_on = info.attempts > info_.attempts;
    if (info.project_json != info_.project_json) takeProject(info.project_json);
    info_ = std::move(info);
    if (was_final && !isFinal(info_.state) && !goes_on) info_.state = live;  // an older answer that overtook
    if (was_final && goes_on) beginAttempt();
    updateState();
    return kState | endTasks();
}

unsigned RunHistory::endOfEvents() {
    has_all_events_ = true;
    return endTasks();
}

unsigned RunHistory::endTasks() {
    if (!has_all_events_ || !isFinal(info_.state)) return 0;
    unsigned changes = 0;
    for (TaskRecord& task : tasks_) {
        if (isFinal(task.state)) continue;
        task.state = TaskState::kStopped;
        task.detail = info_.detail;
        changes = kTasks;
    }
    return changes;
}

}  // namespace engine::run
