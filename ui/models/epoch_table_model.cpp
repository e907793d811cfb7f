// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/epoch_table_model.h"

#include <algorithm>

#include "ui/models/numbers.h"

namespace ui::models {
namespace {

constexpr int kEpoch = 0, kSteps = 1, kSeconds = 2, kFirstLog = 3;

}  // namespace

void EpochTableModel::clear() {
    beginResetModel();
    rows_.clear();
    names_.clear();
    endResetModel();
}

void EpochTableModel::setEpochs(const std::vector<session::EpochEntry>& epochs) {
    std::vector<std::string> names = names_;
    for (const auto& epoch : epochs) {
        for (const auto& [name, value] : epoch.end.logs) {
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    if (epochs.size() < rows_.size() || names != names_) {
        beginResetModel();
        rows_ = epochs;
        names_ = std::move(names);
        endResetModel();
    } else if (epochs.size() > rows_.size()) {
        beginInsertRows({}, rowCount(), static_cast<int>(epochs.size()) - 1);
        rows_.insert(rows_.end(), epochs.begin() + static_cast<std::ptrdiff_t>(rows_.size()), epochs.end());
        endInsertRows();
    }
}

int EpochTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int EpochTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kFirstLog + static_cast<int>(names_.size());
}

QVariant EpochTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const session::EpochEntry& row = rows_[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case kEpoch:
            return QString::number(row.end.epoch + 1);
        case kSteps:
            return formatCount(row.end.step);
        case kSeconds:
            return tr("%1 s").arg(row.end.seconds, 0, 'f', 2);
        default:
            break;
    }
    const std::string& name = names_[static_cast<std::size_t>(index.column() - kFirstLog)];
    return name == "learning_rate" || name == "lr" ? formatRate(row.log(name)) : formatMetric(row.log(name));
}

QVariant EpochTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kEpoch:
            return tr("Epoch");
        case kSteps:
            return tr("Steps");
        case kSeconds:
            return tr("Time");
        default:
            return QString::fromStdString(names_[static_cast<std::size_t>(section - kFirstLog)]);
    }
}

}  // namespace ui::models

#include "moc_epoch_table_model.cpp"
