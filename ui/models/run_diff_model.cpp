// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_diff_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/numbers.h"
#include "ui/models/run_filter.h"
#include "ui/session/runs/run_facts.h"

namespace ui::models {

using session::RunSummary;

namespace {

// Settings that a row with a name of its own tells, and addresses, which differ from launch to launch.
constexpr std::array kCovered{
    "name",          "data.batch_size_per_replica",           "data.dataset", "compile.optimizer.class_name", "fit.epochs", "fit.seed",
    "strategy.name", "compile.optimizer.config.learning_rate"};
constexpr auto kClusterJobs = {"cluster.worker", "cluster.chief", "cluster.ps", "cluster.evaluator"};

bool isCovered(const QString& path) {
    return std::any_of(kCovered.begin(), kCovered.end(), [&](const char* covered) { return path == QLatin1String(covered); }) ||
           std::any_of(kClusterJobs.begin(), kClusterJobs.end(), [&](const char* job) { return path.startsWith(QLatin1String(job)); });
}

bool allEqual(const QStringList& values) {
    return std::all_of(values.begin(), values.end(), [&](const QString& value) { return value == values.front(); });
}

QString countOrMissing(double value) {
    return std::isfinite(value) ? formatCount(std::llround(value)) : QString(kMissing);
}

}  // namespace

std::vector<bool> oddOnes(const QStringList& values) {
    qsizetype most = 0;
    QString usual;
    for (const QString& value : values) {
        const qsizetype count = values.count(value);
        if (count <= most) continue;
        most = count;
        usual = value;
    }
    std::vector<bool> odd;
    for (const QString& value : values) odd.push_back(value != usual);
    return odd;
}

void RunDiffModel::setRuns(std::vector<RunSummary> runs) {
    const bool same_columns = runs.size() == runs_.size() && std::equal(runs.begin(), runs.end(), runs_.begin(),
                                                                        [](const auto& a, const auto& b) { return a.id == b.id; });
    for (const RunSummary& run : runs) {
        if (!settings_.contains(run.id)) settings_.emplace(run.id, session::settingsOf(run.project_json));
    }
    if (!same_columns) beginResetModel();
    runs_ = std::move(runs);
    if (!same_columns) {
        rows_ = rowsOf();
        endResetModel();
        return;
    }
    rebuild();
    if (!runs_.empty()) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void RunDiffModel::setScope(Scope scope) {
    if (scope == scope_) return;
    scope_ = scope;
    rebuild();
}

void RunDiffModel::setLiveRates(std::map<QString, QString> rates) {
    if (rates == live_rates_) return;
    live_rates_ = std::move(rates);
    rebuild();
}

void RunDiffModel::retranslate() {
    rebuild();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void RunDiffModel::rebuild() {
    std::vector<Row> rows = rowsOf();
    if (rows.size() == rows_.size()) {
        rows_ = std::move(rows);
        if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

std::vector<RunDiffModel::Row> RunDiffModel::rowsOf() const {
    std::vector<Row> rows;
    if (runs_.empty()) return rows;
    const auto add = [&](const QString& name, bool result, auto&& read) {
        Row row{name, {}, result};
        for (const RunSummary& run : runs_) row.values << read(run);
        if (result || scope_ == Scope::kAll || !allEqual(row.values)) rows.push_back(std::move(row));
    };
    add(tr("workers"), false, [](const RunSummary& run) { return QString::number(run.facts.workers); });
    add(tr("global batch"), false, [](const RunSummary& run) { return formatCount(run.facts.global_batch); });
    add(tr("optimizer"), false, [](const RunSummary& run) { return run.facts.optimizer; });
    add(tr("learning rate"), false, [](const RunSummary& run) {
        const QString rate = run.facts.learning_rate > 0 ? formatRate(run.facts.learning_rate) : QString(kMissing);
        return run.facts.rate_schedule.isEmpty() ? rate : rate + QStringLiteral(" ") + run.facts.rate_schedule;
    });
    const auto changed = [this](const RunSummary& run) {
        const auto at = live_rates_.find(run.id);
        return at == live_rates_.end() ? QString() : at->second;
    };
    // The row is also shown for one run: the rate differs from the project's.
    if (std::any_of(runs_.begin(), runs_.end(), [&](const RunSummary& run) { return !changed(run).isEmpty(); })) {
        Row row{tr("learning rate, live"), {}, false};
        for (const RunSummary& run : runs_) row.values << (changed(run).isEmpty() ? QString(kMissing) : changed(run));
        rows.push_back(std::move(row));
    }
    add(tr("strategy"), false, [](const RunSummary& run) { return run.facts.strategy; });
    add(tr("data set"), false, [](const RunSummary& run) { return run.facts.dataset; });
    add(tr("epochs"), false, [](const RunSummary& run) { return formatCount(run.facts.epochs); });
    add(tr("seed"), false, [](const RunSummary& run) { return QString::number(run.facts.seed); });
    QStringList paths;
    for (const RunSummary& run : runs_) {
        for (const auto& [path, value] : settings_.at(run.id)) {
            if (!paths.contains(path) && !isCovered(path)) paths << path;
        }
    }
    for (const QString& path : paths) {
        add(path, false, [&](const RunSummary& run) {
            const Settings& settings = settings_.at(run.id);
            const auto at = std::find_if(settings.begin(), settings.end(), [&](const auto& entry) { return entry.first == path; });
            return at == settings.end() ? QString(kMissing) : at->second;
        });
    }
    add(tr("best val acc"), true, [](const RunSummary& run) { return formatMetric(run.result(QStringLiteral("best_val_accuracy"))); });
    add(tr("best epoch"), true, [](const RunSummary& run) { return countOrMissing(run.result(QStringLiteral("best_epoch"))); });
    add(tr("time"), true, [](const RunSummary& run) {
        const double seconds = runNumber(run, QStringLiteral("duration"));
        return std::isfinite(seconds) ? formatDuration(seconds) : QString(kMissing);
    });
    return rows;
}

std::optional<RunDiffModel::Best> RunDiffModel::best() const {
    std::vector<std::pair<double, const RunSummary*>> ranked;
    for (const RunSummary& run : runs_) {
        const double accuracy = runNumber(run, QStringLiteral("accuracy"));
        if (std::isfinite(accuracy)) ranked.emplace_back(accuracy, &run);
    }
    if (ranked.size() < 2) return std::nullopt;
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    const RunSummary& first = *ranked.front().second;
    Best best{first.id, first.name, first.color, ranked[0].first - ranked[1].first, false};
    const auto running = std::find_if(ranked.begin() + 1, ranked.end(), [](const auto& entry) { return isActive(entry.second->state); });
    if (running != ranked.end()) {
        best.lead = ranked[0].first - running->first;
        best.over_running = true;
    }
    return best;
}

int RunDiffModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int RunDiffModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs_.size()) + 1;
}

QVariant RunDiffModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const int run = index.column() - 1;
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return run < 0 ? row.name : row.values[run];
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignVCenter | (run < 0 ? Qt::AlignLeft : Qt::AlignHCenter));
        case kOddRole:
            return run >= 0 && !row.result && oddOnes(row.values)[static_cast<std::size_t>(run)];
        case Qt::AccessibleDescriptionRole:
            return run >= 0 && !row.result && oddOnes(row.values)[static_cast<std::size_t>(run)] ? tr("differs from most") : QString();
        case kResultRole:
            return row.result;
        default:
            return {};
    }
}

QVariant RunDiffModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (section == 0) return role == Qt::DisplayRole ? tr("Setting") : QVariant();
    const RunSummary& run = runs_[static_cast<std::size_t>(section - 1)];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return run.name;
        case kColorRole:
            return run.color;
        case kIdRole:
            return run.id;
        default:
            return {};
    }
}

}  // namespace ui::models

#include "moc_run_diff_model.cpp"
