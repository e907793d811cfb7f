#include "engine/run/run_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/run/event_file_run.h"
#include "engine/run/rate_meter.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::run {
namespace {

using Table = StreamedSeries::Table;
using Source = StreamedSeries::Source;

const PointTable& rowsOf(const TaskRecord& task) {
    return task.own.size() >= task.whole.size() ? task.own : task.whole;
}

std::string unitOf(const std::string& column) {
    if (column.ends_with("_us")) return "us";
    if (column.ends_with("_bytes")) return "bytes";
    if (column.ends_with("_bytes_per_s")) return "bytes/s";
    if (column == "updates_per_s") return "updates/s";
    return column == "cpu_cores" ? "cores" : "";
}

}  // namespace

void SeriesData::append(std::int64_t at_step, double at_epoch, double at_time_s, double one_value) {
    step.push_back(at_step);
    epoch.push_back(at_epoch);
    time_s.push_back(at_time_s);
    value.push_back(one_value);
}

double layerValue(const spec::LayerMeasure& layer, std::string_view column) {
    if (column == "gradient_norm") return layer.gradient_norm;
    if (column == "weights_norm") return layer.weights_norm > 0 ? layer.weights_norm : std::numeric_limits<double>::quiet_NaN();
    if (column == "update_ratio") return updateRatio(layer);
    if (column == "dead_share") return deadShare(layer);
    return static_cast<double>(layer.gradient_not_finite + layer.weights_not_finite);
}

const PointTable* tableOf(const RunHistory& run, const StreamedSeries& series) {
    if (!series.task) return &run.global();
    const TaskRecord* task = run.tasks().find(*series.task);
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
        case Table::kServing:
            return &task->serving.loads;
    }
    return nullptr;
}

bool countsStepsOfAll(const RunHistory& run) {
    const spec::StrategyRow* strategy = spec::findStrategy(run.run().strategy.name);
    return strategy != nullptr && strategy->has_servers;
}

double clusterExamples(const RunHistory& run, const PointTable& table, std::size_t row) {
    if (countsStepsOfAll(run)) {
        const double before = row > 0 ? table.step[row - 1] : table.step[row] - 1;
        return table.examples[row] * std::max(1.0, table.step[row] - before);
    }
    double examples = 0;
    for (const TaskRecord& task : run.tasks()) {
        const PointTable& rows = rowsOf(task);
        if (rows.size() > 0) examples += rows.examples.back();
    }
    const double own = table.examples.back();
    return own > 0 ? table.examples[row] * std::max(1.0, examples / own) : table.examples[row];
}

std::vector<StreamedSeries> streamedSeries(const RunHistory& run) {
    std::vector<StreamedSeries> all;
    const auto addColumns = [&](const PointTable& points, Table table, const std::optional<spec::TaskId>& task) {
        const std::string prefix = task ? toString(*task) + "/" : std::string();
        if (points.size() == 0) return;
        for (const std::string& name : points.names) all.push_back({prefix + name, unitOf(name), Source::kColumn, task, table, name});
    };
    addColumns(run.global(), Table::kGlobal, std::nullopt);
    constexpr std::size_t kLeastRows = 2;
    const bool counts_examples = !isOfEventFiles(run.info());
    if (run.global().size() >= kLeastRows && counts_examples)
        all.push_back({"throughput", "images/s", Source::kTotalThroughput, std::nullopt, Table::kGlobal, {}});
    std::vector<std::string> logs;
    for (const EpochEntry& epoch : run.epochs()) {
        for (const auto& [name, value] : epoch.end.logs) {
            if (std::find(logs.begin(), logs.end(), name) == logs.end()) logs.push_back(name);
        }
    }
    for (const std::string& name : logs)
        all.push_back({name.starts_with("val_") ? name : "epoch_" + name, {}, Source::kEpochLog, std::nullopt, Table::kGlobal, name});
    if (!run.weightReports().norms().empty()) {
        for (const char* name : {"weights_norm", "gradients_norm"})
            all.push_back({name, {}, Source::kNorm, std::nullopt, Table::kGlobal, name});
    }
    for (const std::string& layer : run.weightReports().layerNames()) {
        for (const std::string_view column : kLayerColumns) {
            const bool any = std::any_of(run.weightReports().layers().begin(), run.weightReports().layers().end(), [&](const auto& entry) {
                const spec::LayerMeasure* measure = entry.find(layer);
                return measure != nullptr && !std::isnan(layerValue(*measure, column));
            });
            if (!any) continue;
            all.push_back(
                {layer + "/" + std::string(column), {}, Source::kLayer, std::nullopt, Table::kGlobal, std::string(column), layer});
        }
    }
    for (const TaskRecord& task : run.tasks()) {
        if (run.tasks().size() > 1) {
            addColumns(task.own, Table::kOwn, task.id);
            if (rowsOf(task).size() >= kLeastRows && counts_examples &&
                spec::coordinatorOf(run.run()) != task.id)  // whose rows are the workers' means
                all.push_back({toString(task.id) + "/throughput", "images/s", Source::kThroughput, task.id, Table::kOwn, {}});
        }
        addColumns(task.phases, Table::kPhases, task.id);
        addColumns(task.resources, Table::kResources, task.id);
        addColumns(task.serving.loads, Table::kServing, task.id);
    }
    return all;
}

SeriesData pointsOf(const RunHistory& run, const StreamedSeries& series) {
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
        for (const NormEntry& norm : run.weightReports().norms()) {
            const double value = series.column == "weights_norm" ? norm.weights : norm.gradients;
            out.append(static_cast<std::int64_t>(norm.step), norm.epoch, norm.time_s, value);
        }
        return out;
    }
    if (series.source == Source::kLayer) {
        for (const LayerEntry& entry : run.weightReports().layers()) {
            const spec::LayerMeasure* measure = entry.find(series.layer);
            if (measure == nullptr) continue;
            out.append(entry.report.step, entry.report.epoch, entry.time_s, layerValue(*measure, series.column));
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
    const bool whole = series.source == Source::kTotalThroughput;
    RateMeter meter;
    for (std::size_t i = 0; i < table->size(); ++i) {
        if (i > 0 && run.pausedBetween(table->time_s[i - 1], table->time_s[i])) meter.pause();
        if (const auto rate = meter.add(table->time_s[i], whole ? clusterExamples(run, *table, i) : table->examples[i])) {
            out.append(static_cast<std::int64_t>(table->step[i]), table->epoch[i], table->time_s[i], *rate);
        }
    }
    if (const auto rest = meter.rest(); rest && out.size() == 0)
        out.append(static_cast<std::int64_t>(table->step.back()), table->epoch.back(), table->time_s.back(), *rest);
    return out;
}

}  // namespace engine::run
