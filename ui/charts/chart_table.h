// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a table: for people who do not see it, and for exact values. Private to ui/charts.
#pragma once

#include <QAbstractTableModel>
#include <QWidget>
#include <cstdint>
#include <vector>

class QLabel;
class QTableView;

namespace ui::theme {
class ThemeController;
}

namespace ui::charts {

struct ChartState;

// One row for every step at which any series has a point, newest first: step, time since launch, one column a series. Reads the state;
// reload() after it changed. GUI thread.
class ChartTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit ChartTableModel(const ChartState& state, QObject* parent) : QAbstractTableModel(parent), state_(state) {}
    void reload();
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const ChartState& state_;
    std::vector<std::int64_t> steps_;  // rising
    std::size_t points_ = 0;           // of all series at the last reload
    std::size_t series_ = 0;
};

class ChartTable : public QWidget {
    Q_OBJECT
public:
    ChartTable(const ChartState& state, const theme::ThemeController& theme, QWidget* parent);
    // `summary` stands above the table and is its description.
    void refresh(const QString& summary);

private:
    ChartTableModel* model_;
    QLabel* summary_;
    QTableView* view_;
};

}  // namespace ui::charts
