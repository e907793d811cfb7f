// SPDX-License-Identifier: GPL-3.0-or-later
// Validation, the three linked batch boxes with their advice, and auto-shard with its reason.
#pragma once

#include <QWidget>

#include "engine/spec/cluster/task_plan.h"
#include "ui/theme/theme_controller.h"

class QBoxLayout;
class QComboBox;

namespace ui::session {
class Project;
}

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class NumberBox;
class SplitBar;

class BatchPanel : public QWidget {
    Q_OBJECT
public:
    BatchPanel(session::Project& project, const theme::ThemeController& themes, QWidget* parent);
    // Sets why samples are dealt as they are, in the engine's words; empty while it is not known.
    void setShardReason(const QString& reason);
    // Sets how many samples the project's set has; 0 samples: not known.
    void setSamples(const engine::spec::SetSize& training, std::int64_t test);
    void refresh();
    void setNarrow(bool narrow);
    void retranslate();
    void focusSeed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitTexts();
    void build();
    NumberBox* makeBox(const char* name, int minimum, int maximum);
    void chooseValidation(int index);
    void setReplicas(int replicas);
    QString replicaObstacle() const;

    session::Project& project_;
    const theme::ThemeController& themes_;
    widgets::TextLabel *validation_title_, *training_, *held_back_;
    QBoxLayout* shard_row_;
    QComboBox* validation_;
    NumberBox* percent_;
    SplitBar* bar_;
    widgets::TextLabel *batch_title_, *seed_label_, *each_label_, *replicas_label_, *global_label_, *advice_;
    NumberBox *seed_, *each_, *replicas_, *global_;
    engine::spec::SetSize training_set_;
    std::int64_t test_samples_ = 0;
    widgets::TextLabel *shard_title_, *shard_reason_;
    widgets::SegmentedControl* shard_;
};

}  // namespace ui::views
