// SPDX-License-Identifier: GPL-3.0-or-later
// Runs: every run that the agent knows as a table, with filter, groups and a baseline; below it the checked ones beside each other.
// Evaluate takes the page for one run, the equivalence lab and sweeps for the open project.
#pragma once

#include "ui/models/run_table_model.h"
#include "ui/parts/page.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

class QMenu;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace ui::widgets {
class PageHeader;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class EvaluateView;
class LabView;
class SweepView;
class RunCompare;
class RunTable;
class RunTableTools;

class RunsPage : public Page {
    Q_OBJECT
public:
    RunsPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    ~RunsPage() override;
    void retranslate() override;
    bool canEdit(EditVerb verb) const override;
    void edit(EditVerb verb) override;
    void activated() override;
    void setNarrow(bool narrow) override;
    bool leaveView() override;  // evaluation, lab, sweep; of the list a chart in full size
    QWidget* sidebar() const override;
    void resetLayout() override;  // Alt+0: the table alone, or with the comparison
    models::RunTableModel& model() { return *model_; }
    RunCompare& compare() { return *compare_; }
    void evaluate(const session::RunSummary& run);
    void openLab();
    void openSweep();

private:
    enum class State { kReading, kEmpty, kArchived, kNoMatch, kTable };

    void buildHeader();
    QWidget* buildTable();
    QWidget* buildState();
    void connectParts();
    void buildMenus();
    void fillRowMenu(QMenu& menu);
    void fillColorMenu(QMenu& menu);
    void refresh();
    void refreshCompared();
    void refreshTexts();
    void showState(State state);
    void archiveSelected();
    void openSelected();
    void evaluateSelected();
    void pinSelected();
    void copyTable();
    void closeView();
    void stateAction();

    session::Session& session_;
    const theme::ThemeController& themes_;
    models::RunTableModel* model_;
    widgets::PageHeader* header_;
    QPushButton *folder_, *open_, *lab_button_, *sweep_button_, *evaluate_button_;
    RunTableTools* tools_;
    widgets::TextLabel *state_title_, *state_text_;
    QPushButton* state_button_;
    QStackedWidget *pages_, *table_stack_;
    QSplitter* splitter_;
    RunTable* table_;
    RunCompare* compare_;
    EvaluateView* evaluate_;
    LabView* lab_;
    SweepView* sweep_;
    State state_ = State::kReading;
    QString current_;  // id of the current row
    bool refreshing_ = false, chose_first_ = false;
};

}  // namespace ui::views
