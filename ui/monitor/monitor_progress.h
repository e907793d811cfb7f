// SPDX-License-Identifier: GPL-3.0-or-later
// How far a run is, in epochs, steps and time.
#pragma once

#include <QWidget>
#include <optional>

namespace ui::session {
class RunRecord;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class EpochProgress;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

// Returns the seconds since the launch, until now or until the end of a run that is over. Time between a stop and a restart by hand is left
// out.
double elapsedSeconds(const session::RunRecord& run);

// Returns the seconds left at the pace of the last ten seconds, validation included; nullopt while there is no pace.
std::optional<double> secondsLeft(const session::RunRecord& run);

// Two lines: words and numbers over a bar with a segment an epoch. GUI thread only.
class MonitorProgress : public QWidget {
    Q_OBJECT
public:
    MonitorProgress(const theme::ThemeController& themes, QWidget* parent);
    void setNarrow(bool narrow) { narrow_ = narrow; }
    void show(const session::RunRecord& run);

private:
    bool narrow_ = false;
    widgets::TextLabel *epoch_, *steps_, *times_;
    widgets::EpochProgress* bar_;
};

}  // namespace ui::views
