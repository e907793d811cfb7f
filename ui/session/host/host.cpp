// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/host.h"

#include <algorithm>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/project/cluster_spec.h"
#include "ui/session/event_list.h"
#include "ui/session/host/agent_link.h"

namespace ui::session {

using engine::spec::Severity;

namespace {

constexpr int kMostReconnectMs = 30'000;

}  // namespace

Host::Host(AgentLink& link, EventList& events, int reconnect_ms)
    : link_(link), events_(events), reconnect_ms_(reconnect_ms), reconnect_wait_ms_(reconnect_ms) {
    reconnect_timer_.setSingleShot(true);
    connect(&reconnect_timer_, &QTimer::timeout, this, &Host::connectAgent);
    connect(&link_, &AgentLink::connected, this, &Host::onConnected);
    connect(&link_, &AgentLink::lost, this, &Host::onLost);
    connect(&link_, &AgentLink::silent, this, &Host::onSilent);
    connect(&link_, &AgentLink::answered, this, &Host::onAnswered);
    connect(&link_, &AgentLink::described, this, &Host::onDescribed);
    connect(&link_, &AgentLink::hostLoadsArrived, &history_, &HostHistory::add);
}

bool Host::isThisComputer(const std::string& host) const {
    if (engine::spec::isLoopbackName(host)) return true;
    if (!info_) return false;
    const auto& addresses = info_->addresses;
    return host == info_->host_name || std::find(addresses.begin(), addresses.end(), host) != addresses.end();
}

void Host::connectAgent() {
    state_ = AgentState::kConnecting;
    silent_s_ = 0;
    emit agentChanged();
    link_.connectAgent();
}

void Host::refresh() {
    if (isReady()) {
        link_.describe();
    } else {
        connectAgent();
    }
}

void Host::setWatched(bool watched) {
    is_wanted_ = watched;
    follow();
}

void Host::follow() {
    const bool wanted = isReady() && is_wanted_;
    if (wanted == is_followed_) return;
    is_followed_ = wanted;
    if (!wanted) return link_.endHostWatch();
    const engine::spec::HostLoad* newest = history_.newest();
    link_.watchHost(newest ? newest->time_unix_ns : 0);
}

void Host::onConnected() {
    state_ = AgentState::kReady;
    problem_.clear();
    silent_s_ = 0;
    reconnect_wait_ms_ = reconnect_ms_;
    events_.add(Severity::kInfo, tr("The agent of this computer is ready."));
    emit agentChanged();
    link_.describe();
    is_followed_ = false;  // the watch went with the former connection
    emit connected();
    follow();
}

void Host::onLost(const QString& reason) {
    const bool news = state_ != AgentState::kLost;
    state_ = AgentState::kLost;
    problem_ = reason;
    silent_s_ = 0;
    if (news && reconnect_wait_ms_ == reconnect_ms_) events_.add(Severity::kWarning, tr("The agent does not answer: %1").arg(reason));
    emit agentChanged();
    reconnect_timer_.start(reconnect_wait_ms_);
    reconnect_wait_ms_ = std::min(reconnect_wait_ms_ * 2, kMostReconnectMs);
}

// Its streams go on by themselves when it answers again: nothing is connected anew.
void Host::onSilent(qint64 ms) {
    if (!isReady() && silent_s_ == 0) return;  // of a connection that was given up
    const bool news = silent_s_ == 0;
    state_ = AgentState::kLost;
    silent_s_ = std::max(1, static_cast<int>(ms / 1000));
    problem_ = tr("no sign of life for %n second(s)", nullptr, silent_s_);
    if (news) events_.add(Severity::kWarning, tr("The agent does not answer: %1").arg(problem_));
    emit agentChanged();
}

void Host::onAnswered() {
    if (silent_s_ == 0) return;
    state_ = AgentState::kReady;
    silent_s_ = 0;
    problem_.clear();
    events_.add(Severity::kInfo, tr("The agent answers again."));
    emit agentChanged();
    emit answersAgain();
}

void Host::onDescribed(const engine::run::HostInfo& info) {
    if (!info.runs_notice.empty() && (!info_ || info_->runs_notice != info.runs_notice)) {
        events_.add(Severity::kWarning,
                    tr("The list of runs was lost and built again from their folders (%1).").arg(QString::fromStdString(info.runs_notice)));
    }
    const bool is_renamed = !info_ || info_->host_name != info.host_name || info_->addresses != info.addresses;
    info_ = info;
    if (is_renamed) emit renamed();
    emit changed();
}

}  // namespace ui::session

#include "moc_host.cpp"
