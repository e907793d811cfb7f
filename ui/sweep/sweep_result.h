// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a sweep so far: its trials as a table, as lines over parallel axes, and how much each field counted.
#pragma once

#include <QWidget>

#include "ui/session/runs/sweep_desk.h"
#include "ui/theme/theme_controller.h"

class QSortFilterProxyModel;
class QTableView;

namespace ui::models {
class SweepTableModel;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ImportanceBars;
class ParallelView;

class SweepResult : public QWidget {
    Q_OBJECT
public:
    // `desk` outlives it.
    SweepResult(const session::SweepDesk& desk, const theme::ThemeController& themes, QWidget* parent);

    // Called when another sweep is shown, or none.
    void reset();
    // Called when the same sweep has gone further.
    void refresh();
    void focusTable();
    void retranslate();

signals:
    void runWanted(QString id);  // of the trial that was activated

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void drawPlot();
    void showImportance();
    void setWidths();
    void chooseLine();

    const session::SweepDesk& desk_;
    std::size_t told_ = 0;  // values at the ends of rungs that plot and importance know
    models::SweepTableModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    ParallelView* parallel_;
    ImportanceBars* bars_;
    widgets::TextLabel *bars_title_, *best_, *best_values_;
};

}  // namespace ui::views
