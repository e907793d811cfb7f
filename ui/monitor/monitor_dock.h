// SPDX-License-Identifier: GPL-3.0-or-later
// The right dock of Monitor: tasks, ring, step time, use of the host, checkpoints of one run.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <cstdint>
#include <deque>
#include <optional>

#include "engine/spec/events/host_load.h"
#include "engine/spec/project/cluster_spec.h"

class QListView;

namespace engine::run {
struct TaskRecord;
}  // namespace engine::run
namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class HostHistory;
class RunRecord;
}  // namespace ui::session
namespace ui::models {
class TaskListModel;
}
namespace ui::widgets {
class TextLabel;
}
namespace ui::charts {
class ChartGroup;
}

namespace ui::views {

class CheckpointsView;
class HostLoadView;
class LayerView;
class RingView;
class ServerView;
class StepTimesView;
class WeightView;

// Shows one run or none. GUI thread only.
class MonitorDock : public QScrollArea {
    Q_OBJECT
public:
    explicit MonitorDock(const theme::ThemeController& themes, QWidget* parent = nullptr);

    // `moment_unix_ns`: the run as it was then, so that the loads of the hosts are those of that moment, too; nullopt: as it is.
    void setRun(const session::RunRecord* run, std::optional<std::int64_t> moment_unix_ns = std::nullopt);
    void setCores(int cores_of_host);  // 0: unknown
    // Sets where the loads of the hosts come from; `history` outlives the dock. `host_name` is the name of the agent's own computer.
    void setHost(const session::HostHistory* history, const QString& host_name);
    void setNarrow(bool narrow);
    // The small charts of the layers share cursor and zoom with the group's, which outlives them.
    void join(charts::ChartGroup& group);
    void retranslate();
    void refresh();

signals:
    void stepWanted(std::int64_t step);             // where something of a layer began
    void chartWanted(QString key);                  // of layerCharts(), in full
    void folderWanted();                            // of the checkpoints
    void branchWanted(QString prefix);              // of the run, behind that checkpoint
    void taskActivated(engine::spec::TaskId task);  // Enter or double click: opens its log

private:
    void refreshTasks();
    double coresOf(const engine::run::TaskRecord& task) const;  // below 0: not known
    void refreshHost();
    void refreshOthers(std::int64_t end_unix_ns);
    bool isPresent(const engine::spec::HostLoad& load) const;  // while the run goes on
    // Returns the newest of `loads` that is not behind the moment shown, while the run goes on and the host measures; else nullptr.
    const engine::spec::HostLoad* presentOf(const std::deque<engine::spec::HostLoad>& loads) const;

    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    std::optional<std::int64_t> moment_unix_ns_;
    const session::HostHistory* host_ = nullptr;
    QString host_name_;
    int cores_ = 0;
    models::TaskListModel* tasks_;
    QListView* task_view_;
    RingView* ring_;
    ServerView* servers_;  // in place of the ring
    widgets::TextLabel *tasks_title_, *tasks_state_, *ring_title_, *ring_state_, *host_title_, *host_state_, *others_title_;
    StepTimesView* times_;
    HostLoadView *host_load_, *others_load_;  // of this computer, of the run's others
    CheckpointsView* checkpoints_;
    WeightView* weights_;
    LayerView* layers_;
    QTimer refresh_timer_;
};

}  // namespace ui::views
