// SPDX-License-Identifier: GPL-3.0-or-later
// The open project: its values with their undo stack, its file, and what is found about it. Every view that edits something changes it
// here. Owned by Session; GUI thread only, nothing here blocks but reading and writing the project's file.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"
#include "ui/session/values.h"

namespace ui::session {

class ClientSlot;
class DatasetReader;
class EventList;
class FarHosts;
class Host;
class ModelImport;
class Starters;

// The parts of the session that the project needs; all of them outlive it.
struct ProjectPlace {
    const Host& host;
    const FarHosts& far_hosts;
    const Starters& starters;
    EventList& events;
    std::shared_ptr<ClientSlot> slot;  // of the agent whose engine counts samples and reads models
    QStringList dataset_folders;       // where sets with a name are looked for
};

class Project : public QObject {
    Q_OBJECT
public:
    explicit Project(ProjectPlace place);
    ~Project() override;

    bool isOpen() const { return is_open_; }
    const engine::spec::RunSpec& spec() const { return spec_; }
    QString path() const { return path_; }  // empty: never saved
    QString title() const;                  // file name, or the project's name
    bool isModified() const { return is_open_ && !undo_.isClean(); }
    QUndoStack& undoStack() { return undo_; }

    // Every edit is a command: `edit` changes a copy, which becomes the project when it differs. `text` is shown by undo ("Change
    // filters"). Consecutive edits with the same merge key above 0 become one step of undo (typing in one field); see mergeKey().
    void change(const QString& text, const std::function<void(engine::spec::RunSpec&)>& edit, int merge_key = 0);
    static int mergeKey(const QString& field);  // "model.layers[2].units" -> a key

    // The findings of checkProject and of what this computer knows. Everything that says whether the project can be launched uses these.
    const engine::spec::Diagnostics& diagnostics() const { return diagnostics_; }
    int errorCount() const { return countOf(engine::spec::Severity::kError); }
    int warningCount() const { return countOf(engine::spec::Severity::kWarning); }
    const std::vector<engine::spec::LayerInfo>& layerInfos() const { return layer_infos_; }
    // Plans, one for each task that trains together, in rank order; empty while validate finds errors. A port that is held just now does
    // not make the list empty.
    const std::vector<engine::spec::TaskPlan>& taskPlans() const { return task_plans_; }
    // Finds everything anew, since something beside the project has changed; changed() follows.
    void checkAgain();

    const DatasetFacts& dataset() const { return dataset_; }
    void readDatasetAgain();     // its files have changed; datasetChanged follows
    QString baseFolder() const;  // where the project's relative files lie; empty: it was never saved
    // Returns 0 while the number of samples is unknown.
    std::int64_t stepsPerEpoch() const;

    // Begins a new project.
    void create();
    // Another project takes the place of this one, as open() does it. kEdited: it differs from what `path` holds, or is in no file yet.
    enum class State { kSaved, kEdited };
    void replace(engine::spec::RunSpec spec, const QString& path, State state);
    bool openStarter(const QString& id);
    bool open(const QString& path);  // or a starter's place; false: failed() was emitted, the present project stays
    // Turns a model file of Keras or ONNX (ModelImport::isModelFile) into a project that was never saved and begins with the file's
    // weights. It answers later by modelOpened or failed. `may_replace` is asked when the file was read; false: the present project stays.
    void openModel(const QString& path, std::function<bool()> may_replace);
    bool save();
    bool saveAs(const QString& path);
    // True when another program wrote the project's file since it was opened or saved here; reads the file. False when it is gone or was
    // never known.
    bool isFileChanged() const;
    void close();

    // Looks whether the ports of the project's tasks on this computer can be bound now. It is called by a page that shows it, by the launch
    // and by the doctor; while a port is held, every second. changed() follows when the answer is another one than before.
    void lookAtPorts();
    bool holdsPortFindings() const { return !port_findings_.empty(); }
    // `are_ours` is true while a run of ours may hold the ports: that is no mistake of the project.
    void setPortOwner(std::function<bool()> are_ours) { are_ports_ours_ = std::move(are_ours); }

signals:
    void changed();    // any edit, open, close, other diagnostics; these are up to date
    void replaced();   // another project was opened; comes before changed
    void refreshed();  // what is derived from the values was made anew; comes before changed
    void modifiedChanged(bool modified);
    void failed(QString path, engine::spec::Diagnostics diagnostics);
    void saveFailed(QString path, QString why);  // the project stays modified
    void stored(QString path);                   // was read from there or written there
    // Whoever edits the project puts in what is typed and not in it yet: it is about to be saved, trained with or replaced, or
    // a step is to be undone.
    void typingWanted();
    void modelOpened(QString path);  // comes after changed
    void datasetChanged();

private:
    class EditCommand;
    friend class EditCommand;

    void assign(const engine::spec::RunSpec& spec);
    void refreshDerived();
    void derive();
    int countOf(engine::spec::Severity severity) const;
    void takeName(const QString& path);
    void adoptModel(const QString& path, engine::spec::RunSpec spec, const engine::spec::Diagnostics& notes);
    engine::spec::Diagnostics checkPorts() const;
    void checkHosts();
    void readDataset();

    const ProjectPlace place_;
    bool is_open_ = false;
    engine::spec::RunSpec spec_;
    QString path_;
    QByteArray file_text_;  // what the file held when it was opened or saved here; empty: not known
    QUndoStack undo_;
    engine::spec::Diagnostics diagnostics_, port_findings_;  // the latter are the last of the former
    std::vector<engine::spec::LayerInfo> layer_infos_;
    std::vector<engine::spec::TaskPlan> task_plans_;
    DatasetFacts dataset_;
    std::optional<std::pair<engine::spec::DataSpec, QString>> dataset_asked_;  // source and base of which dataset_ tells or will tell
    QTimer port_timer_;
    std::function<bool()> are_ports_ours_;
    std::unique_ptr<DatasetReader> dataset_reader_;
    std::unique_ptr<ModelImport> model_import_;
    std::function<bool()> may_replace_;  // of the model that is read now
};

// Goes through the undo stack as users mean it: what is typed and not in the project yet is the newest step.
enum class UndoStep { kUndo, kRedo };
void takeStep(Project& project, UndoStep step);

}  // namespace ui::session
