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
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/run_spec.h"
#include "engine/spec/shape_inference.h"
#include "engine/spec/task_event.h"
#include "engine/spec/task_plan.h"
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
class WorkerThread;

// Makes the client; called on AgentLink's thread, may block up to its own deadline, throws engine::Error.
using AgentFactory = std::function<std::unique_ptr<agent::client::AgentClient>()>;

struct SessionOptions {
    AgentFactory connect;           // required
    QString share_dir;              // holds templates/ and datasets/; empty: ../share/tandem beside the program
    QSettings* settings = nullptr;  // recent projects, theme, sizes; outlives the session. Null: nothing is remembered
    int reconnect_ms = 2000;
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

    const engine::spec::Diagnostics& diagnostics() const { return diagnostics_; }  // of validate, plus what this computer knows
    int errorCount() const;
    const std::vector<engine::spec::LayerInfo>& layerInfos() const { return layer_infos_; }
    // One per task that trains together, in rank order; empty while the project has errors.
    const std::vector<engine::spec::TaskPlan>& taskPlans() const { return task_plans_; }
    const DatasetFacts& dataset() const { return dataset_; }
    // 0 while the number of samples is unknown.
    std::int64_t stepsPerEpoch() const;

    void newProject();
    bool newFromTemplate(const QString& id);
    bool open(const QString& path);  // false: projectFailed was emitted, the present project stays
    bool save();
    bool saveAs(const QString& path);
    void closeProject();
    const std::vector<Template>& templates() const { return templates_; }
    std::vector<RecentProject> recentProjects() const;

    int localWorkers() const;  // tasks that the project trains on
    // Rewrites strategy and cluster for n workers on this computer (1 to 8), as one step of undo.
    void setLocalWorkers(int workers);
    // Gives every task a port that is free now.
    void chooseFreePorts();

    // Writes the files below `folder`, which is made; each aside and then renamed. An empty detail is success; on an error the files that
    // were there before are untouched from the failing one on.
    ErrorInfo writeFiles(const QString& folder, const std::vector<engine::launch::LaunchFile>& files);

    // ---- the agent ---------------------------------------------------------------------------------------------------
    AgentState agentState() const { return agent_state_; }
    QString agentProblem() const { return agent_problem_; }
    const std::optional<HostFacts>& host() const { return host_; }
    void connectAgent();  // starts it where none answers
    void refreshHost();

    // ---- runs --------------------------------------------------------------------------------------------------------
    // Newest first, as the agent lists them.
    const std::vector<RunSummary>& runs() const { return runs_; }
    RunRecord* currentRun() const { return current_run_; }  // shown in Monitor; null before the first
    bool hasActiveRun() const { return current_run_ && isActive(current_run_->phase()); }
    // Empty when Launch may be pressed, else the reason ("1 problem", "No project").
    QString launchObstacle() const;
    void launch();                   // the project as it stands
    void launch(int local_workers);  // setLocalWorkers first when it differs
    void showRun(const QString& id);
    void refreshRuns();
    void pause();
    void resume();
    void stepOnce();
    void stop();
    void stopNow();
    void checkpointNow();
    void setLearningRate(double rate);

    const std::vector<EventRow>& events() const { return events_; }
    QSettings* settings() const { return options_.settings; }

signals:
    void projectChanged();   // any edit, open, close; diagnostics are up to date
    void projectReplaced();  // another project was opened; comes before projectChanged
    void modifiedChanged(bool modified);
    void projectFailed(QString path, engine::spec::Diagnostics diagnostics);
    void datasetChanged();
    void recentChanged();
    void agentChanged();
    void hostChanged();
    void runsChanged();
    void currentRunChanged();                       // currentRun() is another one, or none
    void runStateChanged();                         // its phase
    void runLaunched();                             // by launch(), after currentRunChanged
    void callFailed(ui::session::ErrorInfo error);  // a verb failed; nothing changed
    void eventAdded();

private:
    class EditCommand;
    friend class EditCommand;

    void setProject(engine::spec::RunSpec run, const QString& path);
    void assign(const engine::spec::RunSpec& run);
    void refreshDerived();
    void loadTemplates();
    void remember(const QString& path);
    void adoptRun(const RunSummary& run);
    void onRuns(std::vector<RunSummary> runs);
    void control(engine::spec::ControlVerb verb, double value = 0);
    void addEvent(engine::spec::Severity severity, const QString& text);

    void wireLink();
    void onAgentLost(const QString& reason);
    void onWatchEnded(const QString& run_id, const std::optional<QString>& error);
    void checkPorts();
    void readDataset();
    int colorOf(const QString& run_id);

    SessionOptions options_;
    bool has_project_ = false;
    engine::spec::RunSpec project_;
    QString project_path_;
    QUndoStack undo_;
    engine::spec::Diagnostics diagnostics_;
    std::vector<engine::spec::LayerInfo> layer_infos_;
    std::vector<engine::spec::TaskPlan> task_plans_;
    DatasetFacts dataset_;
    std::optional<engine::spec::DataSpec> dataset_asked_;  // of which dataset_ tells or will tell
    std::vector<Template> templates_;

    std::map<QString, int> colors_;  // by run id, where no settings keep them
    QTimer reconnect_timer_, poll_timer_;
    int reconnect_wait_ms_ = 0;
    AgentState agent_state_ = AgentState::kConnecting;
    QString agent_problem_;
    std::optional<HostFacts> host_;
    std::vector<RunSummary> runs_;
    RunRecord* current_run_ = nullptr;
    bool launching_ = false;
    std::vector<EventRow> events_;
    std::unique_ptr<AgentLink> link_;
    std::unique_ptr<WorkerThread> files_;  // reads data sets
};

}  // namespace ui::session

Q_DECLARE_METATYPE(engine::spec::Diagnostics)
