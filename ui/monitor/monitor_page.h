// SPDX-License-Identifier: GPL-3.0-or-later
// Monitor: the run that is shown, its controls, curves, tasks and states.
#pragma once

#include <QTimer>
#include <cstdint>

#include "engine/spec/project/cluster_spec.h"
#include "ui/parts/page.h"

class QMenu;
class QScrollArea;
class QStackedWidget;

namespace engine::spec {
struct CheckpointSaved;
}
namespace ui::charts {
struct Marker;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
class Session;
class TimeTravel;
}  // namespace ui::session

namespace ui::views {

class EmptyMonitor;
class AgentBanner;
class FailureCard;
class FailureTimeline;
class MonitorCharts;
class MonitorDock;
class MonitorHeader;
class MonitorProgress;
class MonitorTools;
class TimeBar;
class WaitingCard;
class XrayView;

// Reads Session and its current RunRecord, calls Session's verbs; GUI thread only.
class MonitorPage : public Page {
    Q_OBJECT
public:
    MonitorPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);

    void retranslate() override;
    void activated() override;
    void setNarrow(bool narrow) override;
    bool handleSpace() override;  // pauses or resumes
    bool leaveView() override;    // a chart in full size, else a moment of the past
    QList<widgets::DockSplitter*> splitters() const override { return {splitter_}; }
    MonitorCharts& charts() { return *charts_; }

signals:
    // Asks the window to open the log pane on this task, at `seconds` since launch (below 0: its end).
    void taskLogRequested(engine::spec::TaskId task, double seconds);
    // Emitted when the page shows the run as it stood so many seconds after its launch.
    void momentShown(double seconds);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    enum class State { kEmpty, kWaiting, kRunning, kFailed };

    QWidget* buildRunView();
    void connectSession();
    void adoptHost();
    void adoptRun();
    void refresh();  // everything that follows from the run's state
    QString bannerText() const;
    void refreshControls();
    void refreshProgress();
    void showState(State state);
    void showParts(State state);
    void connectStates();
    void travel(bool on);
    void showMoment();
    const engine::spec::CheckpointSaved* checkpointBefore(double step) const;  // one to branch from; null: none
    void offerBranch(QMenu& menu);
    void branch(const QString& prefix);  // of the run that is shown, behind that checkpoint
    void showStep(std::int64_t step);
    void showMarker(const charts::Marker& marker, QPoint global);
    void goOnWithoutTheMissing();
    void copyStartCommand();
    QString startObstacle() const;
    QString goOnObstacle() const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    QTimer clock_;  // elapsed, left, waiting: four times a second while the run goes

    MonitorHeader* header_;
    MonitorProgress* progress_;
    MonitorTools* tools_;
    QStackedWidget* stack_;
    EmptyMonitor* empty_;
    WaitingCard* waiting_;
    FailureCard* failure_;
    FailureTimeline* timeline_;
    AgentBanner* banner_;
    session::TimeTravel* travel_;
    TimeBar* time_bar_;
    QScrollArea* chart_area_;
    MonitorCharts* charts_;
    XrayView* xray_;  // in place of the charts
    MonitorDock* dock_;
    widgets::DockSplitter* splitter_;  // charts beside dock
};

}  // namespace ui::views
