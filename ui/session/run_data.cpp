// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_data.h"

#include <algorithm>

#include "engine/report/rate_meter.h"
#include "ui/session/run_names.h"
#include "ui/session/run_record.h"

namespace ui::session {
namespace {

using engine::report::SeriesData;
using Table = StreamedSeries::Table;
using Source = StreamedSeries::Source;

const PointTable& rowsOf(const TaskRecord& task) {
    return task.own.size() >= task.whole.size() ? task.own : task.whole;
}

std::string unitOf(const std::string& column) {
    if (column.ends_with("_us")) return "us";
    if (column.ends_with("_bytes")) return "bytes";
    return column == "cpu_cores" ? "cores" : "";
}

SeriesData pointsOf(const RunRecord& run, const StreamedSeries& series) {
    SeriesData out{series.name, series.unit, {}, {}, {}, {}};
    if (series.source == Source::kEpochLog) {
        for (const EpochEntry& epoch : run.epochs()) {
            for (const auto& [name, value] : epoch.end.logs) {
                if (name == series.column) out.append(epoch.end.step, epoch.end.epoch, epoch.time_s, value);
            }
        }
        return out;
    }
    if (series.source == Source::kNorm) {
        for (const NormEntry& norm : run.norms()) {
            const double value = series.column == "weights_norm" ? norm.weights : norm.gradients;
            out.append(static_cast<std::int64_t>(norm.step), norm.epoch, norm.time_s, value);
        }
        return out;
    }
    const PointTable* table = tableOf(run, series);
    if (table == nullptr) return out;
    if (series.source == Source::kColumn) {
        const auto* values = table->find(series.column);
        for (std::size_t i = 0; values != nullptr && i < table->size(); ++i) {
            out.append(static_cast<std::int64_t>(table->step[i]), table->epoch[i], table->time_s[i], (*values)[i]);
        }
        return out;
    }
    const double share = series.source == Source::kTotalThroughput ? clusterShare(run) : 1;
    engine::report::RateMeter meter;
    for (std::size_t i = 0; i < table->size(); ++i) {
        if (i > 0 && run.pausedBetween(table->time_s[i - 1], table->time_s[i])) meter.pause();
        if (const auto rate = meter.add(table->time_s[i], table->examples[i] * share)) {
            out.append(static_cast<std::int64_t>(table->step[i]), table->epoch[i], table->time_s[i], *rate);
        }
    }
    if (const auto rest = meter.rest(); rest && out.size() == 0)
        out.append(static_cast<std::int64_t>(table->step.back()), table->epoch.back(), table->time_s.back(), *rest);
    return out;
}

}  // namespace

const PointTable* tableOf(const RunRecord& run, const StreamedSeries& series) {
    if (!series.task) return &run.global();
    const TaskRecord* task = run.findTask(*series.task);
    if (task == nullptr) return nullptr;
    if (series.source == Source::kThroughput) return &rowsOf(*task);
    switch (series.table) {
        case Table::kGlobal:
            return &run.global();
        case Table::kOwn:
            return &task->own;
        case Table::kPhases:
            return &task->phases;
        case Table::kResources:
            return &task->resources;
    }
    return nullptr;
}

double clusterShare(const RunRecord& run) {
    double examples = 0;
    for (const TaskRecord& task : run.tasks()) {
        const PointTable& rows = rowsOf(task);
        if (rows.size() > 0) examples += rows.examples.back();
    }
    const double own = run.global().size() > 0 ? run.global().examples.back() : 0;
    return own > 0 ? std::max(1.0, examples / own) : 1;
}

std::vector<StreamedSeries> streamedSeries(const RunRecord& run) {
    std::vector<StreamedSeries> all;
    const auto addColumns = [&](const PointTable& points, Table table, const std::optional<engine::spec::TaskId>& task) {
        const std::string prefix = task ? toString(*task) + "/" : std::string();
        if (points.size() == 0) return;
        for (const std::string& name : points.names) all.push_back({prefix + name, unitOf(name), Source::kColumn, task, table, name});
    };
    addColumns(run.global(), Table::kGlobal, std::nullopt);
    constexpr std::size_t kLeastRows = 2;
    if (run.global().size() >= kLeastRows)
        all.push_back({"throughput", "images/s", Source::kTotalThroughput, std::nullopt, Table::kGlobal, {}});
    std::vector<std::string> logs;
    for (const EpochEntry& epoch : run.epochs()) {
        for (const auto& [name, value] : epoch.end.logs) {
            if (std::find(logs.begin(), logs.end(), name) == logs.end()) logs.push_back(name);
        }
    }
    for (const std::string& name : logs)
        all.push_back({name.starts_with("val_") ? name : "epoch_" + name, {}, Source::kEpochLog, std::nullopt, Table::kGlobal, name});
    if (!run.norms().empty()) {
        for (const char* name : {"weights_norm", "gradients_norm"})
            all.push_back({name, {}, Source::kNorm, std::nullopt, Table::kGlobal, name});
    }
    for (const TaskRecord& task : run.tasks()) {
        if (run.tasks().size() > 1) {
            addColumns(task.own, Table::kOwn, task.id);
            if (rowsOf(task).size() >= kLeastRows)
                all.push_back({toString(task.id) + "/throughput", "images/s", Source::kThroughput, task.id, Table::kOwn, {}});
        }
        addColumns(task.phases, Table::kPhases, task.id);
        addColumns(task.resources, Table::kResources, task.id);
    }
    return all;
}

engine::report::RunData runData(const RunRecord& run) {
    engine::report::RunData data;
    const RunSummary& summary = run.summary();
    data.facts = {.id = summary.id.toStdString(),
                  .name = summary.name.toStdString(),
                  .state = std::string(engine::run::toString(summary.state)),
                  .detail = summary.detail.toStdString(),
                  .run_dir = summary.run_dir.toStdString(),
                  .created_unix_ns = summary.created_unix_ns,
                  .finished_unix_ns = summary.finished_unix_ns,
                  .run = run.run(),
                  .idle_ns = summary.idle_ns,
                  .file_stem = fileStemOf(summary).toStdString()};
    data.started = run.started();
    for (const TaskRecord& task : run.tasks()) {
        engine::report::TaskData one{.id = task.id,
                                     .address = task.address.toStdString(),
                                     .state = task.state,
                                     .detail = task.detail.toStdString(),
                                     .last_step = task.last_step};
        if (const auto* bytes = task.resources.find("memory_bytes"); bytes != nullptr && !bytes->empty())
            one.peak_bytes = static_cast<std::int64_t>(*std::max_element(bytes->begin(), bytes->end()));
        for (std::size_t phase = 0; phase < std::size(engine::report::kPhaseNames); ++phase) {
            const auto* values = task.phases.find(engine::report::kPhaseNames[phase]);
            double before = 0, steps = 0;
            for (std::size_t i = 0; values != nullptr && i < values->size(); ++i) {
                const double weight = std::max(1.0, task.phases.step[i] - before);
                before = task.phases.step[i];
                steps += weight;
                one.phase_us[phase] += ((*values)[i] - one.phase_us[phase]) * weight / steps;
            }
        }
        if (task.failure) {
            one.failure = task.failure;
            one.failed_s = run.secondsSinceCreation(task.failed_unix_ns);
            data.marks.push_back({one.failed_s, task.last_step, toString(task.id) + " lost: " + task.failure->reason});
        }
        data.tasks.push_back(std::move(one));
    }
    for (const StreamedSeries& series : streamedSeries(run)) {
        SeriesData points = pointsOf(run, series);
        if (points.size() > 0) data.series.push_back(std::move(points));
    }
    for (const EpochEntry& epoch : run.epochs()) data.epochs.emplace_back(epoch.time_s, epoch.end);
    for (const CheckpointEntry& checkpoint : run.checkpoints()) data.checkpoints.push_back(checkpoint.saved);
    for (const AttemptEntry& attempt : run.attempts()) {
        data.attempts.push_back({attempt.time_s, attempt.lost, attempt.started, attempt.resumed_step});
        data.marks.push_back({attempt.time_s, attempt.step, engine::report::attemptText(attempt.lost, attempt.started)});
    }
    for (const ControlEntry& control : run.controls()) data.marks.push_back({control.time_s, control.applied.step, control.applied.what});
    std::stable_sort(data.marks.begin(), data.marks.end(), [](const auto& a, const auto& b) { return a.time_s < b.time_s; });
    for (const LogEntry& line : run.logs()) {
        if (line.level < engine::spec::LogLevel::kWarning || data.problems.size() >= engine::report::kMostProblems) continue;
        data.problems.push_back(toString(line.task) + ": " + line.text.toStdString());
    }
    if (run.finished()) {
        data.results = run.finished()->results;
        data.weights_sha256 = run.finished()->weights_sha256;
    }
    return data;
}

}  // namespace ui::session
