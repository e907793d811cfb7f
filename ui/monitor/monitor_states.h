// SPDX-License-Identifier: GPL-3.0-or-later
// What Monitor shows instead of, or above, its charts: nothing yet, a task is missing, a task failed, the agent
// is gone.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "engine/spec/events/task_event.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace engine::run {
struct TaskRecord;
}  // namespace engine::run
namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
class Session;
}  // namespace ui::session
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ReadinessRow;

// The page while there is no run: what will appear, whether everything is ready, one button.
class EmptyMonitor : public QWidget {
    Q_OBJECT
public:
    EmptyMonitor(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);
    void refresh();
    void retranslate();

signals:
    void templateWanted();
    void modelWanted();
    void dataWanted();
    void clusterWanted();

private:
    session::Session& session_;
    widgets::TextLabel *title_, *line_, *hint_;
    QPushButton *launch_, *template_;
    ReadinessRow *model_, *data_, *cluster_;
};

// Returns "no heartbeat for 6 s" for a task that is silent now.
QString silenceOf(const engine::run::TaskRecord& task);

// The card of a run that has not started: every task, who is missing and why, how long it still waits.
class WaitingCard : public QWidget {
    Q_OBJECT
public:
    explicit WaitingCard(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setRun(const session::RunRecord* run, double elapsed_s);
    // Returns "Waiting for worker 1"; for the pill of the header too.
    static QString headline(const session::RunRecord& run);
    // Sets why the start can't be copied and why the run can't go on with fewer workers; an empty reason enables the button.
    void setObstacles(const QString& start, const QString& go_on);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {300, sizeHint().height()}; }
    void retranslate();

signals:
    void logWanted();
    void startWanted();       // the missing task
    void waitLongerWanted();  // a new launch that waits twice as long
    void goOnWanted();        // a new launch without those who are missing

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    const theme::ThemeController& themes_;
    void placeButtons();
    // The time that the run still waits before it fails or gives a task up, and the time that it waits in all.
    struct Patience {
        double left_s = 0, all_s = 0;
        bool for_a_task = false;  // that gives no sign of life, or never gave one
    };
    Patience patience() const;
    QString patienceText() const;
    QString fact(const engine::run::TaskRecord& task, const std::vector<const engine::run::TaskRecord*>& missing) const;

    const session::RunRecord* run_ = nullptr;
    double elapsed_s_ = 0;
    QPushButton *start_, *wait_, *go_on_, *log_;
};

// The card of the first failure by one clock: what, where, when, code, last lines.
class FailureCard : public QWidget {
    Q_OBJECT
public:
    explicit FailureCard(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setRun(const session::RunRecord* run);
    void retranslate();

signals:
    void logWanted(engine::spec::TaskId task, double seconds);
    void explainWanted(QString code);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString details() const;
    void showCodeOf(const std::string& reason);

    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    widgets::TextLabel *title_, *code_, *text_, *count_;
    QWidget* well_;
    QLabel* lines_;
    QPushButton *log_, *copy_, *explain_;  // the last has the code of the reason
};

// A banner that tells that the agent does not answer while a run goes on.
class AgentBanner : public QWidget {
    Q_OBJECT
public:
    AgentBanner(const theme::ThemeController& themes, QWidget* parent);
    void setText(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    widgets::TextLabel* text_;
};

}  // namespace ui::views
