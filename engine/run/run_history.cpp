#include "engine/run/run_history.h"

#include <algorithm>
#include <limits>

#include "engine/spec/events/event_line.h"

namespace engine::run {

using namespace spec;

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMaxLogLines = 200'000;  // the oldest quarter goes when it is reached; the agent's journal keeps them

}  // namespace

double EpochEntry::log(std::string_view name) const {
    for (const auto& [key, value] : end.logs) {
        if (key == name) return value;
    }
    return kNoValue;
}

RunHistory::RunHistory(RunInfo info) : info_(std::move(info)) {
    takeProject(info_.project_json);
}

// An attempt may have a project of its own: more epochs, other ports.
void RunHistory::takeProject(const std::string& json) {
    run_ = spec::parseProject(json).run;
    tasks_.take(run_);
}

std::int64_t RunHistory::totalSteps() const {
    return started_ ? started_->steps_per_epoch * std::max<std::int64_t>(0, started_->epochs - epochsPassedOver()) : 0;
}

bool RunHistory::pausedBetween(double from_s, double to_s) const {
    return std::any_of(attempts_.begin(), attempts_.end(),
                       [&](const AttemptEntry& one) { return one.time_s > from_s && one.time_s <= to_s; });
}

unsigned RunHistory::apply(const TaskEvent& event) {
    TaskRecord& task = tasks_.of(event.task);
    const double time_s = secondsSinceCreation(event.time_unix_ns);
    struct Visitor {
        RunHistory& record;
        TaskRecord& task;
        const TaskEvent& event;
        double time_s;

        unsigned operator()(const StateChanged& body) const {
            if (body.state == TaskState::kNotStarted && !body.detail.empty())
                record.returns_.push_back({time_s, record.lastStep(), event.task, body.detail});
            task.hear(body, event.time_unix_ns);
            return kTasks;
        }
        unsigned operator()(const StepPoints& body) const {
            const bool rows_went = task.hear(body, event.time_unix_ns, record.info_.created_unix_ns);
            return rows_went ? kPoints | kSuperseded : unsigned{kPoints};
        }
        unsigned operator()(const EpochEnd& body) const {
            // Every training task may tell the end of an epoch; the first in rank order speaks for the run, an evaluator for itself.
            if (event.task != record.tasks_.front().id && event.task.type != kEvaluator) return 0;
            return record.addEpoch({time_s, body});
        }
        unsigned operator()(const CheckpointSaved& body) const {
            if (body.best) {
                for (CheckpointEntry& entry : record.checkpoints_) entry.saved.best = false;
            }
            const auto is_gone = [&](const CheckpointEntry& entry) {
                return std::find(body.removed.begin(), body.removed.end(), entry.saved.prefix) != body.removed.end();
            };
            const bool some_went = std::erase_if(record.checkpoints_, is_gone) > 0;
            record.checkpoints_.push_back({time_s, body});
            return kCheckpoints | (some_went ? kSuperseded : 0U);
        }
        unsigned operator()(const LogLine& /*body*/) const { return 0; }  // its line is added for every body below
        unsigned operator()(const RunStarted& body) const {
            if (!record.started_) record.resumed_at_first_ = body.resumed_step;
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
            task.hear(body);
            return kTasks | kState;
        }
        unsigned operator()(const TaskFailed& body) const {
            task.hear(body, event.time_unix_ns);
            return kTasks | kState;
        }
        unsigned operator()(const Heartbeat& body) const {
            task.hear(body, event.time_unix_ns, record.info_.created_unix_ns);
            return kTasks;
        }
        unsigned operator()(const ServerLoad& body) const {
            task.hear(body, static_cast<double>(record.lastStep()), time_s);
            return kTasks;
        }
        unsigned operator()(const WeightReport& body) const {
            record.weight_reports_.add(body, time_s);
            return kWeights;
        }
        unsigned operator()(const LayerReport& body) const {
            record.weight_reports_.add(body, time_s);
            return kWeights;
        }
        unsigned operator()(const AttemptStarted& body) const {
            if (!beginsAgain(body)) return record.tasks_.takeHosts(body.hosts) ? unsigned{kTasks} : 0U;
            const std::int64_t before = record.last_event_unix_ns_;
            const std::int64_t idle = body.by_hand && before > 0 ? std::max<std::int64_t>(0, event.time_unix_ns - before) : 0;
            record.attempts_.push_back({time_s, task.last_step, event.task, body, {}, idle});
            record.beginAttempt();
            record.tasks_.takeHosts(body.hosts);
            return kTasks | kState;
        }
    };
    unsigned changes = std::visit(Visitor{*this, task, event, time_s}, event.body);
    if (const auto line = eventLine(event.body)) changes |= addLine(event, line->level, line->text);
    return changes;
}

// Every task is as at the start of the run; how the last attempt ended is in the log.
void RunHistory::beginAttempt() {
    tasks_.beginAttempt();
    finished_.reset();
    if (!isFinal(info_.state)) info_.state = RunState::kStarting;
}

// What comes again, by the backup that the chief has gone on from.
unsigned RunHistory::dropAfter(std::int64_t step) {
    const auto last = static_cast<double>(step);
    tasks_.dropAfter(last);
    std::erase_if(epochs_, [&](const EpochEntry& entry) { return entry.end.step > step; });
    std::erase_if(checkpoints_, [&](const CheckpointEntry& entry) { return entry.saved.step > step; });
    weight_reports_.dropAfter(last);
    return kSuperseded | kPoints | kEpochs | kCheckpoints | kWeights;
}

// Adds an entry in the order of steps. What was measured after the same step is one entry: an evaluator tells of an epoch's end later than
// the chief, and a backup that was made between an epoch's last step and its end tells of that end again.
unsigned RunHistory::addEpoch(EpochEntry entry) {
    const auto at = std::lower_bound(epochs_.begin(), epochs_.end(), entry.end.step,
                                     [](const EpochEntry& one, std::int64_t step) { return one.end.step < step; });
    if (at == epochs_.end()) {
        epochs_.push_back(std::move(entry));
        return kEpochs;
    }
    if (at->end.step > entry.end.step) {
        epochs_.insert(at, std::move(entry));
        return kEpochs | kSuperseded;
    }
    if (!isEvaluation(entry.end)) {
        std::swap(*at, entry);
    }
    for (const auto& [name, value] : entry.end.logs) {
        auto& logs = at->end.logs;
        const auto known = std::find_if(logs.begin(), logs.end(), [&, &key = name](const auto& log) { return log.first == key; });
        if (known == logs.end()) {
            logs.emplace_back(name, value);
        } else if (isEvaluation(entry.end)) {
            known->second = value;
        }
    }
    return kEpochs | kSuperseded;
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
    return tasks_.stopAll(info_.detail) ? unsigned{kTasks} : 0U;
}

}  // namespace engine::run
