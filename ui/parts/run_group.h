// SPDX-License-Identifier: GPL-3.0-or-later
// The foot of the mode bar, on every page: where the run goes, Launch, Pause, Stop and the state in a word.
#pragma once

#include <QWidget>

#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

class QLabel;
class QMenu;
class QToolButton;

namespace ui::session {
class RunRecord;
}

namespace ui::views {

class RunGroup : public QWidget {
    Q_OBJECT
public:
    RunGroup(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void fillTargets();

    session::Session& session_;
    const theme::ThemeController& themes_;
    QMenu* targets_;
    QToolButton *target_, *launch_, *pause_, *stop_;
    QString state_text_;
    QColor state_color_;
    bool state_filled_ = true;
};

// Returns the colour of a run's state, for dots; the dot is hollow when the state is "not yet".
QColor phaseColor(const theme::Theme& theme, session::RunState phase);
// True when the run trains by name, but a task is missing or silent: shown as "Waiting".
bool waitsForTasks(const session::RunRecord& run);

}  // namespace ui::views
