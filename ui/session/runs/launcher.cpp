// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/launcher.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "agent/client/followed_folder.h"
#include "agent/client/project_files.h"
#include "engine/launch/launch_options.h"
#include "engine/launch/slurm_script.h"
#include "engine/spec/catalog/settings.h"
#include "ui/session/event_list.h"
#include "ui/session/host/agent_link.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/open_project.h"
#include "ui/session/project/project.h"
#include "ui/session/project/recent_projects.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/runs.h"

namespace ui::session {

using namespace engine::spec;

Launcher::Launcher(const LaunchPlace& place) : place_(place) {
    connect(&place_.link, &AgentLink::filesShared, this, [this](const engine::run::FilesProgress& progress) {
        const QString name = QFileInfo(QString::fromStdString(progress.file)).fileName();
        const qint64 percent = progress.sent_bytes * 100 / std::max<qint64>(progress.all_bytes, 1);
        sending_ = tr("Sending %1 to %2: %3 %").arg(name, QString::fromStdString(progress.host)).arg(percent);
        emit place_.runs.stateChanged();
    });
    connect(&place_.link, &AgentLink::submitted, this, [this](const RunSummary& run) {
        launching_ = false;
        place_.runs.adoptLaunched(run);
    });
    connect(&place_.link, &AgentLink::submitFailed, this, [this](const ErrorInfo& error) {
        launching_ = false;
        place_.events.fail(error);
        emit place_.runs.stateChanged();
    });
    connect(&place_.link, &AgentLink::jobTaken, this, [this](const QString& job, const std::vector<RunSummary>& runs) {
        launching_ = false;
        place_.events.add(Severity::kInfo, tr("Slurm has taken job %1.").arg(job));
        if (!runs.empty()) place_.runs.adoptLaunched(runs.front());
        if (runs.size() > 1) place_.link.listRuns();
        emit jobTaken();
    });
    connect(&place_.link, &AgentLink::jobRefused, this, [this](const ErrorInfo& error) {
        launching_ = false;
        emit place_.runs.stateChanged();
        emit jobRefused(error.detail);
    });
    connect(&place_.runs, &Runs::currentChanged, this, [this] { next_.reset(); });
    connect(&place_.runs, &Runs::launched, this, [this] { next_.reset(); });
    connect(&place_.runs, &Runs::currentEnded, this, [this] {
        if (next_) submit(*std::exchange(next_, std::nullopt), {});
    });
}

QString Launcher::obstacle() const {
    if (!place_.project.isOpen()) return tr("No project");
    if (launching_) return sending_.isEmpty() ? tr("Launching") : sending_;
    if (place_.runs.hasActiveOfOwn()) return tr("A run is going on");
    if (const int errors = place_.project.errorCount(); errors > 0) return tr("%n problem(s)", nullptr, errors);
    if (place_.host.agentState() == AgentState::kLost) return tr("The agent does not answer");
    if (place_.host.agentState() == AgentState::kConnecting) return tr("Connecting to the agent");
    return {};
}

void Launcher::launch() {
    emit place_.project.typingWanted();
    place_.project.lookAtPorts();
    if (!obstacle().isEmpty()) return;
    if (const QString place = placeOfProject(place_.project, place_.starters); isStarterPlace(place))
        place_.recents.remember(place, place_.project.spec());
    submit(runWithFiles({}), {});
}

void Launcher::launch(int local_workers) {
    if (local_workers != localWorkers(place_.project)) setLocalWorkers(place_.project, local_workers);
    launch();
}

void Launcher::submit(const RunSpec& run, const QString& run_dir) {
    launching_ = true;
    sending_.clear();
    emit place_.runs.stateChanged();
    place_.link.submit(run, run_dir);
}

QString Launcher::submitObstacle() const {
    if (!place_.project.isOpen()) return tr("No project");
    if (launching_) return tr("Launching");
    if (const int errors = place_.project.errorCount(); errors > 0) return tr("%n problem(s)", nullptr, errors);
    return place_.host.isReady() ? QString() : tr("The agent does not answer");
}

RunSpec Launcher::runWithFiles(const std::vector<std::string>& settings) const {
    RunSpec run = engine::launch::withSettings(place_.project.spec(), settings);
    if (!place_.project.baseFolder().isEmpty()) agent::client::resolveFiles(run, place_.project.baseFolder().toStdString());
    return run;
}

engine::launch::LaunchJob Launcher::completed(engine::launch::LaunchJob job, const QString& host) const {
    job.name = place_.project.spec().name;
    job.settings.clear();  // the project that is handed over has them
    if (host.isEmpty()) job.programs = QCoreApplication::applicationDirPath().toStdString();
    return job;
}

std::string Launcher::scriptOf(const engine::launch::LaunchJob& wanted, const QString& host) const {
    engine::launch::LaunchJob job = completed(wanted, host);
    job.project = agent::client::projectOfJob(job.run_folder).string();
    return engine::launch::slurmScript(job, engine::launch::withSettings(place_.project.spec(), wanted.settings));
}

void Launcher::submitJob(const engine::launch::LaunchJob& job, const QString& host) {
    if (!submitObstacle().isEmpty()) return;
    static_cast<void>(scriptOf(job, host));  // throws
    launching_ = true;
    sending_.clear();
    emit place_.runs.stateChanged();
    place_.link.submitJob({.job = completed(job, host), .run = runWithFiles(job.settings), .host = host.toStdString(), .ssh_agent = {}});
}

void Launcher::relaunch(const std::function<void(RunSpec&)>& edit) {
    if (!place_.runs.current() || launching_) return;
    RunSpec run = place_.runs.current()->run();
    if (edit) edit(run);
    if (!place_.runs.hasActive()) return submit(run, {});
    next_ = std::move(run);
    place_.runs.stopNow();
}

// The open project takes the place of the run's own, which it may be edited from, unless the run is shown beside another one.
bool Launcher::trainsTheProjectAgain() const {
    const RunRecord* run = place_.runs.current();
    return place_.project.isOpen() && (run == nullptr || run->run().name == place_.project.spec().name);
}

QString Launcher::launchAgainObstacle() const {
    if (trainsTheProjectAgain()) return obstacle();
    if (!place_.runs.current()) return tr("No run");
    if (launching_) return tr("Launching");
    if (isActive(place_.runs.current()->state())) return tr("The run is not over");
    return place_.host.isReady() ? QString() : tr("The agent does not answer");
}

void Launcher::launchAgain() {
    if (trainsTheProjectAgain()) return launch();
    if (launchAgainObstacle().isEmpty()) relaunch();
}

QString Launcher::restartObstacle() const {
    if (!place_.runs.current()) return tr("No run");
    if (launching_) return tr("Launching");
    if (isActive(place_.runs.current()->state())) return tr("The run is not over");
    if (!place_.host.isReady()) return tr("The agent does not answer");
    const auto& callbacks = place_.runs.current()->run().callbacks;
    const auto keeper =
        std::find_if(callbacks.begin(), callbacks.end(), [](const ObjectSpec& one) { return one.class_name == "BackupAndRestore"; });
    if (keeper == callbacks.end()) return tr("The project keeps no backup: its callback backup_and_restore is off");
    const QDir folder(place_.runs.current()->summary().run_dir);
    const QDir backup(folder.filePath(QString::fromStdString(keeper->config.getString("backup_dir", "backup"))));
    const bool none = folder.exists() && (!backup.exists() || backup.isEmpty());
    return none ? tr("No backup was written before the end") : QString();
}

void Launcher::restartFromBackup() {
    if (restartObstacle().isEmpty()) submit(place_.runs.current()->run(), place_.runs.current()->summary().run_dir);
}

}  // namespace ui::session

#include "moc_launcher.cpp"
