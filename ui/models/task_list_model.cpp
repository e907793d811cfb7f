// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/task_list_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"

namespace ui::models {

using engine::spec::TaskState;

namespace {

constexpr double kIdleCores = 0.05;  // heartbeats and the like

}  // namespace

QString stateWord(TaskState state) {
    switch (state) {
        case TaskState::kNotStarted:
            return TaskListModel::tr("Not started");
        case TaskState::kConnecting:
            return TaskListModel::tr("Connecting");
        case TaskState::kReady:
            return TaskListModel::tr("Ready");
        case TaskState::kTraining:
            return TaskListModel::tr("Training");
        case TaskState::kWaiting:
            return TaskListModel::tr("Waiting");
        case TaskState::kPaused:
            return TaskListModel::tr("Paused");
        case TaskState::kDone:
            return TaskListModel::tr("Done");
        case TaskState::kStopped:
            return TaskListModel::tr("Stopped");
        case TaskState::kFailed:
            return TaskListModel::tr("Failed");
    }
    return {};
}

void TaskListModel::setRows(std::vector<TaskRow> rows) {
    const bool same_tasks = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                                       [](const TaskRow& a, const TaskRow& b) { return a.task == b.task; });
    if (!same_tasks) {
        beginResetModel();
        rows_ = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows_[i] == rows[i]) continue;
        rows_[i] = std::move(rows[i]);
        const QModelIndex changed = index(static_cast<int>(i));
        emit dataChanged(changed, changed);
    }
}

int TaskListModel::rowOf(const engine::spec::TaskId& task) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const TaskRow& row) { return row.task == task; });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int TaskListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant TaskListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const TaskRow& row = rows_[static_cast<std::size_t>(index.row())];
    const QString rate = row.bytes_per_s >= 0    ? tr("%1/s").arg(formatBytes(std::llround(row.bytes_per_s)))
                         : row.images_per_s >= 0 ? tr("%1 img/s").arg(formatCount(std::llround(row.images_per_s)))
                                                 : QString(QChar(kMissing));
    switch (role) {
        case Qt::DisplayRole:
        case kNameRole:
            return QString::fromStdString(engine::spec::toString(row.task));
        case kAddressRole:
            return row.address;
        case kStateRole:
            return static_cast<int>(row.state);
        case kStateWordRole:
            return stateWord(row.state);
        case Qt::ToolTipRole:
            if (row.updates_per_s >= 0)
                return tr("%1 updates and %2 a second")
                    .arg(formatCount(std::llround(row.updates_per_s)), formatBytes(std::llround(row.bytes_per_s)));
            return agentText(row.detail);
        case kDetailRole:
            return agentText(row.detail);
        case kRateTextRole:
            return rate;
        case kCpuTextRole: {
            if (row.cpu_cores < 0) return QString(QChar(kMissing));
            if (row.cpu_cores < kIdleCores) return tr("idle");
            const QString used = QLocale().toString(row.cpu_cores, 'f', 2);
            return row.cores > 0 ? tr("%1 of %2 cores").arg(used).arg(row.cores) : tr("%1 cores").arg(used);
        }
        case kCpuShareRole:
            return row.cores > 0 && row.cpu_cores > 0 ? std::min(1.0, row.cpu_cores / row.cores) : 0.0;
        case Qt::AccessibleTextRole:
            return tr("%1, %2, %3, %4")
                .arg(QString::fromStdString(engine::spec::toString(row.task)), row.address, stateWord(row.state), rate);
        default:
            return {};
    }
}

QHash<int, QByteArray> TaskListModel::roleNames() const {
    return {{kNameRole, "name"},     {kAddressRole, "address"}, {kStateRole, "state"}, {kStateWordRole, "stateWord"},
            {kDetailRole, "detail"}, {kRateTextRole, "rate"},   {kCpuTextRole, "cpu"}, {kCpuShareRole, "cpuShare"}};
}

}  // namespace ui::models

#include "moc_task_list_model.cpp"
