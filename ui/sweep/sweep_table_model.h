// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep's trials as a table: a row each, with a column for each field. Sorted by a proxy over kSortRole.
#pragma once

#include <QAbstractTableModel>

#include "ui/session/runs/sweep_desk.h"
#include "ui/theme/theme_controller.h"

namespace ui::models {

class SweepTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    // The fields' columns stand between the value's and the note's.
    enum ColumnId { kTrial, kState, kEpochs, kValue, kFirstField };
    static constexpr int kSortRole = Qt::UserRole;

    // `desk` and `themes` outlive the model.
    SweepTableModel(const session::SweepDesk& desk, const theme::ThemeController& themes, QObject* parent);

    // Called when another sweep is shown.
    void reset();
    // Called when the same sweep has gone further.
    void refresh();
    // Called when the language or the theme has changed: makes every text and colour anew.
    void repaint();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    int noteColumn() const { return columns_ - 1; }
    bool isNumber(int column) const { return column == kEpochs || column == kValue; }

private:
    const engine::sweep::Trial& trial(int row) const { return desk_.sweep()->trials()[static_cast<std::size_t>(row)]; }
    QString text(int row, int column) const;
    QString stateText(const engine::sweep::Trial& trial) const;
    QVariant sortKey(int row, int column) const;
    QColor stateColor(const engine::sweep::Trial& trial) const;
    QVariant picture(int row, int column) const;

    const session::SweepDesk& desk_;
    const theme::ThemeController& themes_;
    int rows_ = 0, columns_ = kFirstField + 1;
    std::optional<int> best_;
};

}  // namespace ui::models
