// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QTimer>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "ui/session/data/label_counts.h"
#include "ui/session/event_list.h"
#include "ui/session/host/agent_link.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/project/leftovers.h"
#include "ui/session/project/open_project.h"
#include "ui/session/project/project.h"
#include "ui/session/project/recent_projects.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/chaos.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/runs/lab.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/session/settings_file.h"

namespace ui::session {

using engine::spec::Severity;

Session::Session(SessionOptions options, QObject* parent) : QObject(parent), options_(std::move(options)) {
    qRegisterMetaType<ui::session::ErrorInfo>();
    if (options_.share_dir.isEmpty()) options_.share_dir = QDir::cleanPath(QCoreApplication::applicationDirPath() + "/../share/tandem");
    events_ = std::make_unique<EventList>();
    if (options_.settings) reportSettings(mendSettings(*options_.settings));
    link_ = std::make_unique<AgentLink>(options_.connect);
    host_ = std::make_unique<Host>(*link_, *events_, options_.reconnect_ms);
    far_hosts_ = std::make_unique<FarHosts>(options_.far_hosts);
    starters_ = std::make_unique<Starters>(options_.share_dir);
    recents_ = std::make_unique<RecentProjects>(options_.settings, *starters_);
    project_ = std::make_unique<Project>(
        ProjectPlace{*host_, *far_hosts_, *starters_, *events_, link_->slot(), datasetFolders(options_.share_dir)});
    leftovers_ = std::make_unique<Leftovers>(options_.recovery_dir, options_.recovery_delay_ms, *project_, *events_);
    doctor_ = std::make_unique<Doctor>(*link_, *host_, *project_, *events_);
    runs_ = std::make_unique<Runs>(RunsPlace{*link_, *host_, *events_, options_.settings, options_.history_file, options_.reconnect_ms});
    chaos_ = std::make_unique<Chaos>(*link_, *runs_);
    wire();
    launcher_ = std::make_unique<Launcher>(LaunchPlace{*link_, *host_, *project_, *runs_, *starters_, *recents_, *events_});
    evaluation_ = std::make_unique<Evaluation>(link_->slot(), options_.scratch_dir);
    lab_ = std::make_unique<Lab>(link_->slot());
    if (!options_.recovery_dir.isEmpty() && options_.settings) {
        open_project_ = std::make_unique<OpenProject>(*project_, *starters_, *options_.settings, options_.recovery_dir);
        const QString left = open_project_->left();
        if (isStarterPlace(left) || QFileInfo::exists(left)) project_->open(left);
    }
    host_->connectAgent();
}

Session::~Session() = default;

const std::shared_ptr<ClientSlot>& Session::clientSlot() const {
    return link_->slot();
}

// Connects parts that do not know each other.
void Session::wire() {
    connect(project_.get(), &Project::stored, this, [this](const QString& path) { recents_->remember(path, project_->spec()); });
    project_->setPortOwner([this] { return runs_->hasActiveOfOwn() || (launcher_ && launcher_->isLaunching()); });
    connect(runs_.get(), &Runs::firstAdopted, this, [this] {
        if (project_->isOpen() && runs_->hasActiveOfOwn()) project_->checkAgain();  // the ports that its tasks hold are no mistake
    });
    connect(project_.get(), &Project::changed, this, [this] {
        QStringList names;
        for (const auto& host : hostsOf(project_->spec().cluster, [this](const std::string& name) { return host_->isThisComputer(name); }))
            if (!host.is_here) names.append(QString::fromStdString(host.name));
        far_hosts_->setProjectHosts(names);
    });
    connect(host_.get(), &Host::connected, this, [this] {
        if (!project_->dataset().problem.isEmpty()) project_->readDatasetAgain();  // perhaps nobody was there to be asked
    });
    connect(runs_.get(), &Runs::currentEnded, project_.get(), &Project::checkAgain);  // its ports are free again
}

bool Session::openRunAsProject(const QString& run_id) {
    return openRun(run_id, [](engine::spec::RunSpec& /*run*/) {});
}

namespace {

// Where the run's whole length lies behind the checkpoint, the project gets as much again: by what says how long it trains.
void trainOn(engine::spec::RunSpec& spec, std::int64_t epochs_behind, std::int64_t steps_behind) {
    if (spec.estimator) {
        engine::spec::TrainSpec& train = spec.estimator->train_spec;
        if (train.max_steps && steps_behind >= *train.max_steps) *train.max_steps += steps_behind;
        train.input_repeats *= 1 + epochs_behind;  // its one epoch is all of them
        return;
    }
    if (spec.fit.steps > 0 && steps_behind >= spec.fit.steps) spec.fit.steps += steps_behind;
    if (epochs_behind >= spec.fit.epochs) spec.fit.epochs += epochs_behind;
}

}  // namespace

bool Session::openBranch(const QString& run_id, const QString& file, std::int64_t epochs_behind, std::int64_t steps_behind) {
    const RunSummary* run = runs_->find(run_id);
    if (!run) return false;
    const std::string path = QDir(run->run_dir).filePath(file).toStdString();
    return openRun(run_id, [&](engine::spec::RunSpec& spec) {
        spec.fit.initial_weights = path;
        spec.fit.initial_state = true;
        spec.fit.initial_epoch = 0;
        trainOn(spec, epochs_behind, steps_behind);
    });
}

bool Session::openRun(const QString& run_id, const std::function<void(engine::spec::RunSpec&)>& change) {
    const RunSummary* run = runs_->find(run_id);
    if (!run) return false;
    engine::spec::ProjectReport report = engine::spec::parseProject(run->project_json.toStdString());
    if (hasErrors(report.diagnostics)) {
        emit project_->failed(run->name, report.diagnostics);
        return false;
    }
    change(report.run);
    project_->replace(std::move(report.run), {}, Project::State::kEdited);  // it is in no file
    return true;
}

void Session::reportSettings(const DamagedSettings& damaged) {
    if (damaged.file.isEmpty()) return;
    QTimer::singleShot(0, this, [this, damaged] {  // a window is there by then, in its language
        const QString detail =
            damaged.aside.isEmpty()
                ? tr("The settings can't be read whole: %1").arg(damaged.file)
                : tr("The settings could not be read whole and were put aside as %1. What could be read stays.").arg(damaged.aside);
        events_->add(Severity::kWarning, detail);
        emit events_->failed({static_cast<int>(engine::ErrorCode::kDataLoss), detail});
    });
}

}  // namespace ui::session

#include "moc_session.cpp"
