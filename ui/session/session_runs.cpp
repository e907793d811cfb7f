// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDateTime>
#include <QDir>
#include <QHash>
#include <QLocale>
#include <QSettings>
#include <algorithm>
#include <cmath>

#include "agent/client/project_files.h"
#include "engine/spec/error.h"
#include "ui/session/agent_link.h"
#include "ui/session/error_text.h"
#include "ui/session/history.h"
#include "ui/session/open_project.h"
#include "ui/session/run_facts.h"
#include "ui/session/run_names.h"
#include "ui/session/session.h"
#include "ui/session/worker_thread.h"

namespace ui::session {

using namespace engine::spec;

namespace {

constexpr qsizetype kMaxNameBytes = 1000, kMaxNotesBytes = 64 << 10, kMaxTagsBytes = 8 << 10;
constexpr int kPollActiveMs = 2000, kPollIdleMs = 8000, kMostReconnectMs = 30'000;

// Runs of one project are told apart by a number, in the order of their launch. `runs`: newest first, as the agent names them.
void numberNames(std::vector<RunSummary>& runs) {
    QHash<QString, int> counts;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        const int number = ++counts[run->name];
        if (number > 1) run->name = numberedName(run->name, number);
    }
}

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
        agent_silent_s_ = 0;
        reconnect_wait_ms_ = options_.reconnect_ms;
        addEvent(Severity::kInfo, tr("The agent of this computer is ready."));
        emit agentChanged();
        link_->describe();
        link_->listRuns();
        if (!dataset_.problem.isEmpty()) readDatasetAgain();  // perhaps nobody was there to be asked
        for (RunRecord* record : records()) {
            if (isActive(record->state())) link_->watch(record->id(), record->lastSequence() + 1);
        }
        poll_timer_.start(kPollIdleMs);
        follows_host_ = false;  // the watch went with the former connection
        followHost();
    });
    connect(link, &AgentLink::hostLoadsArrived, &host_history_, &HostHistory::add);
    connect(this, &Session::runStateChanged, this, &Session::followHost);
    connect(link, &AgentLink::lost, this, &Session::onAgentLost);
    connect(link, &AgentLink::silent, this, &Session::onAgentSilent);
    connect(link, &AgentLink::answered, this, &Session::onAgentAnswered);
    connect(link, &AgentLink::described, this, [this](const engine::run::HostInfo& facts) {
        if (!facts.runs_notice.empty() && (!host_ || host_->runs_notice != facts.runs_notice)) {
            addEvent(
                Severity::kWarning,
                tr("The list of runs was lost and built again from their folders (%1).").arg(QString::fromStdString(facts.runs_notice)));
        }
        const bool renamed = !host_ || host_->host_name != facts.host_name || host_->addresses != facts.addresses;
        host_ = facts;
        if (renamed && has_project_) refreshDerived();  // which addresses are this computer's
        emit hostChanged();
    });
    connect(link, &AgentLink::doctorAnswered, this, [this](const engine::spec::DoctorReport& report) {
        if (!doctor_asked_) return;  // the project changed meanwhile
        doctor_report_ = report;
        lookAtPorts();  // what both tell is of one moment
        emit doctorChanged();
    });
    connect(link, &AgentLink::doctorFailed, this, [this](const ErrorInfo& error) {
        doctor_asked_.reset();
        addEvent(Severity::kError, errorText(error));
        emit callFailed(error);
        emit doctorChanged();
    });
    connect(link, &AgentLink::runsListed, this, &Session::onRuns);
    connect(link, &AgentLink::runAnswered, this, [this](RunSummary run) {
        history_->annotate(run);
        if (const RunSummary* known = findRun(run.id)) run.name = known->name;
        if (RunRecord* own = record(run.id)) hear(*own, run);
    });
    connect(link, &AgentLink::submitted, this, [this](RunSummary run) {
        launching_ = false;
        history_->annotate(run);
        if (RunSummary* known = findRun(run.id)) return goOn(*known, run);
        int twins = 0;
        for (const RunSummary& other : runs_) twins = std::max(twins, numberOf(other, run.name));
        if (twins > 0 && run.given_name.isEmpty()) run.name = numberedName(run.name, twins + 1);
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
        if (RunRecord* own = record(id)) own->ingest(events);
    });
    connect(link, &AgentLink::pointsDropped, this, [this](const QString& id, qint64 count) {
        if (RunRecord* own = record(id)) own->addDropped(count);
    });
    connect(link, &AgentLink::watchEnded, this, &Session::onWatchEnded);
    connect(history_.get(), &History::failed, this, report);
    connect(history_.get(), &History::loaded, this, [this] {
        if (early_runs_) takeRuns(*std::exchange(early_runs_, std::nullopt));
    });
}

void Session::connectAgent() {
    agent_state_ = AgentState::kConnecting;
    agent_silent_s_ = 0;
    emit agentChanged();
    link_->connectAgent();
}

void Session::callDoctor() {
    if (!has_project_ || agent_state_ != AgentState::kReady || doctorIsLooking()) return;
    lookAtPorts();
    doctor_asked_ = project_;
    doctor_report_.reset();
    link_->doctor(project_);
    emit doctorChanged();
}

// Only while a run goes on: else the agent need not look.
void Session::followHost() {
    const bool wanted = agent_state_ == AgentState::kReady && hasActiveRun();
    if (wanted == follows_host_) return;
    follows_host_ = wanted;
    if (!wanted) return link_->endHostWatch();
    const engine::spec::HostLoad* newest = host_history_.newest();
    link_->watchHost(newest ? newest->time_unix_ns : 0);
}

// What was found is about the project as it was.
void Session::forgetDoctor() {
    if (!doctor_asked_ || (has_project_ && doctor_asked_->cluster == project_.cluster && doctor_asked_->strategy == project_.strategy &&
                           doctor_asked_->data == project_.data)) {
        return;
    }
    doctor_asked_.reset();
    doctor_report_.reset();
    emit doctorChanged();
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
    agent_silent_s_ = 0;
    if (news && reconnect_wait_ms_ == options_.reconnect_ms) addEvent(Severity::kWarning, tr("The agent does not answer: %1").arg(reason));
    emit agentChanged();
    reconnect_timer_.start(reconnect_wait_ms_);
    reconnect_wait_ms_ = std::min(reconnect_wait_ms_ * 2, kMostReconnectMs);
}

// Its streams go on by themselves when it answers again: nothing is connected anew.
void Session::onAgentSilent(qint64 ms) {
    if (agent_state_ != AgentState::kReady && agent_silent_s_ == 0) return;  // of a connection that was given up
    const bool news = agent_silent_s_ == 0;
    agent_state_ = AgentState::kLost;
    agent_silent_s_ = std::max(1, static_cast<int>(ms / 1000));
    agent_problem_ = tr("no sign of life for %n second(s)", nullptr, agent_silent_s_);
    if (news) addEvent(Severity::kWarning, tr("The agent does not answer: %1").arg(agent_problem_));
    emit agentChanged();
}

void Session::onAgentAnswered() {
    if (agent_silent_s_ == 0) return;
    agent_state_ = AgentState::kReady;
    agent_silent_s_ = 0;
    agent_problem_.clear();
    addEvent(Severity::kInfo, tr("The agent answers again."));
    emit agentChanged();
    link_->listRuns();
}

void Session::onWatchEnded(const QString& run_id, const std::optional<QString>& error) {
    RunRecord* own = record(run_id);
    if (!own) return;
    if (!error) {
        own->endOfEvents();
        link_->getRun(run_id);
        if (own == current_run_) link_->listRuns();
        return;
    }
    addEvent(Severity::kWarning, tr("The stream of %1 broke off: %2").arg(own->summary().name, *error));
    QTimer::singleShot(options_.reconnect_ms, this, [this, run_id] {
        RunRecord* again = record(run_id);
        if (agent_state_ == AgentState::kReady && again) link_->watch(run_id, again->lastSequence() + 1);
    });
    link_->listRuns();  // notices an agent that is gone
}

namespace {

constexpr std::size_t kCurvePoints = 42;
constexpr auto kCurveKey = "run_curve";

// Means of equal parts of the run's steps.
std::vector<double> curveOf(const RunRecord& run) {
    const PointTable& points = run.global();
    const std::vector<double>* values = points.find("accuracy");
    if (!values) values = points.find("loss");
    if (!values || values->empty()) return {};
    const std::size_t parts = std::min(kCurvePoints, values->size());
    std::vector<double> curve;
    for (std::size_t part = 0; part < parts; ++part) {
        double sum = 0, count = 0;
        for (std::size_t i = part * values->size() / parts; i < (part + 1) * values->size() / parts; ++i) {
            if (!std::isfinite((*values)[i])) continue;
            sum += (*values)[i];
            ++count;
        }
        if (count > 0) curve.push_back(sum / count);
    }
    return curve;
}

}  // namespace

std::vector<double> Session::curveOf(const QString& run_id) const {
    if (current_run_ && current_run_->id() == run_id) {
        std::vector<double> curve = session::curveOf(*current_run_);
        if (!curve.empty()) return curve;
    }
    std::vector<double> curve;
    if (!options_.settings) return curve;
    for (const QVariant& value : options_.settings->value(QStringLiteral("%1/%2").arg(kCurveKey, run_id)).toList()) {
        curve.push_back(value.toDouble());
    }
    return curve;
}

// Of runs that the agent has forgotten nothing is kept.
void Session::keepCurve() {
    QSettings* settings = options_.settings;
    if (!settings || !current_run_) return;
    const std::vector<double> curve = session::curveOf(*current_run_);
    if (curve.empty()) return;
    QVariantList values;
    for (const double value : curve) values << std::round(value * 1e4) / 1e4;
    settings->beginGroup(kCurveKey);
    settings->setValue(current_run_->id(), values);
    for (const QString& id : settings->childKeys()) {
        if (std::none_of(runs_.begin(), runs_.end(), [&](const RunSummary& run) { return run.id == id; })) settings->remove(id);
    }
    settings->endGroup();
}

void Session::onRuns(std::vector<RunSummary> runs) {
    if (history_->isReady()) return takeRuns(std::move(runs));
    early_runs_ = std::move(runs);
}

void Session::takeRuns(std::vector<RunSummary> runs) {
    std::stable_sort(runs.begin(), runs.end(),
                     [](const RunSummary& a, const RunSummary& b) { return a.created_unix_ns > b.created_unix_ns; });
    numberNames(runs);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) history_->annotate(*run);  // the oldest takes the first colour
    const bool first = std::exchange(reads_runs_, false);
    const bool news = first || runs != runs_;
    if (news) runs_ = std::move(runs);
    for (RunRecord* own : records()) {
        if (const RunSummary* summary = findRun(own->id())) hear(*own, *summary);
    }
    if (!current_run_ && !runs_.empty()) {
        adoptRun(*std::min_element(runs_.begin(), runs_.end(), isLater));
        if (has_project_ && hasActiveRun()) {  // the ports that its tasks hold are no mistake
            refreshDerived();
            emit projectChanged();
        }
    }
    if (news) emit runsChanged();
    poll_timer_.start(hasActiveRun() ? kPollActiveMs : kPollIdleMs);
}

std::vector<RunRecord*> Session::records() const {
    std::vector<RunRecord*> all = compared_;
    if (current_run_ && std::find(all.begin(), all.end(), current_run_) == all.end()) all.push_back(current_run_);
    return all;
}

RunRecord* Session::record(const QString& id) const {
    for (RunRecord* one : records()) {
        if (one->id() == id) return one;
    }
    return nullptr;
}

RunRecord* Session::makeRecord(const RunSummary& run) {
    auto* made = new RunRecord(run, this);
    link_->watch(run.id, 1);
    return made;
}

void Session::releaseRecord(RunRecord* record) {
    link_->endWatch(record->id());
    record->disconnect(this);
    record->deleteLater();
}

// A run that is told to go on although all of its events were read has been started again since.
void Session::hear(RunRecord& own, const RunSummary& summary) {
    own.setSummary(summary);
    if (own.hasAllEvents() && isActive(own.state())) {
        own.expectEvents();
        link_->watch(own.id(), own.lastSequence() + 1);
    }
}

// The run in `known` was started again from its backup, and is `run` now.
void Session::goOn(RunSummary& known, RunSummary run) {
    if (run.given_name.isEmpty() && run.project_name == known.project_name) run.name = known.name;
    known = run;
    addEvent(Severity::kInfo, tr("Started %1 again from its backup (attempt %2).").arg(run.name).arg(run.attempts));
    adoptRun(run);
    emit runsChanged();
    emit runLaunched();
}
namespace {

QString controlText(const QString& what, std::int64_t step) {
    const QString at = QLocale().toString(static_cast<qlonglong>(step));
    const QString rate = QStringLiteral("learning_rate ");
    if (what == QLatin1String("pause")) return Session::tr("paused at step %1").arg(at);
    if (what == QLatin1String("resume")) return Session::tr("resumed at step %1").arg(at);
    if (what.startsWith(QLatin1String("stop"))) return Session::tr("told to stop at step %1").arg(at);
    if (what == QLatin1String("checkpoint now")) return Session::tr("checkpoint by hand at step %1").arg(at);
    if (what.startsWith(rate)) return Session::tr("learning rate %1 from step %2 on").arg(what.mid(rate.size()), at);
    return {};  // single steps are many
}

}  // namespace

void Session::adoptRun(const RunSummary& run) {
    RunRecord* before = current_run_;
    next_launch_.reset();
    if (before && before->id() == run.id) {
        hear(*before, run);
        emit runStateChanged();
        return;
    }
    RunRecord* known = record(run.id);
    current_run_ = known ? known : makeRecord(run);
    connect(current_run_, &RunRecord::stateChanged, this, [this, was_active = isActive(run.state)]() mutable {
        const bool active = hasActiveRun();
        if (was_active && !active) {
            addEvent(current_run_->state() == RunState::kFailed ? Severity::kError : Severity::kInfo,
                     tr("%1: %2").arg(current_run_->summary().name, runStateText(current_run_->state())));
            refreshDerived();  // its ports are free again
            if (next_launch_) submit(*std::exchange(next_launch_, std::nullopt), {});
            emit projectChanged();
        }
        was_active = active;
        emit runStateChanged();
    });
    connect(current_run_, &RunRecord::epochsChanged, this, &Session::keepCurve);
    // What was done by hand while this studio looks on: what lay before is in the run's log.
    const std::int64_t since = QDateTime::currentMSecsSinceEpoch() * 1'000'000;
    connect(current_run_, &RunRecord::controlsChanged, this, [this, since, told = current_run_->controls().size()]() mutable {
        const auto& controls = current_run_->controls();
        told = std::min(told, controls.size());  // a restart takes some back
        for (; told < controls.size(); ++told) {
            const ControlEntry& one = controls[told];
            if (current_run_->createdUnixNs() + static_cast<std::int64_t>(one.time_s * 1e9) < since) continue;
            const QString text = controlText(QString::fromStdString(one.applied.what), one.applied.step);
            if (!text.isEmpty()) addEvent(Severity::kInfo, tr("%1: %2").arg(current_run_->summary().name, text));
        }
    });
    emit currentRunChanged();
    emit runStateChanged();
    if (!before) return;
    if (record(before->id()) == before) {
        before->disconnect(this);
    } else {
        releaseRecord(before);
    }
}

void Session::compareRuns(const QStringList& ids) {
    std::vector<RunRecord*> compared;
    for (const QString& id : ids) {
        const RunSummary* summary = findRun(id);
        if (!summary) continue;
        RunRecord* known = record(id);
        compared.push_back(known ? known : makeRecord(*summary));
    }
    if (compared == compared_) return;
    const std::vector<RunRecord*> before = std::exchange(compared_, std::move(compared));
    emit comparedRunsChanged();
    for (RunRecord* one : before) {
        if (record(one->id()) != one) releaseRecord(one);
    }
}

// Runs of an agent of before attempts were counted stand beside each other with one folder.
int Session::attemptOf(const RunSummary& run) const {
    return run.attempts + static_cast<int>(std::count_if(runs_.begin(), runs_.end(), [&](const RunSummary& other) {
               return other.id != run.id && !run.run_dir.isEmpty() && other.run_dir == run.run_dir &&
                      other.created_unix_ns < run.created_unix_ns;
           }));
}

RunSummary* Session::findRun(const QString& id) {
    const auto at = std::find_if(runs_.begin(), runs_.end(), [&](const RunSummary& run) { return run.id == id; });
    return at == runs_.end() ? nullptr : &*at;
}

void Session::annotateRuns(const QStringList& ids, const std::function<void(RunSummary&)>& edit) {
    std::vector<RunSummary> changed;
    for (const QString& id : ids) {
        RunSummary* run = findRun(id);
        if (!run) continue;
        const RunSummary before = *run;
        edit(*run);
        if (*run != before) changed.push_back(*run);
    }
    if (changed.empty()) return;
    history_->keep(changed);
    for (const RunSummary& run : changed) {
        if (RunRecord* own = record(run.id)) own->setSummary(run);
    }
    emit runsChanged();
}

// What is kept is read anew with every start.
bool Session::refuseLong(const char* what, const QString& text, qsizetype most) {
    const qsizetype bytes = text.toUtf8().size();
    if (bytes <= most) return false;
    const ErrorInfo error{static_cast<int>(engine::ErrorCode::kOutOfRange),
                          QStringLiteral("%1: expected at most %2 bytes, got %3").arg(QLatin1String(what)).arg(most).arg(bytes)};
    addEvent(Severity::kError, errorText(error));
    emit callFailed(error);
    return true;
}

void Session::renameRun(const QString& id, const QString& name) {
    if (refuseLong("name", name, kMaxNameBytes)) return;
    annotateRuns({id}, [&](RunSummary& run) {
        run.given_name = name.simplified();
        if (!run.given_name.isEmpty()) {
            run.name = run.given_name;
        } else {
            link_->listRuns();  // brings the project's name
        }
    });
}

void Session::setRunColor(const QString& id, int color, int dash) {
    annotateRuns({id}, [&](RunSummary& run) {
        run.color = color;
        run.dash = dash;
    });
}

void Session::setRunNotes(const QString& id, const QString& notes) {
    if (refuseLong("notes", notes, kMaxNotesBytes)) return;
    annotateRuns({id}, [&](RunSummary& run) { run.notes = notes; });
}

void Session::setRunTags(const QString& id, const QStringList& tags) {
    if (refuseLong("tags", tags.join(u','), kMaxTagsBytes)) return;
    annotateRuns({id}, [&](RunSummary& run) { run.tags = tags; });
}

void Session::setRunPinned(const QString& id, bool pinned) {
    annotateRuns({id}, [&](RunSummary& run) { run.pinned = pinned; });
}

void Session::setRunsArchived(const QStringList& ids, bool archived) {
    annotateRuns(ids, [&](RunSummary& run) { run.archived = archived; });
}

void Session::showRun(const QString& id) {
    if (current_run_ && current_run_->id() == id) return;
    if (const RunSummary* run = findRun(id)) adoptRun(RunSummary(*run));
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
    lookAtPorts();
    if (!launchObstacle().isEmpty()) return;
    if (const QString place = placeOfProject(*this); isStarterPlace(place)) remember(place);
    RunSpec run = project_;
    if (!baseFolder().isEmpty()) agent::client::resolveFiles(run, baseFolder().toStdString());
    submit(run, {});
}

void Session::submit(const RunSpec& run, const QString& run_dir) {
    launching_ = true;
    emit runStateChanged();
    link_->submit(run, run_dir);
}

void Session::relaunch(const std::function<void(RunSpec&)>& edit) {
    if (!current_run_ || launching_) return;
    RunSpec run = current_run_->run();
    if (edit) edit(run);
    if (!hasActiveRun()) return submit(run, {});
    next_launch_ = std::move(run);
    stopNow();
}

QString Session::launchAgainObstacle() const {
    if (has_project_) return launchObstacle();
    if (!current_run_) return tr("No run");
    if (launching_) return tr("Launching");
    if (isActive(current_run_->state())) return tr("The run is not over");
    return agent_state_ == AgentState::kReady ? QString() : tr("The agent does not answer");
}

void Session::launchAgain() {
    if (has_project_) return launch();
    if (launchAgainObstacle().isEmpty()) relaunch();
}

QString Session::restartObstacle() const {
    if (!current_run_) return tr("No run");
    if (launching_) return tr("Launching");
    if (isActive(current_run_->state())) return tr("The run is not over");
    if (agent_state_ != AgentState::kReady) return tr("The agent does not answer");
    const auto& callbacks = current_run_->run().callbacks;
    const auto keeper =
        std::find_if(callbacks.begin(), callbacks.end(), [](const ObjectSpec& one) { return one.class_name == "BackupAndRestore"; });
    if (keeper == callbacks.end()) return tr("The project keeps no backup: its callback backup_and_restore is off");
    const QDir folder(current_run_->summary().run_dir);
    const QDir backup(folder.filePath(QString::fromStdString(keeper->config.getString("backup_dir", "backup"))));
    const bool none = folder.exists() && (!backup.exists() || backup.isEmpty());
    return none ? tr("No backup was written before the end") : QString();
}

void Session::restartFromBackup() {
    if (restartObstacle().isEmpty()) submit(current_run_->run(), current_run_->summary().run_dir);
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
