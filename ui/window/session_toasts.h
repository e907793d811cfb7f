// SPDX-License-Identifier: GPL-3.0-or-later
// What the session tells in passing: a toast for what was opened, what went wrong and a run that is done; of a run's end the desktop too.
#pragma once

#include <QObject>
#include <QString>

#include "ui/session/session.h"
#include "ui/session/values.h"

namespace ui::widgets {
class Toast;
}

namespace ui::views {

class DesktopNotice;

class SessionToasts : public QObject {
    Q_OBJECT
public:
    // `session` and `toast` outlive it; `window` owns it.
    SessionToasts(session::Session& session, widgets::Toast& toast, QWidget& window);

    // Tells of the current run's end when it ended since the last look.
    void lookAtRun();
    // Called when the window is looked at again: tells once when another program has changed the project's file meanwhile.
    void lookAtFile();

signals:
    void eventsWanted();
    void saveAsWanted();
    void readAgainWanted(QString path);  // the project's file at the time when the toast was shown

private:
    void tellOfFiles();
    void tellOfAgent();

    session::Session& session_;
    widgets::Toast& toast_;
    DesktopNotice* notice_;
    session::RunState last_phase_ = session::RunState::kNone;
    bool told_of_file_ = false;  // the toast said that another program has changed the project's file
    bool agent_missed_ = false;  // the toast says that the agent does not answer
};

}  // namespace ui::views
