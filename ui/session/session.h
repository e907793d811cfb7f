// SPDX-License-Identifier: GPL-3.0-or-later
// What views ask for, put together: the open project, the computer with its agent, its runs. Made by the program (app/studio_main.cpp)
// before the first window and handed to every view by reference, or the one part of it that a view needs; GUI thread only. Nothing here
// blocks: calls to the agent run on AgentLink's thread and come back as signals of the part that asked.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

class QSettings;

namespace agent::client {
class AgentClient;
}
namespace engine::spec {
struct RunSpec;
}

namespace ui::session {

class AgentLink;
class Chaos;
class ClientSlot;
class Doctor;
class Evaluation;
class EventList;
class FarHosts;
class Host;
class HostBackend;
class Lab;
class Launcher;
class Leftovers;
class OpenProject;
class Project;
class RecentProjects;
class Runs;
class Starters;
struct DamagedSettings;

struct SessionOptions {
    // Makes the client; called on AgentLink's thread, may block up to its own deadline, throws engine::Error. Required.
    std::function<std::unique_ptr<agent::client::AgentClient>()> connect;
    QString share_dir;              // holds templates/ and datasets/; empty: ../share/tandem beside the program
    QString history_file;           // colours, names, notes, tags of runs (SQLite); empty: nothing of them is remembered
    QSettings* settings = nullptr;  // recent projects, theme, sizes; outlives the session. Null: nothing is remembered
    int reconnect_ms = 2000;
    QString recovery_dir;  // where unsaved changes are written aside; empty: nowhere
    int recovery_delay_ms = 2000;
    QString scratch_dir;  // for files that live as long as the session, which outlasts it; empty: a temporary folder of its own
    std::shared_ptr<HostBackend> far_hosts{};  // the ways to other computers; null: a list of none
};

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(SessionOptions options, QObject* parent = nullptr);
    ~Session() override;

    EventList& events() { return *events_; }
    const EventList& events() const { return *events_; }
    Host& host() { return *host_; }
    const Host& host() const { return *host_; }
    FarHosts& farHosts() { return *far_hosts_; }
    const FarHosts& farHosts() const { return *far_hosts_; }
    const Starters& starters() const { return *starters_; }
    RecentProjects& recents() { return *recents_; }
    const RecentProjects& recents() const { return *recents_; }
    Project& project() { return *project_; }
    const Project& project() const { return *project_; }
    Leftovers& leftovers() { return *leftovers_; }
    const Leftovers& leftovers() const { return *leftovers_; }
    Doctor& doctor() { return *doctor_; }
    const Doctor& doctor() const { return *doctor_; }
    Runs& runs() { return *runs_; }
    const Runs& runs() const { return *runs_; }
    Launcher& launcher() { return *launcher_; }
    const Launcher& launcher() const { return *launcher_; }
    Lab& lab() { return *lab_; }
    const Lab& lab() const { return *lab_; }
    Chaos& chaos() { return *chaos_; }
    const Chaos& chaos() const { return *chaos_; }
    // Asks what a run's model makes of its test set, or of a drawing.
    Evaluation& evaluation() { return *evaluation_; }
    const Evaluation& evaluation() const { return *evaluation_; }

    // Opens the project that a run holds, without a file of its own yet. False when it can't be read; Project::failed says why.
    bool openRunAsProject(const QString& run_id);
    // The same, as a project that goes on behind the checkpoint `file` (below the run's folder), which has so many epochs and steps behind
    // it: there is something left to train.
    bool openBranch(const QString& run_id, const QString& file, std::int64_t epochs_behind, std::int64_t steps_behind);

    const QString& shareDir() const { return options_.share_dir; }
    // Returns the slot through which EngineCall asks the engine behind the agent.
    const std::shared_ptr<ClientSlot>& clientSlot() const;
    QSettings* settings() const { return options_.settings; }

private:
    bool openRun(const QString& run_id, const std::function<void(engine::spec::RunSpec&)>& change);
    void reportSettings(const DamagedSettings& damaged);
    void wire();

    SessionOptions options_;
    // A part stands below those that it needs, so that it is destroyed before them.
    std::unique_ptr<EventList> events_;
    std::unique_ptr<AgentLink> link_;
    std::unique_ptr<Host> host_;
    std::unique_ptr<FarHosts> far_hosts_;
    std::unique_ptr<Starters> starters_;
    std::unique_ptr<RecentProjects> recents_;
    std::unique_ptr<Project> project_;
    std::unique_ptr<Leftovers> leftovers_;
    std::unique_ptr<Doctor> doctor_;
    std::unique_ptr<Runs> runs_;
    std::unique_ptr<Chaos> chaos_;
    std::unique_ptr<Launcher> launcher_;
    std::unique_ptr<Evaluation> evaluation_;
    std::unique_ptr<Lab> lab_;
    std::unique_ptr<OpenProject> open_project_;  // null where nothing is remembered
};

}  // namespace ui::session
