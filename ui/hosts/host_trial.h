// SPDX-License-Identifier: GPL-3.0-or-later
// A look at a computer that may be in no list yet. It begins when the user pauses while typing. What ssh asks meanwhile is shown to the
// user and never answered by the trial itself. The next entry cancels a look in progress; nothing waits for it, not even the destructor.
// GUI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "ui/session/host/far_hosts.h"

namespace ui::views {

class HostTrial : public QObject {
    Q_OBJECT
public:
    enum class State {
        kNone,      // nothing to look at
        kLooking,   // the pause, or the look
        kDeclined,  // its key is not trusted
        kEnded,     // sight() has what it told
    };

    explicit HostTrial(session::FarHosts& hosts, QObject* parent, int pause_ms = 500);
    ~HostTrial() override;

    // Looks at it after the pause; one that is looked at, or was, is left alone.
    void lookAt(const session::HostEntry& entry);
    void lookAgain();  // at once
    void clear();
    void decline();
    void answer(const QString& text);

    State state() const { return state_; }
    const session::HostEntry& entry() const { return entry_; }
    bool isOf(const session::HostEntry& entry) const { return state_ != State::kNone && entry_ == entry; }
    const session::HostSight& sight() const { return sight_; }
    const std::optional<session::HostQuestion>& question() const;

signals:
    void changed();

private:
    void end(State state, const session::HostSight& sight);

    session::FarHosts& hosts_;
    std::unique_ptr<session::HostJob> job_ = std::make_unique<session::HostJob>();
    QTimer pause_;
    State state_ = State::kNone;
    session::HostEntry entry_;
    session::HostSight sight_;
};

}  // namespace ui::views
