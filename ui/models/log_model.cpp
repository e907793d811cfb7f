// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/log_model.h"

#include <QStringList>

#include "ui/models/numbers.h"

namespace ui::models {

using engine::spec::LogLevel;

QString LogModel::levelWord(LogLevel level) {
    switch (level) {
        case LogLevel::kDebug:
            return QStringLiteral("debug");
        case LogLevel::kInfo:
            return QStringLiteral("info");
        case LogLevel::kWarning:
            return QStringLiteral("warn");
        case LogLevel::kError:
            return QStringLiteral("error");
    }
    return {};
}

void LogModel::append(std::vector<LogRow> rows) {
    if (rows.empty()) return;
    if (rows.size() > capacity_) {
        const auto excess = rows.size() - capacity_;
        dropped_ += static_cast<std::int64_t>(excess);
        rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(excess));
    }
    if (rows_.size() + rows.size() > capacity_) {
        const auto excess = rows_.size() + rows.size() - capacity_;
        beginRemoveRows({}, 0, static_cast<int>(excess) - 1);
        rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(excess));
        dropped_ += static_cast<std::int64_t>(excess);
        endRemoveRows();
    }
    const int first = static_cast<int>(rows_.size());
    beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
    for (LogRow& row : rows) rows_.push_back(std::move(row));
    endInsertRows();
}

void LogModel::clear() {
    beginResetModel();
    rows_.clear();
    dropped_ = 0;
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const LogRow& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case kTimeTextRole:
            return formatClock(row.seconds);
        case kTaskTypeRole:
            return QString::fromStdString(row.task.type);
        case kTaskIndexRole:
            return row.task.index;
        case kFromAgentRole:
            return row.from_agent;
        case kLevelRole:
            return static_cast<int>(row.level);
        case kLevelWordRole:
            return levelWord(row.level);
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
        case kTextRole:
            return row.text;
        case Qt::AccessibleTextRole:
            return QStringLiteral("%1 %2 %3 %4")
                .arg(formatClock(row.seconds), row.from_agent ? tr("agent") : QString::fromStdString(engine::spec::toString(row.task)),
                     levelWord(row.level), row.text);
        default:
            return {};
    }
}

void LogFilterModel::setTask(std::optional<engine::spec::TaskId> task) {
    if (task == task_) return;
    task_ = std::move(task);
    invalidateFilter();
}

void LogFilterModel::setLeastLevel(LogLevel level) {
    if (level == least_) return;
    least_ = level;
    invalidateFilter();
}

void LogFilterModel::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    invalidateFilter();
}

QString LogFilterModel::toText() const {
    QStringList lines;
    for (int i = 0; i < rowCount(); ++i) lines << index(i, 0).data(Qt::AccessibleTextRole).toString();
    return lines.join(QLatin1Char('\n'));
}

bool LogFilterModel::filterAcceptsRow(int source_row, const QModelIndex&) const {
    const auto* log = qobject_cast<const LogModel*>(sourceModel());
    if (log == nullptr) return true;
    const LogRow& row = log->row(source_row);
    return row.level >= least_ && (!task_ || row.task == *task_) && (text_.isEmpty() || row.text.contains(text_, Qt::CaseInsensitive));
}

}  // namespace ui::models

#include "moc_log_model.cpp"
