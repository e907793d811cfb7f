// SPDX-License-Identifier: GPL-3.0-or-later
// The row at the top of Monitor: which run, its state in a word and a sentence, and the controls that its state allows.
#pragma once

#include <QWidget>

class QLineEdit;
class QMenu;
class QPushButton;
class QToolButton;

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
class Session;
}  // namespace ui::session
namespace ui::widgets {
class StatusPill;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

// Calls the verbs of Runs and Launcher by itself; both arguments outlive it.
class MonitorHeader : public QWidget {
    Q_OBJECT
public:
    MonitorHeader(session::Session& session, const theme::ThemeController& themes, QWidget* parent);

    // Null: nothing is running. The run outlives the time it is shown.
    void setRun(const session::RunRecord* run);
    // Says that the run is there and its start waits for tasks; the state says so from the next refresh on.
    void setWaiting(bool waits) { waits_ = waits; }
    void setNarrow(bool narrow);
    void refresh();
    void refreshRate();  // the field shows the rate of the newest step, unless somebody is at it
    void retranslate();
    bool canStep() const;
    // Pauses or resumes the run; false while there is no step to pause behind.
    bool pauseOrResume();

signals:
    void projectWanted(QString run_id);  // what the run holds, as a project

private:
    void connectButtons();
    void fillMoreMenu();
    void addFolderActions(QMenu& menu);
    void applyRate();
    void continueWithFewer();
    void refreshState();
    void refreshRestart();
    void refreshRateField(bool stepping);
    QString fewerObstacle() const;
    QString secondaryText() const;
    QString doneText() const;
    QString stateText() const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    bool waits_ = false, narrow_ = false;
    QWidget* dot_;  // room for the run's dot, which the page paints
    widgets::TextLabel *title_, *secondary_, *rate_label_;
    widgets::StatusPill* pill_;
    QPushButton *pause_, *step_, *stop_, *apply_, *again_, *restart_, *fewer_;
    QToolButton* more_;
    QLineEdit* rate_;
    QWidget* rate_divider_;
};

}  // namespace ui::views
