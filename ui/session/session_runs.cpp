// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDateTime>
#include <QSettings>
#include <algorithm>

#include "ui/session/agent_link.h"
#include "ui/session/error_text.h"
#include "ui/session/session.h"
#include "ui/session/worker_thread.h"

namespace ui::session {

using namespace engine::spec;

namespace {

constexpr int kPollActiveMs = 2000, kPollIdleMs = 8000, kMostReconnectMs = 30'000, kSeriesColors = 8;

}  // namespace

void Session::wireLink() {
    qRegisterMetaType<ui::session::ErrorInfo>();
    reconnect_wait_ms_ = options_.reconnect_ms;
    reconnect_timer_.setSingleShot(true);
    connect(&reconnect_timer_, &QTimer::timeout, this, &Session::connectAgent);
    connect(&poll_timer_, &QTimer::timeout, this, [this] {
        if (agent_state_ == AgentState::kReady) link_->listRuns();
    });
    AgentLink* link = link_.get();
    connect(link, &AgentLink::connected, this, [this] {
        agent_state_ = AgentState::kReady;
        agent_problem_.clear();
        reconnect_wait_ms_ = options_.reconnect_ms;
        addEvent(Severity::kInfo, tr("The agent of this computer is ready."));
        emit agentChanged();
        link_->describe();
        link_->listRuns();
        if (current_run_ && isActive(current_run_->phase())) link_->watch(current_run_->id(), current_run_->lastSequence() + 1);
        poll_timer_.start(kPollIdleMs);
    });
    connect(link, &AgentLink::lost, this, &Session::onAgentLost);
    connect(link, &AgentLink::described, this, [this](const HostFacts& facts) {
        host_ = facts;
        emit hostChanged();
    });
    connect(link, &AgentLink::runsListed, this, &Session::onRuns);
    connect(link, &AgentLink::runAnswered, this, [this](RunSummary run) {
        run.color = colorOf(run.id);
        if (current_run_ && current_run_->id() == run.id) current_run_->setSummary(run);
    });
    connect(link, &AgentLink::submitted, this, [this](RunSummary run) {
        launching_ = false;
        run.color = colorOf(run.id);
        runs_.insert(runs_.begin(), run);
        addEvent(Severity::kInfo, tr("Launched %1 with %n task(s).", nullptr, run.tasks).arg(run.name));
        adoptRun(run);
        emit runsChanged();
        emit runLaunched();
    });
    const auto report = [this](const ErrorInfo& error) {
        addEvent(Severity::kError, errorText(error));
        emit callFailed(error);
    };
    connect(link, &AgentLink::submitFailed, this, [this, report](const ErrorInfo& error) {
        launching_ = false;
        report(error);
        emit runStateChanged();
    });
    connect(link, &AgentLink::callFailed, this, [this, report](const ErrorInfo& error) {
        if (agent_state_ == AgentState::kReady) report(error);
    });
    connect(link, &AgentLink::eventsArrived, this, [this](const QString& id, const std::vector<TaskEvent>& events) {
        if (current_run_ && current_run_->id() == id) current_run_->ingest(events);
    });
    connect(link, &AgentLink::pointsDropped, this, [this](const QString& id, qint64 count) {
        if (current_run_ && current_run_->id() == id) current_run_->addDropped(count);
    });
    connect(link, &AgentLink::watchEnded, this, &Session::onWatchEnded);
}

void Session::connectAgent() {
    agent_state_ = AgentState::kConnecting;
    emit agentChanged();
    link_->connectAgent();
}

void Session::refreshHost() {
    if (agent_state_ == AgentState::kReady) {
        link_->describe();
    } else {
        connectAgent();
    }
}

void Session::refreshRuns() {
    link_->listRuns();
}

void Session::onAgentLost(const QString& reason) {
    poll_timer_.stop();
    const bool news = agent_state_ != AgentState::kLost;
    agent_state_ = AgentState::kLost;
    agent_problem_ = reason;
    if (news && reconnect_wait_ms_ == options_.reconnect_ms) addEvent(Severity::kWarning, tr("The agent does not answer: %1").arg(reason));
    emit agentChanged();
    reconnect_timer_.start(reconnect_wait_ms_);
    reconnect_wait_ms_ = std::min(reconnect_wait_ms_ * 2, kMostReconnectMs);
}

void Session::onWatchEnded(const QString& run_id, const std::optional<QString>& error) {
    if (!current_run_ || current_run_->id() != run_id) return;
    if (!error) {
        link_->getRun(run_id);
        link_->listRuns();
        return;
    }
    addEvent(Severity::kWarning, tr("The stream of %1 broke off: %2").arg(current_run_->summary().name, *error));
    QTimer::singleShot(options_.reconnect_ms, this, [this, run_id] {
        if (agent_state_ == AgentState::kReady && current_run_ && current_run_->id() == run_id) {
            link_->watch(run_id, current_run_->lastSequence() + 1);
        }
    });
    link_->listRuns();  // notices an agent that is gone
}

int Session::colorOf(const QString& run_id) {
    const auto found = colors_.find(run_id);
    if (found != colors_.end()) return found->second;
    const QString key = "run_color/" + run_id;
    int color = static_cast<int>(colors_.size()) % kSeriesColors;
    if (options_.settings) {
        if (!options_.settings->contains(key)) {
            const int next = options_.settings->value("next_run_color", 0).toInt();
            options_.settings->setValue(key, next);
            options_.settings->setValue("next_run_color", (next + 1) % kSeriesColors);
        }
        color = options_.settings->value(key).toInt();
    }
    colors_.emplace(run_id, color);
    return color;
}

void Session::onRuns(std::vector<RunSummary> runs) {
    std::stable_sort(runs.begin(), runs.end(),
                     [](const RunSummary& a, const RunSummary& b) { return a.created_unix_ns > b.created_unix_ns; });
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) run->color = colorOf(run->id);  // the oldest takes the first colour
    if (current_run_) {
        const auto own = std::find_if(runs.begin(), runs.end(), [this](const RunSummary& r) { return r.id == current_run_->id(); });
        if (own != runs.end()) current_run_->setSummary(*own);
    } else if (!runs.empty()) {
        const auto active = std::find_if(runs.begin(), runs.end(), [](const RunSummary& r) { return isActive(r.phase); });
        adoptRun(active != runs.end() ? *active : runs.front());
    }
    if (runs != runs_) {
        runs_ = std::move(runs);
        emit runsChanged();
    }
    poll_timer_.start(hasActiveRun() ? kPollActiveMs : kPollIdleMs);
}

void Session::adoptRun(const RunSummary& run) {
    RunRecord* before = current_run_;
    current_run_ = new RunRecord(run, this);
    connect(current_run_, &RunRecord::stateChanged, this, [this, was_active = isActive(run.phase)]() mutable {
        const bool active = hasActiveRun();
        if (was_active && !active) {
            addEvent(current_run_->phase() == RunPhase::kFailed ? Severity::kError : Severity::kInfo,
                     tr("%1: %2").arg(current_run_->summary().name, phaseText(current_run_->phase())));
            refreshDerived();  // its ports are free again
            emit projectChanged();
        }
        was_active = active;
        emit runStateChanged();
    });
    link_->watch(run.id, 1);
    emit currentRunChanged();
    emit runStateChanged();
    if (before) {
        before->disconnect(this);
        before->deleteLater();
    }
}

void Session::showRun(const QString& id) {
    if (current_run_ && current_run_->id() == id) return;
    const auto at = std::find_if(runs_.begin(), runs_.end(), [&](const RunSummary& run) { return run.id == id; });
    if (at != runs_.end()) adoptRun(*at);
}

QString Session::launchObstacle() const {
    if (!has_project_) return tr("No project");
    if (launching_) return tr("Launching");
    if (hasActiveRun()) return tr("A run is going on");
    if (const int errors = errorCount(); errors > 0) return tr("%n problem(s)", nullptr, errors);
    if (agent_state_ == AgentState::kLost) return tr("The agent does not answer");
    if (agent_state_ == AgentState::kConnecting) return tr("Connecting to the agent");
    return {};
}

void Session::launch() {
    if (!launchObstacle().isEmpty()) return;
    launching_ = true;
    emit runStateChanged();
    link_->submit(project_);
}

void Session::launch(int local_workers) {
    if (local_workers != localWorkers()) setLocalWorkers(local_workers);
    launch();
}

void Session::control(ControlVerb verb, double value) {
    if (hasActiveRun()) link_->control(current_run_->id(), {verb, value});
}

void Session::pause() {
    control(ControlVerb::kPause);
}
void Session::resume() {
    control(ControlVerb::kResume);
}
void Session::stepOnce() {
    control(ControlVerb::kStep);
}
void Session::stop() {
    control(ControlVerb::kStop);
}
void Session::stopNow() {
    control(ControlVerb::kStopNow);
}
void Session::checkpointNow() {
    control(ControlVerb::kCheckpointNow);
}
void Session::setLearningRate(double rate) {
    control(ControlVerb::kSetLearningRate, rate);
}

}  // namespace ui::session
