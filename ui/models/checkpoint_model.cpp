// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/checkpoint_model.h"

#include <algorithm>

#include "ui/models/numbers.h"

namespace ui::models {

void CheckpointModel::setRows(std::vector<CheckpointRow> rows) {
    const bool grows = rows.size() > rows_.size() && std::equal(rows_.begin(), rows_.end(), rows.begin());
    if (rows == rows_) return;
    if (grows) {
        beginInsertRows({}, 0, static_cast<int>(rows.size() - rows_.size()) - 1);
        rows_ = std::move(rows);
        endInsertRows();
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int CheckpointModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant CheckpointModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const CheckpointRow& item = row(index.row());
    const QString name = item.prefix.section(QLatin1Char('/'), -1);
    switch (role) {
        case Qt::DisplayRole:
        case kNameRole:
            return item.best ? tr("%1 · best").arg(name) : name;
        case kValueTextRole:
            return formatMetric(item.value);
        case kBestRole:
            return item.best;
        case kStepRole:
            return static_cast<qlonglong>(item.step);
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return tr("%1: epoch %2, step %3, %4").arg(name).arg(item.epoch + 1).arg(formatCount(item.step), formatBytes(item.bytes));
        default:
            return {};
    }
}

}  // namespace ui::models

#include "moc_checkpoint_model.cpp"
