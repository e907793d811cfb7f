// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/project.h"

#include <QFileInfo>
#include <QUndoCommand>
#include <algorithm>

#include "engine/launch/port_holder.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/validate/sample_check.h"
#include "ui/session/data/dataset_reader.h"
#include "ui/session/event_list.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/host/port_probe.h"
#include "ui/session/project/model_import.h"
#include "ui/session/project/starters.h"
#include "ui/session/project/whole_file.h"

namespace ui::session {

using namespace engine::spec;

namespace {

constexpr int kPortLookMs = 1000;  // while one is held
constexpr auto kWorkerProgram = "tandem-worker", kUntitled = "untitled";

}  // namespace

class Project::EditCommand : public QUndoCommand {
public:
    EditCommand(Project& project, const QString& text, RunSpec before, RunSpec after, int merge_key)
        : QUndoCommand(text), project_(project), before_(std::move(before)), after_(std::move(after)), merge_key_(merge_key) {}

    void undo() override { project_.assign(before_); }
    void redo() override { project_.assign(after_); }
    int id() const override { return merge_key_ > 0 ? merge_key_ : -1; }
    bool mergeWith(const QUndoCommand* later) override {
        after_ = static_cast<const EditCommand*>(later)->after_;
        setObsolete(after_ == before_);
        return true;
    }

private:
    Project& project_;
    const RunSpec before_;
    RunSpec after_;
    const int merge_key_;
};

Project::Project(ProjectPlace place)
    : place_(std::move(place)),
      dataset_reader_(std::make_unique<DatasetReader>(place_.slot, place_.dataset_folders)),
      model_import_(std::make_unique<ModelImport>(place_.slot)) {
    connect(model_import_.get(), &ModelImport::finished, this, &Project::adoptModel);
    connect(model_import_.get(), &ModelImport::failed, this, [this](const QString& path, const Diagnostics& why) {
        for (const Diagnostic& one : why) place_.events.add(one.severity, QString::fromStdString(toString(one)));
        emit failed(path, why);
    });
    connect(dataset_reader_.get(), &DatasetReader::answered, this, [this](const DatasetFacts& facts) {
        dataset_ = facts;
        emit datasetChanged();
    });
    connect(&undo_, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
    connect(&place_.far_hosts, &FarHosts::listChanged, this, &Project::checkAgain);
    connect(&place_.host, &Host::renamed, this, [this] {
        if (is_open_) checkAgain();  // which addresses are this computer's
    });
    port_timer_.setInterval(kPortLookMs);
    connect(&port_timer_, &QTimer::timeout, this, &Project::lookAtPorts);
    connect(this, &Project::changed, this, [this] { port_findings_.empty() ? port_timer_.stop() : port_timer_.start(); });
}

Project::~Project() = default;

QString Project::title() const {
    if (!is_open_) return {};
    return path_.isEmpty() ? QString::fromStdString(spec_.name) : QFileInfo(path_).fileName();
}

int Project::mergeKey(const QString& field) {
    return static_cast<int>(qHash(field) & 0x7fffffff) | 1;
}

void Project::change(const QString& text, const std::function<void(RunSpec&)>& edit, int merge_key) {
    if (!is_open_) return;
    RunSpec after = spec_;
    edit(after);
    if (after == spec_) return;
    undo_.push(new EditCommand(*this, text, spec_, std::move(after), merge_key));
}

void Project::assign(const RunSpec& run) {
    spec_ = run;
    refreshDerived();
    emit changed();
}

void Project::checkAgain() {
    refreshDerived();
    emit changed();
}

void Project::refreshDerived() {
    derive();
    emit refreshed();
}

void Project::derive() {
    diagnostics_.clear();
    port_findings_.clear();
    layer_infos_.clear();
    task_plans_.clear();
    if (!is_open_) return;
    diagnostics_ = checkProject(spec_);
    layer_infos_ = inferShapes(spec_.model);
    if (!hasErrors(diagnostics_)) task_plans_ = planTasks(spec_);
    checkHosts();
    port_findings_ = checkPorts();
    diagnostics_.insert(diagnostics_.end(), port_findings_.begin(), port_findings_.end());
    readDataset();
}

// Reports tasks on computers that are not in the user's list: they can be designed and exported, not started from here.
void Project::checkHosts() {
    for (const TaskId& task : spec_.cluster.spec.trainingTasks()) {
        const std::string address = *spec_.cluster.spec.address(task);
        if (!parseHostPort(address) || place_.host.isThisComputer(hostOf(address))) continue;
        if (!place_.far_hosts.reachedAs(QString::fromStdString(hostOf(address)))) diagnostics_.push_back(foreignTask(task, address));
    }
}

// Ports held by a run of ours are no mistake of the project: checked only between runs.
Diagnostics Project::checkPorts() const {
    Diagnostics found;
    if (are_ports_ours_ && are_ports_ours_()) return found;
    for (const Job& job : spec_.cluster.spec.jobs) {
        for (const auto& [index, address] : job.tasks) {
            const auto where = parseHostPort(address);
            if (!where || !isLoopbackName(where->host) || where->port <= 0 || where->port > 65535 || isLoopbackPortFree(where->port))
                continue;
            const auto holder = engine::launch::findPortHolder(where->port);
            const std::string who = !holder                             ? "another program"
                                    : holder->program == kWorkerProgram ? "a task that still runs, " + toString(*holder) + ","
                                                                        : toString(*holder);
            found.push_back({Severity::kError, "cluster." + job.name + "[" + std::to_string(index) + "]",
                             toString(TaskId{job.name, index}) + ": expected a free port, " + who + " holds " + std::to_string(where->port),
                             "Choose a free port."});
        }
    }
    return found;
}

void Project::lookAtPorts() {
    if (!is_open_) return;
    Diagnostics found = checkPorts();
    if (found == port_findings_) return;
    std::erase_if(diagnostics_, [this](const Diagnostic& one) {
        return std::find(port_findings_.begin(), port_findings_.end(), one) != port_findings_.end();
    });
    port_findings_ = std::move(found);
    diagnostics_.insert(diagnostics_.end(), port_findings_.begin(), port_findings_.end());
    emit changed();
}

QString Project::baseFolder() const {
    return path_.isEmpty() ? QString() : QFileInfo(path_).absolutePath();
}

void Project::readDataset() {
    const bool has_own_files = findDatasetFormat(spec_.data.dataset) != nullptr;  // others lie where they lie, wherever the project is
    const std::pair asked{sourceOf(spec_.data), has_own_files ? baseFolder() : QString()};
    if (dataset_asked_ == asked) return;
    dataset_asked_ = asked;
    dataset_ = {};
    dataset_reader_->ask(asked.first, asked.second);
}

void Project::readDatasetAgain() {
    if (!is_open_) return;
    dataset_asked_.reset();
    readDataset();
}

int Project::countOf(Severity severity) const {
    return static_cast<int>(
        std::count_if(diagnostics_.begin(), diagnostics_.end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

std::int64_t Project::stepsPerEpoch() const {
    if (!is_open_ || dataset_.train_samples == 0) return 0;
    // Workers that share a step share the samples; with parameter servers each goes through all of them.
    return engine::spec::stepsPerEpoch(spec_, SetSize{dataset_.train_samples, dataset_.train_files},
                                       task_plans_.empty() ? 1 : task_plans_.front().replicas);
}

void Project::replace(RunSpec spec, const QString& path, State state) {
    // A model that is still being read would take the place of what has been opened since.
    model_import_->cancel();
    may_replace_ = {};
    is_open_ = true;
    spec_ = std::move(spec);
    path_ = path;
    file_text_.clear();
    undo_.clear();
    // An edited one is modified, though there is nothing to undo. The next one must not be: clear() of an empty stack leaves all as it is.
    state == State::kEdited ? undo_.resetClean() : undo_.setClean();
    dataset_asked_.reset();
    refreshDerived();
    emit replaced();
    emit changed();
    emit modifiedChanged(isModified());
}

namespace {

// Returns the callbacks of a new project: its runs can be evaluated, and go on when they were lost.
CallbackSpecs usualCallbacks() {
    return {{"ModelCheckpoint", {}}, {"BackupAndRestore", {}}};
}

}  // namespace

void Project::create() {
    RunSpec run;
    run.name = kUntitled;
    run.model.input_shape = {28, 28, 1};
    run.callbacks = usualCallbacks();
    replace(std::move(run), {}, State::kSaved);
}

bool Project::openStarter(const QString& id) {
    const Template* starter = place_.starters.find(id);
    if (starter == nullptr || !starter->needs.isEmpty()) return false;
    replace(starter->run, {}, State::kSaved);
    return true;
}

bool Project::open(const QString& path) {
    if (isStarterPlace(path)) return openStarter(path.mid(QLatin1String(kStarterScheme).size()));
    QString problem;
    const QByteArray text = readNamedFile(path, problem);
    ProjectReport report;
    if (problem.isEmpty()) {
        report = parseProject(text.toStdString());
    } else {
        report.diagnostics.push_back({Severity::kError, {}, problem.toStdString(), {}});
    }
    for (const Diagnostic& diagnostic : report.diagnostics)
        place_.events.add(diagnostic.severity, QString::fromStdString(toString(diagnostic)));
    if (hasErrors(report.diagnostics)) {
        emit failed(path, report.diagnostics);
        return false;
    }
    if (report.run.name == kUntitled) report.run.name = QFileInfo(path).completeBaseName().toStdString();
    replace(std::move(report.run), QFileInfo(path).absoluteFilePath(), State::kSaved);
    file_text_ = text;
    emit stored(path_);
    return true;
}

void Project::openModel(const QString& path, std::function<bool()> may_replace) {
    may_replace_ = std::move(may_replace);
    model_import_->read(QFileInfo(path).absoluteFilePath());
}

void Project::adoptModel(const QString& path, RunSpec run, const Diagnostics& notes) {
    const std::function<bool()> may_replace = std::exchange(may_replace_, {});
    for (const Diagnostic& note : notes)
        place_.events.add(note.severity, tr("%1: %2").arg(QFileInfo(path).fileName(), QString::fromStdString(toString(note))));
    if (may_replace && !may_replace()) return;
    if (run.callbacks.empty()) run.callbacks = usualCallbacks();
    replace(std::move(run), {}, State::kSaved);
    place_.events.add(Severity::kInfo, tr("Opened the model %1.").arg(path));
    emit modelOpened(path);
}

bool Project::save() {
    return !path_.isEmpty() && saveAs(path_);
}

// A project that is saved under a name goes by it, unless somebody has given it another one.
void Project::takeName(const QString& path) {
    const std::string before = path_.isEmpty() ? kUntitled : QFileInfo(path_).completeBaseName().toStdString();
    if (spec_.name != kUntitled && spec_.name != before) return;
    const std::string name = QFileInfo(path).completeBaseName().toStdString();
    if (name.empty() || name == spec_.name) return;
    spec_.name = name;
    emit changed();
}

bool Project::saveAs(const QString& path) {
    emit typingWanted();
    takeName(path);
    const std::string text = toProjectJson(spec_);
    if (const QString problem = writeWholeFile(path, text); !problem.isEmpty()) {
        place_.events.add(Severity::kError, tr("%1 was not saved: %2").arg(path, problem));
        emit saveFailed(path, problem);
        return false;
    }
    path_ = QFileInfo(path).absoluteFilePath();
    file_text_ = QByteArray::fromStdString(text);
    undo_.setClean();
    readDataset();  // relative files lie beside the project, which may be elsewhere now
    emit stored(path_);
    emit modifiedChanged(false);
    return true;
}

bool Project::isFileChanged() const {
    if (path_.isEmpty() || file_text_.isEmpty() || !QFileInfo::exists(path_)) return false;
    QString problem;
    const QByteArray now = readNamedFile(path_, problem);
    return problem.isEmpty() && now != file_text_;
}

void Project::close() {
    model_import_->cancel();
    may_replace_ = {};
    is_open_ = false;
    spec_ = {};
    path_.clear();
    undo_.clear();
    refreshDerived();
    emit replaced();
    emit changed();
}

void takeStep(Project& project, UndoStep step) {
    emit project.typingWanted();
    step == UndoStep::kUndo ? project.undoStack().undo() : project.undoStack().redo();
}

}  // namespace ui::session

#include "moc_project.cpp"
