// SPDX-License-Identifier: GPL-3.0-or-later
// The computer that runs are started on, as its agent tells of it: whether the agent answers, what the computer has and what it uses.
// Owned by Session; GUI thread only, nothing here blocks.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>
#include <string>

#include "engine/run/host_info.h"
#include "ui/session/host/host_history.h"
#include "ui/session/values.h"

namespace ui::session {

class AgentLink;
class EventList;

class Host : public QObject {
    Q_OBJECT
public:
    // `link` and `events` outlive it. `reconnect_ms`: the first wait after the agent was lost; each further one is twice as long, up to 30
    // s.
    Host(AgentLink& link, EventList& events, int reconnect_ms);

    AgentState agentState() const { return state_; }
    bool isReady() const { return state_ == AgentState::kReady; }
    QString agentProblem() const { return problem_; }
    // Seconds for which the agent, which lives, has not answered; 0 while it answers, and when there is none.
    int agentSilentSeconds() const { return silent_s_; }
    const std::optional<engine::run::HostInfo>& info() const { return info_; }
    // The loads of the agent's computer and of the others while a run went on and this studio watched.
    const HostHistory& history() const { return history_; }
    // True when a name of an address means this computer, as far as its agent told.
    bool isThisComputer(const std::string& host) const;

    void connectAgent();  // starts it where none answers
    void refresh();       // info() anew; connects where no agent answers
    // Tells whether somebody wants the computer's loads: the agent is asked for them only then.
    void setWatched(bool watched);

signals:
    void agentChanged();  // agentState(), agentProblem() or agentSilentSeconds()
    void connected();     // a connection stands that did not stand before; comes after agentChanged
    void answersAgain();  // the same connection; comes after agentChanged
    void changed();       // info()
    void renamed();       // other names or addresses in info(); comes before changed

private:
    void onConnected();
    void onLost(const QString& reason);
    void onSilent(qint64 ms);
    void onAnswered();
    void onDescribed(const engine::run::HostInfo& info);
    void follow();

    AgentLink& link_;
    EventList& events_;
    const int reconnect_ms_;
    QTimer reconnect_timer_;
    int reconnect_wait_ms_;
    AgentState state_ = AgentState::kConnecting;
    QString problem_;
    int silent_s_ = 0;
    std::optional<engine::run::HostInfo> info_;
    HostHistory history_;
    bool is_wanted_ = false, is_followed_ = false;
};

}  // namespace ui::session
