// SPDX-License-Identifier: GPL-3.0-or-later
// Starts runs: of the open project, of the shown run's own project once more, from a backup. Owned by Session; GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace engine::launch {
struct LaunchJob;
}

namespace ui::session {

class AgentLink;
class EventList;
class Host;
class Project;
class RecentProjects;
class Runs;
class Starters;

// The parts of the session that a launch needs; all of them outlive it.
struct LaunchPlace {
    AgentLink& link;
    Host& host;
    Project& project;
    Runs& runs;
    const Starters& starters;
    RecentProjects& recents;
    EventList& events;
};

class Launcher : public QObject {
    Q_OBJECT
public:
    explicit Launcher(const LaunchPlace& place);

    // Returns why Launch can't be pressed ("1 problem", "No project"); empty when it can.
    QString obstacle() const;
    void launch();                   // the project as it stands
    void launch(int local_workers);  // setLocalWorkers first when it differs
    // Launches the shown run's own project with `edit` applied, once the run is over; it is stopped first where it still goes on. The open
    // project stays as it is.
    void relaunch(const std::function<void(engine::spec::RunSpec&)>& edit = {});
    // Launches the open project where the shown run is of one by its name, or none is shown; else the run's own. launchAgainObstacle()
    // says why it can't.
    void launchAgain();
    QString launchAgainObstacle() const;
    // Launches the shown run's project in its own folder: the backup there goes on where it was left.
    void restartFromBackup();
    // Returns why restartFromBackup() is impossible ("The run is not over"); empty when it is possible.
    QString restartObstacle() const;
    // Returns the script for sbatch that trains the open project with the job's settings, in `job.run_folder`, by the programs of this
    // computer or of `host` of the list, which chooses what is empty. Throws Error(kInvalidArgument) naming the option or the field that is
    // wrong.
    std::string scriptOf(const engine::launch::LaunchJob& wanted, const QString& host = {}) const;
    // Hands the open project to Slurm with the script of scriptOf(); jobTaken() or jobRefused() answers. Throws as scriptOf().
    // submitObstacle() says why it can't be done.
    void submitJob(const engine::launch::LaunchJob& job, const QString& host = {});
    QString submitObstacle() const;
    // True from a launch or a submitted job until the agent answers.
    bool isLaunching() const { return launching_; }

signals:
    void jobTaken();
    void jobRefused(QString why);  // in English, as the agent says it

private:
    // Returns the open project as the settings make it, with its own files by their whole paths. Throws as scriptOf().
    engine::spec::RunSpec runWithFiles(const std::vector<std::string>& settings) const;
    engine::launch::LaunchJob completed(engine::launch::LaunchJob job, const QString& host) const;
    void submit(const engine::spec::RunSpec& run, const QString& run_dir);
    bool trainsTheProjectAgain() const;

    const LaunchPlace place_;
    bool launching_ = false;
    QString sending_;                            // which file of the run is on its way to another computer; empty: none
    std::optional<engine::spec::RunSpec> next_;  // waits for the end of the shown run
};

}  // namespace ui::session
