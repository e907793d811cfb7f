#include "engine/report/run_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/report/rate_meter.h"

namespace engine::report {
namespace {

using namespace spec;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

int dutyRank(const TaskId& task) {
    if (task.type == "chief") return 0;
    if (task.type == "worker") return 1;
    return task.type == "ps" ? 2 : 3;
}

}  // namespace

void SeriesData::append(std::int64_t at_step, double at_epoch, double at_time_s, double one_value) {
    step.push_back(at_step);
    epoch.push_back(at_epoch);
    time_s.push_back(at_time_s);
    value.push_back(one_value);
}

void SeriesData::dropAfter(std::int64_t last_step) {
    while (!step.empty() && step.back() > last_step) {
        step.pop_back();
        epoch.pop_back();
        time_s.pop_back();
        value.pop_back();
    }
}

const SeriesData* RunData::find(std::string_view name) const {
    const auto at = std::find_if(series.begin(), series.end(), [&](const SeriesData& one) { return one.name == name; });
    return at == series.end() ? nullptr : &*at;
}

std::string attemptText(const TaskId& lost, const AttemptStarted& attempt) {
    if (attempt.by_hand) {
        return "attempt " + std::to_string(attempt.attempt) + ", started by hand" +
               (attempt.reason.empty() ? "" : "; the one before: " + attempt.reason);
    }
    return "attempt " + std::to_string(attempt.attempt) + " of " + std::to_string(attempt.attempts) + ": " + toString(lost) + " " +
           attempt.reason;
}

std::vector<TaskData> tasksOf(const RunSpec& run) {
    std::vector<TaskData> tasks;
    for (const Job& job : run.cluster.spec.jobs) {
        for (const auto& [index, address] : job.tasks) tasks.push_back({.id = {job.name, index}, .address = address});
    }
    if (tasks.empty()) tasks.push_back({.id = {"worker", 0}});
    std::stable_sort(tasks.begin(), tasks.end(), [](const TaskData& a, const TaskData& b) {
        return std::pair(dutyRank(a.id), a.id.index) < std::pair(dutyRank(b.id), b.id.index);
    });
    return tasks;
}

RunDataCollector::RunDataCollector(RunFacts facts) {
    data_.tasks = tasksOf(facts.run);
    data_.facts = std::move(facts);
    told_.resize(data_.tasks.size());
}

std::size_t RunDataCollector::placeOf(const TaskId& task) {
    const auto at = std::find_if(data_.tasks.begin(), data_.tasks.end(), [&](const TaskData& one) { return one.id == task; });
    const auto place = static_cast<std::size_t>(at - data_.tasks.begin());
    if (at == data_.tasks.end()) {
        data_.tasks.push_back({.id = task});
        told_.emplace_back();
    }
    return place;
}

void RunDataCollector::appendTable(Table& table, const StepPoints& points, std::int64_t origin_unix_ns) {
    const std::size_t before = table.step.size(), count = points.step.size();
    for (std::size_t i = 0; i < count; ++i) {
        table.step.push_back(points.step[i]);
        table.epoch.push_back(i < points.epoch.size() ? points.epoch[i] : kNan);
        table.time_s.push_back(i < points.time_unix_ns.size() ? static_cast<double>(points.time_unix_ns[i] - origin_unix_ns) / 1e9 : kNan);
        table.examples.push_back(points.examples_per_step);
    }
    for (const Column& column : points.columns) {
        auto at = std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& one) { return one.first == column.name; });
        if (at == table.columns.end()) at = table.columns.insert(at, {column.name, std::vector<double>(before, kNan)});
        at->second.resize(before, kNan);
        for (std::size_t i = 0; i < count; ++i) at->second.push_back(i < column.values.size() ? column.values[i] : kNan);
    }
    for (auto& [name, values] : table.columns) values.resize(before + count, kNan);
}

void RunDataCollector::dropAfter(std::int64_t step) {
    for (Told& told : told_) {
        for (Table* table : {&told.own, &told.whole}) {
            const auto kept =
                static_cast<std::size_t>(std::upper_bound(table->step.begin(), table->step.end(), step) - table->step.begin());
            table->step.resize(kept);
            for (auto* column : {&table->epoch, &table->time_s, &table->examples}) column->resize(kept);
            for (auto& [name, values] : table->columns) values.resize(std::min(values.size(), kept));
        }
        for (SeriesData* series :
             {&told.phases[0], &told.phases[1], &told.phases[2], &told.phases[3], &told.phases[4], &told.cpu, &told.memory})
            series->dropAfter(step);
    }
    weights_norm_.dropAfter(step);
    gradients_norm_.dropAfter(step);
    std::erase_if(data_.epochs, [&](const auto& epoch) { return epoch.second.step > step; });
    std::erase_if(data_.checkpoints, [&](const CheckpointSaved& one) { return one.step > step; });
}

void RunDataCollector::addPoints(std::size_t place, const StepPoints& points) {
    Told& told = told_[place];
    Table& table = points.aggregated ? told.whole : told.own;
    appendTable(table, points, data_.facts.created_unix_ns);
    if (points.step.empty()) return;
    TaskData& task = data_.tasks[place];
    task.last_step = points.step.back();
    const float phases[] = {points.input_us, points.compute_us, points.wait_us, points.reduce_us, points.apply_us};
    if (!std::any_of(std::begin(phases), std::end(phases), [](float us) { return us > 0; })) return;
    const double steps = static_cast<double>(points.step.size());
    told.phase_steps += steps;
    for (std::size_t i = 0; i < std::size(phases); ++i) {
        told.phases[i].append(points.step.back(), table.epoch.back(), table.time_s.back(), phases[i]);
        task.phase_us[i] += (static_cast<double>(phases[i]) - task.phase_us[i]) * steps / told.phase_steps;
    }
}

void RunDataCollector::add(const TaskEvent& event) {
    const std::size_t place = placeOf(event.task);
    const double time_s = seconds(event.time_unix_ns);
    TaskData& task = data_.tasks[place];
    if (const auto* points = std::get_if<StepPoints>(&event.body)) {
        addPoints(place, *points);
    } else if (const auto* state = std::get_if<StateChanged>(&event.body)) {
        task.state = state->state;
        task.detail = state->detail;
    } else if (const auto* epoch = std::get_if<EpochEnd>(&event.body)) {
        if (place != 0) return;
        // A backup that was made between an epoch's last step and its end tells of that end again.
        while (!data_.epochs.empty() && data_.epochs.back().second.epoch >= epoch->epoch) data_.epochs.pop_back();
        data_.epochs.emplace_back(time_s, *epoch);
    } else if (const auto* checkpoint = std::get_if<CheckpointSaved>(&event.body)) {
        if (checkpoint->best) {
            for (CheckpointSaved& one : data_.checkpoints) one.best = false;
        }
        data_.checkpoints.push_back(*checkpoint);
    } else if (const auto* line = std::get_if<LogLine>(&event.body)) {
        const bool problem = line->level == LogLevel::kWarning || line->level == LogLevel::kError;
        if (problem && data_.problems.size() < kMostProblems) data_.problems.push_back(toString(event.task) + ": " + line->text);
    } else if (const auto* started = std::get_if<RunStarted>(&event.body)) {
        data_.started = *started;
        if (std::exchange(attempt_begins_, false)) {
            data_.attempts.back().resumed_step = started->resumed_step;
            dropAfter(started->resumed_step);
        }
    } else if (const auto* attempt = std::get_if<AttemptStarted>(&event.body)) {
        attempt_begins_ = true;
        for (TaskData& one : data_.tasks) {
            one.failure.reset();
            one.detail.clear();
            one.state = TaskState::kNotStarted;
        }
        failures_.clear();
        data_.results.clear();
        data_.weights_sha256.clear();
        data_.attempts.push_back({time_s, event.task, *attempt, {}});
        data_.marks.push_back({time_s, task.last_step, attemptText(event.task, *attempt)});
    } else if (const auto* control = std::get_if<ControlApplied>(&event.body)) {
        if (place == 0) data_.marks.push_back({time_s, control->step, control->what});
    } else if (const auto* finished = std::get_if<TaskFinished>(&event.body)) {
        if (!isFinal(task.state)) task.state = TaskState::kDone;
        if (place == 0) {
            data_.results = finished->results;
            data_.weights_sha256 = finished->weights_sha256;
        }
    } else if (const auto* failed = std::get_if<TaskFailed>(&event.body)) {
        task.state = TaskState::kFailed;
        task.detail = failed->reason;
        task.failure = *failed;
        task.failed_s = time_s;
        failures_.push_back({time_s, task.last_step, toString(event.task) + " lost: " + failed->reason});
    } else if (const auto* report = std::get_if<WeightReport>(&event.body)) {
        weights_norm_.dropAfter(report->step - 1);  // as of an epoch's end
        gradients_norm_.dropAfter(report->step - 1);
        weights_norm_.append(report->step, report->epoch, time_s, report->weights_norm);
        gradients_norm_.append(report->step, report->epoch, time_s, report->gradients.empty() ? kNan : report->gradients_norm);
    } else if (const auto* beat = std::get_if<Heartbeat>(&event.body)) {
        task.peak_bytes = std::max(task.peak_bytes, beat->resident_bytes);
        // A task that begins again counts its steps from 0 until its first one.
        const SeriesData& cpu = told_[place].cpu;
        const std::int64_t step = std::max(beat->step, cpu.size() > 0 ? cpu.step.back() : 0);
        told_[place].cpu.append(step, kNan, time_s, beat->cpu_cores);
        told_[place].memory.append(step, kNan, time_s, static_cast<double>(beat->resident_bytes));
    }
}

void RunDataCollector::addColumns(const Table& table, const std::string& prefix) {
    for (const auto& [name, values] : table.columns) {
        data_.series.push_back(SeriesData{prefix + name, {}, table.step, table.epoch, table.time_s, values});
    }
}

void RunDataCollector::addThroughput(const Table& table, const std::string& name, double share) {
    SeriesData rates{name, "images/s", {}, {}, {}, {}};
    RateMeter meter;
    for (std::size_t i = 0; i < table.step.size(); ++i) {
        const bool paused = i > 0 && std::any_of(data_.attempts.begin(), data_.attempts.end(), [&](const AttemptData& one) {
                                return one.time_s > table.time_s[i - 1] && one.time_s <= table.time_s[i];
                            });
        if (paused) meter.pause();
        if (const auto rate = meter.add(table.time_s[i], table.examples[i] * share)) {
            rates.append(table.step[i], table.epoch[i], table.time_s[i], *rate);
        }
    }
    if (const auto rest = meter.rest(); rest && rates.size() == 0)
        rates.append(table.step.back(), table.epoch.back(), table.time_s.back(), *rest);
    if (rates.size() > 0) data_.series.push_back(std::move(rates));
}

RunData RunDataCollector::take() {
    data_.marks.insert(data_.marks.end(), failures_.begin(), failures_.end());
    std::stable_sort(data_.marks.begin(), data_.marks.end(), [](const Mark& a, const Mark& b) { return a.time_s < b.time_s; });
    // The curve of the whole cluster: the first task that reports global batches, else the chief's own.
    const auto reporting = std::find_if(told_.begin(), told_.end(), [](const Told& one) { return !one.whole.step.empty(); });
    const Table& global = reporting != told_.end() ? reporting->whole : told_.front().own;
    const auto rowsOf = [](const Told& one) -> const Table& { return one.own.step.size() >= one.whole.step.size() ? one.own : one.whole; };
    addColumns(global, {});
    double examples = 0;
    for (const Told& one : told_) examples += rowsOf(one).examples.empty() ? 0 : rowsOf(one).examples.back();
    const double own = global.examples.empty() ? 0 : global.examples.back();
    addThroughput(global, "throughput", own > 0 ? std::max(1.0, examples / own) : 1);

    for (const auto& [time_s, epoch] : data_.epochs) {
        for (const auto& [log, value] : epoch.logs) {
            const std::string name = log.starts_with("val_") ? log : "epoch_" + log;
            if (data_.find(name) == nullptr) data_.series.push_back({name, {}, {}, {}, {}, {}});
            auto at = std::find_if(data_.series.begin(), data_.series.end(), [&](const SeriesData& one) { return one.name == name; });
            at->append(epoch.step, epoch.epoch, time_s, value);
        }
    }
    if (weights_norm_.size() > 0) {
        weights_norm_.name = "weights_norm";
        gradients_norm_.name = "gradients_norm";
        data_.series.push_back(std::move(weights_norm_));
        data_.series.push_back(std::move(gradients_norm_));
    }
    for (std::size_t i = 0; i < told_.size(); ++i) {
        const std::string prefix = toString(data_.tasks[i].id) + "/";
        Told& told = told_[i];
        if (told_.size() > 1) {
            addColumns(told.own, prefix);
            addThroughput(rowsOf(told), prefix + "throughput", 1);
        }
        for (std::size_t phase = 0; phase < std::size(kPhaseNames); ++phase) {
            told.phases[phase].name = prefix + kPhaseNames[phase];
            told.phases[phase].unit = "us";
            if (told.phases[phase].size() > 0) data_.series.push_back(std::move(told.phases[phase]));
        }
        told.cpu.name = prefix + "cpu_cores";
        told.cpu.unit = "cores";
        told.memory.name = prefix + "memory_bytes";
        told.memory.unit = "bytes";
        if (told.cpu.size() > 0) data_.series.push_back(std::move(told.cpu));
        if (told.memory.size() > 0) data_.series.push_back(std::move(told.memory));
    }
    return std::move(data_);
}

}  // namespace engine::report
