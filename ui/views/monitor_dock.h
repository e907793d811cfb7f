// SPDX-License-Identifier: GPL-3.0-or-later
// The right dock of Monitor: tasks, ring, step time, checkpoints of one run.
#pragma once

#include <QScrollArea>
#include <QTimer>

#include "engine/spec/cluster_spec.h"

class QListView;
class QPushButton;

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
}
namespace ui::models {
class TaskListModel;
class CheckpointModel;
}  // namespace ui::models
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class RingView;
class StepTimeBars;
class WeightView;

// Shows one run or none. GUI thread only.
class MonitorDock : public QScrollArea {
    Q_OBJECT
public:
    explicit MonitorDock(const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setRun(const session::RunRecord* run);
    void setCores(int cores_of_host);  // 0: unknown
    void setNarrow(bool narrow);
    void retranslate();
    void refresh();

signals:
    void folderWanted();                            // of the checkpoints
    void taskActivated(engine::spec::TaskId task);  // Enter or double click: opens its log

private:
    void refreshTasks();
    void refreshTimes();
    void refreshCheckpoints();

    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    int cores_ = 0;
    models::TaskListModel* tasks_;
    models::CheckpointModel* checkpoints_;
    QListView* task_view_;
    QListView* checkpoint_view_;
    RingView* ring_;
    StepTimeBars* bars_;
    widgets::TextLabel *tasks_title_, *tasks_state_, *ring_title_, *ring_state_, *times_title_, *times_state_, *efficiency_name_,
        *efficiency_, *slowest_name_, *slowest_, *checkpoints_title_, *checkpoints_state_, *no_checkpoint_;
    QPushButton* folder_;
    WeightView* weights_;
    QTimer refresh_timer_;
};

}  // namespace ui::views
