// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of a run with where each is in the exchange, one row each: the same as the ring, for the keyboard and for reading aloud.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "engine/run/exchange_culprit.h"

namespace ui::theme {
class ThemeController;
}

namespace ui::views {

// Owned by its view; GUI thread only. `themes` outlives it. Text roles translate when asked.
class RankTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kTask, kHost, kOperation, kBucket, kBytes, kWait, kAwaited, kStepWait, kLastWord, kColumnCount };

    RankTableModel(const theme::ThemeController& themes, QObject* parent) : QAbstractTableModel(parent), themes_(themes) {}

    // Sets the rows. When the tasks and their order are the same, rows stay and the view keeps its position.
    void setRanks(std::vector<engine::run::ExchangeRank> ranks, const std::optional<engine::run::ExchangeCulprit>& culprit);
    const std::vector<engine::run::ExchangeRank>& ranks() const { return ranks_; }
    int culprit() const { return culprit_; }  // -1: none
    // Called when colours or words have changed.
    void repaint();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const theme::ThemeController& themes_;
    std::vector<engine::run::ExchangeRank> ranks_;
    int culprit_ = -1;
};

}  // namespace ui::views
