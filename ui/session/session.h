// SPDX-License-Identifier: GPL-3.0-or-later
// The one door for views: the open project with its undo stack, the agent of this computer, its runs and the verbs on them.
// Made by the program (app/studio_main.cpp) before the first window and handed to every view by reference; GUI thread only. Nothing here
// blocks: calls to the agent run on AgentLink's thread and come back as signals.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/run/host_info.h"
#include "engine/spec/cluster_repair.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/doctor_report.h"
#include "engine/spec/run_spec.h"
#include "engine/spec/shape_inference.h"
#include "engine/spec/task_event.h"
#include "engine/spec/task_plan.h"
#include "ui/session/host_history.h"
#include "ui/session/run_record.h"
#include "ui/session/values.h"

class QSettings;

namespace engine::launch {
struct LaunchFile;
}

namespace agent::client {
class AgentClient;
}

namespace ui::session {

class AgentLink;
class ClientSlot;
class DatasetReader;
class Evaluation;
class History;
class ModelImport;
class Recovery;
struct DamagedSettings;
struct Leftover;

// Makes the client; called on AgentLink's thread, may block up to its own deadline, throws engine::Error.
using AgentFactory = std::function<std::unique_ptr<agent::client::AgentClient>()>;

struct SessionOptions {
    AgentFactory connect;           // required
    QString share_dir;              // holds templates/ and datasets/; empty: ../share/tandem beside the program
    QString history_file;           // colours, names, notes, tags of runs (SQLite); empty: nothing of them is remembered
    QSettings* settings = nullptr;  // recent projects, theme, sizes; outlives the session. Null: nothing is remembered
    int reconnect_ms = 2000;
    QString recovery_dir;  // where unsaved changes are written aside; empty: nowhere
    int recovery_delay_ms = 2000;
};

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(SessionOptions options, QObject* parent = nullptr);
    ~Session() override;

    // ---- the project -------------------------------------------------------------------------------------------------
    bool hasProject() const { return has_project_; }
    const engine::spec::RunSpec& project() const { return project_; }
    QString projectPath() const { return project_path_; }  // empty: never saved
    QString projectTitle() const;                          // file name, or the project's name
    bool isModified() const { return has_project_ && !undo_.isClean(); }
    QUndoStack& undoStack() { return undo_; }

    // Every edit is a command: `edit` changes a copy, which becomes the project when it differs. `text` is shown by undo ("Change
    // filters"). Consecutive edits with the same merge key above 0 become one step of undo (typing in one field); see mergeKey().
    void change(const QString& text, const std::function<void(engine::spec::RunSpec&)>& edit, int merge_key = 0);
    static int mergeKey(const QString& field);  // "model.layers[2].units" -> a key

    // Of checkProject, plus what this computer knows: one check for whatever says that the project can be launched.
    const engine::spec::Diagnostics& diagnostics() const { return diagnostics_; }
    int errorCount() const { return countOf(engine::spec::Severity::kError); }
    int warningCount() const { return countOf(engine::spec::Severity::kWarning); }
    const std::vector<engine::spec::LayerInfo>& layerInfos() const { return layer_infos_; }
    // One per task that trains together, in rank order; empty while validate finds errors. A port that is held just now keeps no plan back.
    const std::vector<engine::spec::TaskPlan>& taskPlans() const { return task_plans_; }
    const DatasetFacts& dataset() const { return dataset_; }
    void readDatasetAgain();     // its files have changed; datasetChanged follows
    QString baseFolder() const;  // where the project's relative files lie; empty: it was never saved
    // 0 while the number of samples is unknown.
    std::int64_t stepsPerEpoch() const;

    void newProject();
    // A run holds its project: that one, without a file of its own yet. False as open().
    bool openRunAsProject(const QString& run_id);
    bool newFromTemplate(const QString& id);
    bool open(const QString& path);  // false: projectFailed was emitted, the present project stays
    // A model file of Keras (ModelImport::isModelFile) becomes a project that was never saved and begins with the file's weights. Answers
    // later: modelOpened, or projectFailed. `may_replace` is asked when the file was read; false: the present project stays.
    void openModel(const QString& path, std::function<bool()> may_replace);
    bool save();
    bool saveAs(const QString& path);
    // Whether another program wrote the project's file since it was opened or saved here. Reads it. False where it is gone or was never
    // known.
    bool fileChanged() const;
    void closeProject();
    const std::vector<Template>& templates() const { return templates_; }
    std::vector<RecentProject> recentProjects() const;

    int localWorkers() const;  // tasks that the project trains on
    // Rewrites strategy and cluster for n workers on this computer (1 to 8), as one step of undo.
    void setLocalWorkers(int workers);
    // Gives every task a port that is free now.
    void chooseFreePorts();
    // Whether the ports of the project's tasks on this computer can be bound now. Asked for where it matters: a page that shows it, the
    // launch, the doctor; while one is held it is looked at every second. projectChanged follows where that is news.
    void lookAtPorts();
    bool holdsPortFindings() const { return !port_findings_.empty(); }
    // Ports that are free now, the usual ones first.
    std::vector<int> portsToUse(int count) const;
    // Whether a name of an address means this computer, as far as its agent told.
    bool isThisComputer(const std::string& host) const;
    // What a click would do about a finding of diagnostics() or of the doctor; nullopt when nothing is known to help.
    std::optional<engine::spec::Repair> repairOf(const engine::spec::Diagnostic& finding) const;
    // Does it, as one step of undo. False when nothing is known to help.
    bool repair(const engine::spec::Diagnostic& finding);

    // What studios that ended without saving left, newest first.
    const std::vector<Leftover>& leftovers() const;
    // Opens one as it was, modified; false when `id` is none of them. The present project must have been saved or given up before.
    bool recover(const QString& id);
    void discardLeftover(const QString& id);
    // The user closes without saving: nothing of it is offered again.
    void giveUpChanges();

    // Those of `names` that lie in `folder` already.
    QStringList filesThere(const QString& folder, const QStringList& names) const;
    // Writes the files below `folder`, which is made; each aside and then renamed. An empty detail is success; on an error the files that
    // were there before are untouched from the failing one on.
    ErrorInfo writeFiles(const QString& folder, const std::vector<engine::launch::LaunchFile>& files);
    // A line for the list of events.
    void tell(engine::spec::Severity severity, const QString& text) { addEvent(severity, text); }
    // The list of events hears of files that were written elsewhere, such as by a thread.
    void tellOfFiles(const QString& folder, int count);

    // ---- the agent ---------------------------------------------------------------------------------------------------
    AgentState agentState() const { return agent_state_; }
    QString agentProblem() const { return agent_problem_; }
    // How long the agent, which lives, has not answered; 0 while it does, and when there is none.
    int agentSilentSeconds() const { return agent_silent_s_; }
    const std::optional<engine::run::HostInfo>& host() const { return host_; }
    void connectAgent();  // starts it where none answers
    // Lets the agent look at what the project would need; doctorChanged follows at once and with the answer.
    void callDoctor();
    bool doctorIsLooking() const { return doctor_asked_.has_value() && !doctor_report_; }
    // Of the project as it stands; nullopt before the first look, while one goes on, and after a change that it does not know of.
    const std::optional<engine::spec::DoctorReport>& doctorReport() const { return doctor_report_; }
    void refreshHost();
    // What this computer used while a run went on and this studio watched.
    const HostHistory& hostHistory() const { return host_history_; }

    // ---- runs --------------------------------------------------------------------------------------------------------
    // Newest first, as the agent lists them.
    const std::vector<RunSummary>& runs() const { return runs_; }
    RunRecord* currentRun() const { return current_run_; }  // shown in Monitor; null before the first
    bool hasActiveRun() const { return current_run_ && isActive(current_run_->state()); }
    // Empty when Launch may be pressed, else the reason ("1 problem", "No project").
    QString launchObstacle() const;
    void launch();                   // the project as it stands
    void launch(int local_workers);  // setLocalWorkers first when it differs
    // Launches the shown run's own project with `edit` applied, once the run is over; it is stopped first where it still goes on. The open
    // project stays as it is.
    void relaunch(const std::function<void(engine::spec::RunSpec&)>& edit = {});
    // Launches the open project, else the shown run's own; why it can't is the obstacle.
    void launchAgain();
    QString launchAgainObstacle() const;
    // Launches the shown run's project in its own folder: the backup there goes on where it was left.
    void restartFromBackup();
    // Why that can't be ("the run is not over"); empty when it can.
    QString restartObstacle() const;
    void showRun(const QString& id);
    // The run's accuracy, else its loss, over its steps in a few dozen values, as far as this studio saw it; empty when it did not.
    std::vector<double> curveOf(const QString& run_id) const;
    void refreshRuns();
    // 1 for a run that was started once, 2 for its first restart, and so on.
    int attemptOf(const RunSummary& run) const;
    // True until the agent has listed its runs for the first time.
    bool readsRuns() const { return reads_runs_; }
    void pause();
    void resume();
    void stepOnce();
    void stop();
    void stopNow();
    void checkpointNow();
    void setLearningRate(double rate);

    // Kept by the studio for the life of the run. An id that is not known changes nothing; a text that is too long neither, and callFailed
    // says so.
    void renameRun(const QString& id, const QString& name);  // empty: the project's name again
    void setRunColor(const QString& id, int color, int dash);
    void setRunNotes(const QString& id, const QString& notes);
    void setRunTags(const QString& id, const QStringList& tags);
    void setRunPinned(const QString& id, bool pinned);
    void setRunsArchived(const QStringList& ids, bool archived);

    // Reads the events of these runs, in this order, besides those of the current one; ids that are not known are left out.
    void compareRuns(const QStringList& ids);
    const std::vector<RunRecord*>& comparedRuns() const { return compared_; }
    // Of the current run or a compared one; else null.
    RunRecord* record(const QString& id) const;
    // For questions to the engine behind the agent (EngineCall); outlives the session where somebody holds it.
    const std::shared_ptr<ClientSlot>& clientSlot() const { return client_slot_; }
    // Asks the engine what a run's model makes of its test set, or of a drawing.
    Evaluation& evaluation() { return *evaluation_; }

    const std::vector<EventRow>& events() const { return events_; }
    const QString& shareDir() const { return options_.share_dir; }
    QSettings* settings() const { return options_.settings; }

signals:
    void projectChanged();   // any edit, open, close, other diagnostics; these are up to date
    void projectReplaced();  // another project was opened; comes before projectChanged
    void modifiedChanged(bool modified);
    void projectFailed(QString path, engine::spec::Diagnostics diagnostics);
    void saveFailed(QString path, QString why);  // the project stays modified
    void modelOpened(QString path);              // comes after projectChanged
    void datasetChanged();
    void recentChanged();
    void leftoversChanged();
    void agentChanged();
    void hostChanged();
    void doctorChanged();
    void runsChanged();
    void currentRunChanged();                       // currentRun() is another one, or none
    void runStateChanged();                         // its phase
    void runLaunched();                             // by launch(), after currentRunChanged
    void comparedRunsChanged();                     // comparedRuns() are others
    void callFailed(ui::session::ErrorInfo error);  // a verb failed; nothing changed
    void eventAdded();

private:
    class EditCommand;
    friend class EditCommand;

    void setProject(engine::spec::RunSpec run, const QString& path);
    void assign(const engine::spec::RunSpec& run);
    void refreshDerived();
    int countOf(engine::spec::Severity severity) const;
    void loadTemplates();
    void remember(const QString& path);
    void takeName(const QString& path);
    void adoptModel(const QString& path, engine::spec::RunSpec run, const engine::spec::Diagnostics& notes);
    void adoptRun(const RunSummary& run);
    void hear(RunRecord& own, const RunSummary& summary);
    void goOn(RunSummary& known, RunSummary run);
    void submit(const engine::spec::RunSpec& run, const QString& run_dir);
    void onRuns(std::vector<RunSummary> runs);
    void control(engine::spec::ControlVerb verb, double value = 0);
    void addEvent(engine::spec::Severity severity, const QString& text);

    void wireLink();
    void onAgentLost(const QString& reason);
    bool refuseLong(const char* what, const QString& text, qsizetype most);
    void onAgentSilent(qint64 ms);
    void onAgentAnswered();
    void onWatchEnded(const QString& run_id, const std::optional<QString>& error);
    engine::spec::Diagnostics checkPorts() const;
    void checkHosts();
    void forgetDoctor();
    void followHost();
    void readDataset();
    void takeRuns(std::vector<RunSummary> runs);
    RunSummary* findRun(const QString& id);
    void annotateRuns(const QStringList& ids, const std::function<void(RunSummary&)>& edit);
    std::vector<RunRecord*> records() const;
    RunRecord* makeRecord(const RunSummary& run);
    void releaseRecord(RunRecord* record);
    void keepAside();
    void reportSettings(const DamagedSettings& damaged);
    void keepCurve();

    SessionOptions options_;
    bool has_project_ = false;
    engine::spec::RunSpec project_;
    QString project_path_;
    QByteArray file_text_;  // what the file held when it was opened or saved here; empty: not known
    QUndoStack undo_;
    engine::spec::Diagnostics diagnostics_, port_findings_;  // the latter are the last of the former
    std::vector<engine::spec::LayerInfo> layer_infos_;
    std::vector<engine::spec::TaskPlan> task_plans_;
    DatasetFacts dataset_;
    std::optional<std::pair<engine::spec::DataSpec, QString>> dataset_asked_;  // source and base of which dataset_ tells or will tell
    std::vector<Template> templates_;

    QTimer reconnect_timer_, poll_timer_, port_timer_;
    int reconnect_wait_ms_ = 0;
    AgentState agent_state_ = AgentState::kConnecting;
    QString agent_problem_;
    int agent_silent_s_ = 0;
    std::optional<engine::run::HostInfo> host_;
    HostHistory host_history_;
    bool follows_host_ = false;
    std::optional<engine::spec::RunSpec> doctor_asked_;  // for which the report is, or will be
    std::optional<engine::spec::DoctorReport> doctor_report_;
    std::vector<RunSummary> runs_;
    bool reads_runs_ = true;
    std::optional<std::vector<RunSummary>> early_runs_;  // came before what is kept of them
    RunRecord* current_run_ = nullptr;
    std::vector<RunRecord*> compared_;  // may hold the current one
    bool launching_ = false;
    std::optional<engine::spec::RunSpec> next_launch_;  // waits for the end of the shown run
    std::vector<EventRow> events_;
    const std::shared_ptr<ClientSlot> client_slot_;
    std::unique_ptr<AgentLink> link_;
    std::unique_ptr<History> history_;
    std::unique_ptr<Evaluation> evaluation_;
    std::unique_ptr<DatasetReader> dataset_reader_;
    std::unique_ptr<ModelImport> model_import_;
    std::function<bool()> may_replace_;   // of the model that is read now
    std::unique_ptr<Recovery> recovery_;  // null where nothing is written aside
};

}  // namespace ui::session

Q_DECLARE_METATYPE(engine::spec::Diagnostics)
