// SPDX-License-Identifier: GPL-3.0-or-later
// The row that goes back in a run's time: a slider over its steps, what held at that step, and the ways on from there.
#pragma once

#include <QWidget>
#include <cstdint>

class QPushButton;
class QSlider;

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
class TimeTravel;
}  // namespace ui::session
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

// Moves `travel`, which outlives it, and is hidden while that is off. GUI thread only.
class TimeBar : public QWidget {
    Q_OBJECT
public:
    TimeBar(session::TimeTravel& travel, const theme::ThemeController& themes, QWidget* parent);
    void setRun(const session::RunRecord* run);
    // Sets the checkpoint that a branch would begin behind; below 0: none lies before the step.
    void setCheckpoint(std::int64_t step);
    void refresh();
    void retranslate();
    void focusSlider();

signals:
    void branchWanted();

private:
    QString factsText() const;

    session::TimeTravel& travel_;
    const session::RunRecord* run_ = nullptr;
    std::int64_t checkpoint_ = -1;
    widgets::TextLabel *title_, *facts_;
    QSlider* slider_;
    QPushButton *branch_, *now_;
};

}  // namespace ui::views
