// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/mistake_model.h"

#include "ui/models/numbers.h"

namespace ui::models {

void MistakeModel::setMistakes(std::vector<session::WrongAnswer> mistakes, QStringList classes) {
    beginResetModel();
    mistakes_ = std::move(mistakes);
    classes_ = std::move(classes);
    cell_.reset();
    choose();
    endResetModel();
}

void MistakeModel::setCell(std::optional<std::pair<int, int>> cell) {
    if (cell == cell_) return;
    beginResetModel();
    cell_ = cell;
    choose();
    endResetModel();
}

void MistakeModel::choose() {
    shown_.clear();
    for (std::size_t i = 0; i < mistakes_.size(); ++i) {
        if (!cell_ || std::pair(mistakes_[i].label, mistakes_[i].predicted) == *cell_) shown_.push_back(i);
    }
}

void MistakeModel::retranslate() {
    if (rowCount() > 0) emit dataChanged(index(0), index(rowCount() - 1));
}

int MistakeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant MistakeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const session::WrongAnswer& wrong = at(index.row());
    switch (role) {
        case Qt::DisplayRole:
        case kPairRole:
            return QStringLiteral("%1 \u2192 %2").arg(classes_.value(wrong.label), classes_.value(wrong.predicted));
        case Qt::AccessibleTextRole:
        case Qt::ToolTipRole:
            return tr("Sample %1: %2, taken for %3 with %4")
                .arg(formatCount(wrong.sample), classes_.value(wrong.label), classes_.value(wrong.predicted),
                     formatMetric(wrong.confidence));
        case kSampleRole:
            return static_cast<qlonglong>(wrong.sample);
        case kConfidenceRole:
            return formatMetric(wrong.confidence);
        default:
            return {};
    }
}

}  // namespace ui::models

#include "moc_mistake_model.cpp"
