// SPDX-License-Identifier: GPL-3.0-or-later
// A section of Monitor's dock: what the phases of a step take on each task, the share that is training, and who is slowest.
#pragma once

#include <QWidget>

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
}  // namespace ui::session
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class StepTimeBars;

class StepTimesView : public QWidget {
    Q_OBJECT
public:
    StepTimesView(const theme::ThemeController& themes, QWidget* parent);

    // Shows the run's present step times; null: nothing is known.
    void show(const session::RunRecord* run);
    void retranslate();

private:
    StepTimeBars* bars_;
    widgets::TextLabel *title_, *window_, *efficiency_name_, *efficiency_, *slowest_name_, *slowest_;
};

}  // namespace ui::views
