// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recent_model.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/models/numbers.h"
#include "ui/session/error_text.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/run_names.h"

namespace ui::models {

using namespace session;

namespace {

QString homeShort(const QString& path) {
    const QString home = QDir::homePath();
    return path.startsWith(home + "/") ? "~" + path.mid(home.size()) : path;
}

QString whenText(std::int64_t unix_s) {
    const QDateTime when = QDateTime::fromSecsSinceEpoch(unix_s);
    const qint64 days = when.date().daysTo(QDate::currentDate());
    if (days == 0) return RecentModel::tr("today, %1").arg(QLocale().toString(when.time(), "HH:mm"));
    if (days == 1) return RecentModel::tr("yesterday, %1").arg(QLocale().toString(when.time(), "HH:mm"));
    return QLocale().toString(when.date(), RecentModel::tr("d MMM", "form of a date, as QDate takes it"));
}

}  // namespace

QString shortStrategy(const QString& name) {
    return name.endsWith("Strategy") && name.size() > 8 ? name.chopped(8) : name;
}

void RecentModel::setRows(std::vector<RecentProject> projects, const std::vector<RunSummary>& runs, const Curves& curves) {
    beginResetModel();
    rows_.clear();
    for (RecentProject& project : projects) {
        const auto run = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& r) {
            const bool is_ours = session::eventFolderOf(r).isEmpty();  // what another program trained has its name by chance
            return is_ours && (r.name == project.name || numberOf(r, project.name) > 0);
        });
        std::vector<double> curve;
        if (run != runs.end() && curves) curve = curves(run->id);
        rows_.push_back({std::move(project), run == runs.end() ? RunSummary{} : *run, QList<double>(curve.begin(), curve.end())});
    }
    endResetModel();
}

int RecentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant RecentModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const double accuracy = row.run.result("test_accuracy");
    switch (role) {
        case Qt::DisplayRole:
            if (isStarterPlace(row.project.path)) return row.project.name;
            return QFileInfo(row.project.path).completeBaseName();
        case Qt::ToolTipRole:
        case kPathRole:
            if (isStarterPlace(row.project.path)) return tr("starter project, not saved");
            if (role == Qt::ToolTipRole) return row.project.path;
            return homeShort(row.project.path);
        case kStrategyRole:
            return shortStrategy(row.project.strategy);
        case kMetricRole:
            return std::isfinite(accuracy) ? formatMetric(accuracy) : QString();
        case kMetricNameRole:
            return tr("test accuracy");
        case kPhaseRole:
            return static_cast<int>(row.run.state);
        case kWhenRole:
            return isActive(row.run.state) ? runStateText(row.run.state) : whenText(row.project.opened_unix_s);
        case kCurveRole:
            return QVariant::fromValue(row.curve);
        case kColorRole:
            return row.run.color;
        default:
            return {};
    }
}

}  // namespace ui::models

#include "moc_recent_model.cpp"
