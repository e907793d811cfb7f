// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/check_list_model.h"

namespace ui::models {

void CheckListModel::setRows(std::vector<CheckRow> rows) {
    const int before = static_cast<int>(rows_.size()), after = static_cast<int>(rows.size());
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        rows_.resize(static_cast<std::size_t>(after));
        endRemoveRows();
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i] == rows[i]) continue;
        rows_[i] = rows[i];
        const QModelIndex changed = index(static_cast<int>(i));
        emit dataChanged(changed, changed);
    }
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        rows_.insert(rows_.end(), rows.begin() + before, rows.end());
        endInsertRows();
    }
}

int CheckListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant CheckListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const CheckRow& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return row.title;
        case Qt::ToolTipRole:
            return row.detail.isEmpty() ? row.title : row.title + "\n" + row.detail;
        case kStateRole:
            return static_cast<int>(row.state);
        case kDetailRole:
            return row.detail;
        case kFixRole:
            return row.fix;
        case kPathRole:
            return row.path;
        default:
            return {};
    }
}

}  // namespace ui::models

#include "moc_check_list_model.cpp"
