// SPDX-License-Identifier: GPL-3.0-or-later
// The lower half of the Cluster page: TF_CONFIG of every task in the chosen format, and what the doctor measured between the tasks.
#pragma once

#include <QWidget>

#include "engine/launch/tf_config_files.h"
#include "engine/spec/project/cluster_spec.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class LinkMatrix;
class TfConfigRow;
class WayMatrix;

// Reads project and doctor; both arguments outlive it.
class TfConfigPane : public QWidget {
    Q_OBJECT
public:
    TfConfigPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent);

    void refresh();
    void showTask(const engine::spec::TaskId& task);
    void copyAll() const;  // TF_CONFIG of every task, as text
    void setNarrow(bool narrow);
    void retranslate();

signals:
    void taskChosen(const engine::spec::TaskId& task);
    void pasteWanted();
    void exportWanted();

private:
    void refreshConfigs();
    void refreshMatrix();
    std::vector<std::string> computers() const;  // of the cluster that have a task which others call
    void refreshSentence();
    engine::launch::TfConfigFormat format() const;

    session::Session& session_;
    widgets::TextLabel *title_, *sentence_;
    widgets::SegmentedControl* format_;
    QPushButton *paste_, *copy_all_, *export_;
    TfConfigRow* configs_;
    LinkMatrix* matrix_;  // of tasks, where all are on one computer; else
    WayMatrix* ways_;     // of computers
    bool is_far_ = false;
    bool narrow_ = false;
};

}  // namespace ui::views
