// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps of the open project: the plan of a new one, or the trials of one that is at work or was. Shown in place of the table of runs; Esc
// goes back, the sweep goes on.
#pragma once

#include <QWidget>

#include "ui/session/runs/sweep_desk.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QMenu;
class QPushButton;
class QStackedWidget;

namespace ui::widgets {
class StatePanel;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class SweepPlan;
class SweepResult;

class SweepView : public QWidget {
    Q_OBJECT
public:
    SweepView(session::Session& session, const theme::ThemeController& themes, QWidget* parent);

    session::SweepDesk& desk() { return *desk_; }
    // Returns one sentence on the results so far, for the page's header.
    QString sentence() const;
    void retranslate();

signals:
    void closeWanted();
    void sentenceChanged();
    void projectWanted();  // there is none yet
    void runWanted(QString id);
    void bestTaken();  // the open project has the best trial's values

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildHead(const theme::ThemeController& themes);
    void start();
    void fillEarlier();
    void takeBest();
    void takeProject();
    void refresh();
    QString obstacle() const;
    QString bestProblem() const;
    engine::spec::Diagnostics withBest(engine::spec::RunSpec& project) const;

    session::Session& session_;
    bool is_another_ = true;  // the plan has not seen the open project yet
    session::SweepDesk* desk_;
    QPushButton *back_, *earlier_, *new_, *take_best_, *start_, *stop_, *resume_;
    QMenu* menu_;
    widgets::TextLabel* facts_;
    QWidget* head_;
    QStackedWidget* stack_;
    widgets::StatePanel* state_;
    SweepPlan* plan_;
    SweepResult* result_;
};

}  // namespace ui::views
