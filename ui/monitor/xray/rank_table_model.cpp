// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/xray/rank_table_model.h"

#include <algorithm>
#include <utility>

#include "ui/monitor/xray/rank_texts.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

using engine::run::ExchangeRank;

namespace {

QString cellText(const ExchangeRank& rank, int column) {
    switch (column) {
        case RankTableModel::kTask:
            return QString::fromStdString(toString(rank.task));
        case RankTableModel::kHost:
            return QString::fromStdString(rank.host);
        case RankTableModel::kOperation:
            return RankTexts::operation(rank);
        case RankTableModel::kBucket:
            return RankTexts::bucket(rank);
        case RankTableModel::kBytes:
            return RankTexts::bytes(rank);
        case RankTableModel::kWait:
            return RankTexts::wait(rank);
        case RankTableModel::kAwaited:
            return RankTexts::awaited(rank);
        case RankTableModel::kStepWait:
            return RankTexts::stepWait(rank);
        default:
            return RankTexts::lastWord(rank);
    }
}

bool isNumber(int column) {
    return column != RankTableModel::kTask && column != RankTableModel::kHost && column != RankTableModel::kAwaited;
}

}  // namespace

void RankTableModel::setRanks(std::vector<ExchangeRank> ranks, const std::optional<engine::run::ExchangeCulprit>& culprit) {
    const bool same = std::equal(ranks.begin(), ranks.end(), ranks_.begin(), ranks_.end(),
                                 [](const ExchangeRank& a, const ExchangeRank& b) { return a.task == b.task; });
    if (!same) beginResetModel();
    ranks_ = std::move(ranks);
    culprit_ = culprit ? static_cast<int>(culprit->rank) : -1;
    if (!same) return endResetModel();
    repaint();
}

void RankTableModel::repaint() {
    emit headerDataChanged(Qt::Horizontal, 0, kColumnCount - 1);
    if (!ranks_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

int RankTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ranks_.size());
}

int RankTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant RankTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const ExchangeRank& rank = ranks_[static_cast<std::size_t>(index.row())];
    const theme::Theme& t = themes_.theme();
    switch (role) {
        case Qt::DisplayRole:
            return cellText(rank, index.column());
        case Qt::ToolTipRole:
            return RankTexts::details(rank);
        case Qt::AccessibleTextRole:
            return index.row() == culprit_ && index.column() == kTask ? tr("%1, the others wait for it").arg(cellText(rank, kTask))
                                                                      : cellText(rank, index.column());
        case Qt::FontRole:
            return themes_.font(isNumber(index.column()) ? theme::TextRole::kMono
                                                         : (index.row() == culprit_ ? theme::TextRole::kStrong : theme::TextRole::kBody));
        case Qt::ForegroundRole:
            if (index.row() == culprit_) return t.err;
            if (index.column() == kWait && rank.state && engine::run::waitsLong(*rank.state)) return t.warn;
            return index.column() == kTask ? t.text : t.text2;
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::Alignment(isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        default:
            return {};
    }
}

QVariant RankTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kTask:
            return tr("Task");
        case kHost:
            return tr("Host");
        case kOperation:
            return tr("Operation");
        case kBucket:
            return tr("Bucket");
        case kBytes:
            return tr("Bytes");
        case kWait:
            return tr("Waits");
        case kAwaited:
            return tr("For");
        case kStepWait:
            return tr("Wait a step");
        default:
            return tr("Last word");
    }
}

}  // namespace ui::views

#include "moc_rank_table_model.cpp"
