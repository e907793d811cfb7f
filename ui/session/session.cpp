// SPDX-License-Identifier: GPL-3.0-or-later
// The project half of Session; runs and the agent are in session_runs.cpp.
#include "ui/session/session.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QTimer>
#include <QUndoCommand>
#include <algorithm>

#include "engine/launch/port_holder.h"
#include "engine/launch/tf_config_files.h"
#include "engine/spec/cluster_hosts.h"
#include "engine/spec/dataset_names.h"
#include "engine/spec/error.h"
#include "engine/spec/sample_check.h"
#include "ui/session/agent_link.h"
#include "ui/session/client_slot.h"
#include "ui/session/data_desk.h"
#include "ui/session/dataset_reader.h"
#include "ui/session/evaluation.h"
#include "ui/session/history.h"
#include "ui/session/label_counts.h"
#include "ui/session/model_import.h"
#include "ui/session/open_project.h"
#include "ui/session/port_probe.h"
#include "ui/session/recovery.h"
#include "ui/session/settings_file.h"
#include "ui/session/whole_file.h"

namespace ui::session {

using namespace engine::spec;

namespace {

constexpr int kMostRecent = 12, kMostLocalWorkers = 8;
constexpr int kPortLookMs = 1000;  // while one is held
constexpr auto kRecentKey = "recent", kWorkerProgram = "tandem-worker", kUntitled = "untitled";

std::int64_t nowUnixNs() {
    return QDateTime::currentMSecsSinceEpoch() * 1'000'000;
}

QByteArray readAll(const QString& path, QString& problem) {
    QByteArray bytes = readWholeFile(path, problem);
    if (!problem.isEmpty()) problem = QStringLiteral("%1: expected a readable file: %2").arg(path, problem);
    return bytes;
}

}  // namespace

class Session::EditCommand : public QUndoCommand {
public:
    EditCommand(Session& session, const QString& text, RunSpec before, RunSpec after, int merge_key)
        : QUndoCommand(text), session_(session), before_(std::move(before)), after_(std::move(after)), merge_key_(merge_key) {}

    void undo() override { session_.assign(before_); }
    void redo() override { session_.assign(after_); }
    int id() const override { return merge_key_ > 0 ? merge_key_ : -1; }
    bool mergeWith(const QUndoCommand* later) override {
        after_ = static_cast<const EditCommand*>(later)->after_;
        setObsolete(after_ == before_);
        return true;
    }

private:
    Session& session_;
    const RunSpec before_;
    RunSpec after_;
    const int merge_key_;
};

Session::Session(SessionOptions options, QObject* parent)
    : QObject(parent),
      options_(std::move(options)),
      client_slot_(std::make_shared<ClientSlot>()),
      link_(std::make_unique<AgentLink>(options_.connect, client_slot_)) {
    if (options_.share_dir.isEmpty()) options_.share_dir = QDir::cleanPath(QCoreApplication::applicationDirPath() + "/../share/tandem");
    if (options_.settings) reportSettings(mendSettings(*options_.settings));
    history_ = std::make_unique<History>(options_.history_file, options_.settings);
    evaluation_ = std::make_unique<Evaluation>(client_slot_);
    model_import_ = std::make_unique<ModelImport>(client_slot_);
    connect(model_import_.get(), &ModelImport::finished, this, &Session::adoptModel);
    connect(model_import_.get(), &ModelImport::failed, this, [this](const QString& path, const Diagnostics& why) {
        for (const Diagnostic& one : why) addEvent(one.severity, QString::fromStdString(toString(one)));
        emit projectFailed(path, why);
    });
    dataset_reader_ = std::make_unique<DatasetReader>(client_slot_, datasetFolders(options_.share_dir));
    connect(dataset_reader_.get(), &DatasetReader::answered, this, [this](const DatasetFacts& facts) {
        dataset_ = facts;
        emit datasetChanged();
    });
    loadTemplates();
    connect(&undo_, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
    if (!options_.recovery_dir.isEmpty()) {
        recovery_ = std::make_unique<Recovery>(options_.recovery_dir, options_.recovery_delay_ms);
        connect(this, &Session::projectChanged, this, &Session::keepAside);
        connect(this, &Session::modifiedChanged, this, &Session::keepAside);
        connect(recovery_.get(), &Recovery::leftoversChanged, this, &Session::leftoversChanged);
        connect(recovery_.get(), &Recovery::failed, this, [this](const QString& reason) { addEvent(Severity::kWarning, reason); });
    }
    wireLink();
    if (recovery_ && options_.settings) {
        const QString left = (new OpenProject(*this, *options_.settings, options_.recovery_dir))->left();
        if (isStarterPlace(left) || QFileInfo::exists(left)) open(left);
    }
    port_timer_.setInterval(kPortLookMs);
    connect(&port_timer_, &QTimer::timeout, this, &Session::lookAtPorts);
    connect(this, &Session::projectChanged, this, [this] { port_findings_.empty() ? port_timer_.stop() : port_timer_.start(); });
    connectAgent();
}

void Session::reportSettings(const DamagedSettings& damaged) {
    if (damaged.file.isEmpty()) return;
    QTimer::singleShot(0, this, [this, damaged] {  // a window is there by then, in its language
        const QString detail =
            damaged.aside.isEmpty()
                ? tr("The settings can't be read whole: %1").arg(damaged.file)
                : tr("The settings could not be read whole and were put aside as %1. What could be read stays.").arg(damaged.aside);
        addEvent(Severity::kWarning, detail);
        emit callFailed({static_cast<int>(engine::ErrorCode::kDataLoss), detail});
    });
}

Session::~Session() {
    model_import_.reset();
    dataset_reader_.reset();
    evaluation_.reset();
    history_.reset();
    link_.reset();
}

QString Session::projectTitle() const {
    if (!has_project_) return {};
    return project_path_.isEmpty() ? QString::fromStdString(project_.name) : QFileInfo(project_path_).fileName();
}

int Session::mergeKey(const QString& field) {
    return static_cast<int>(qHash(field) & 0x7fffffff) | 1;
}

void Session::change(const QString& text, const std::function<void(RunSpec&)>& edit, int merge_key) {
    if (!has_project_) return;
    RunSpec after = project_;
    edit(after);
    if (after == project_) return;
    undo_.push(new EditCommand(*this, text, project_, std::move(after), merge_key));
}

void Session::assign(const RunSpec& run) {
    project_ = run;
    refreshDerived();
    emit projectChanged();
}

void Session::refreshDerived() {
    forgetDoctor();
    diagnostics_.clear();
    layer_infos_.clear();
    task_plans_.clear();
    if (!has_project_) return;
    diagnostics_ = checkProject(project_);
    layer_infos_ = inferShapes(project_.model);
    if (!hasErrors(diagnostics_)) task_plans_ = planTasks(project_);
    checkHosts();
    port_findings_ = checkPorts();
    diagnostics_.insert(diagnostics_.end(), port_findings_.begin(), port_findings_.end());
    readDataset();
}

// Tasks on other computers: they can be designed and exported, not started from here.
void Session::checkHosts() {
    for (const TaskId& task : project_.cluster.spec.trainingTasks()) {
        const std::string address = *project_.cluster.spec.address(task);
        if (parseHostPort(address) && !isThisComputer(hostOf(address))) diagnostics_.push_back(foreignTask(task, address));
    }
}

bool Session::isThisComputer(const std::string& host) const {
    if (isLoopbackName(host)) return true;
    if (!host_) return false;
    const auto& addresses = host_->addresses;
    return host == host_->host_name || std::find(addresses.begin(), addresses.end(), host) != addresses.end();
}

std::vector<int> Session::portsToUse(int count) const {
    return freeLoopbackPorts(count);
}

std::optional<Repair> Session::repairOf(const Diagnostic& finding) const {
    if (!has_project_) return std::nullopt;
    constexpr int kSpare = 8;
    const int tasks = static_cast<int>(allTasks(project_.cluster.spec).size());
    return repairRun(project_, finding, {host_ ? host_->host_name : std::string(), freeLoopbackPorts(tasks + kSpare)});
}

bool Session::repair(const Diagnostic& finding) {
    const std::optional<Repair> found = repairOf(finding);
    if (!found) return false;
    change(QString::fromStdString(found->text), [&found](RunSpec& run) { run = found->run; });
    return true;
}

// Ports held by a run of ours are no mistake of the project: checked only between runs.
Diagnostics Session::checkPorts() const {
    Diagnostics found;
    if (hasActiveRun() || launching_) return found;
    for (const Job& job : project_.cluster.spec.jobs) {
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

void Session::lookAtPorts() {
    if (!has_project_) return;
    Diagnostics found = checkPorts();
    if (found == port_findings_) return;
    std::erase_if(diagnostics_, [this](const Diagnostic& one) {
        return std::find(port_findings_.begin(), port_findings_.end(), one) != port_findings_.end();
    });
    port_findings_ = std::move(found);
    diagnostics_.insert(diagnostics_.end(), port_findings_.begin(), port_findings_.end());
    emit projectChanged();
}

QString Session::baseFolder() const {
    return project_path_.isEmpty() ? QString() : QFileInfo(project_path_).absolutePath();
}

void Session::readDataset() {
    const bool has_own_files = findDatasetFormat(project_.data.dataset) != nullptr;  // others lie where they lie, wherever the project is
    const std::pair asked{sourceOf(project_.data), has_own_files ? baseFolder() : QString()};
    if (dataset_asked_ == asked) return;
    dataset_asked_ = asked;
    dataset_ = {};
    dataset_reader_->ask(asked.first, asked.second);
}

void Session::readDatasetAgain() {
    if (!has_project_) return;
    dataset_asked_.reset();
    readDataset();
}

int Session::countOf(Severity severity) const {
    return static_cast<int>(
        std::count_if(diagnostics_.begin(), diagnostics_.end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

std::int64_t Session::stepsPerEpoch() const {
    if (!has_project_ || dataset_.train_samples == 0) return 0;
    return engine::spec::stepsPerEpoch(project_, SetSize{dataset_.train_samples, dataset_.train_files},
                                       std::max<int>(1, static_cast<int>(task_plans_.size())));
}

void Session::setProject(RunSpec run, const QString& path) {
    has_project_ = true;
    project_ = std::move(run);
    project_path_ = path;
    file_text_.clear();
    undo_.clear();
    dataset_asked_.reset();
    refreshDerived();
    emit projectReplaced();
    emit projectChanged();
    emit modifiedChanged(false);
}

bool Session::openRunAsProject(const QString& run_id) {
    const RunSummary* run = findRun(run_id);
    if (!run) return false;
    ProjectReport report = parseProject(run->project_json.toStdString());
    if (hasErrors(report.diagnostics)) {
        emit projectFailed(run->name, report.diagnostics);
        return false;
    }
    setProject(std::move(report.run), {});
    undo_.resetClean();  // it is in no file
    emit modifiedChanged(true);
    return true;
}

namespace {

// Of a project that is new: its runs can be evaluated, and go on when they were lost.
CallbackSpecs usualCallbacks() {
    return {{"ModelCheckpoint", {}}, {"BackupAndRestore", {}}};
}

}  // namespace

void Session::newProject() {
    RunSpec run;
    run.name = kUntitled;
    run.model.input_shape = {28, 28, 1};
    run.callbacks = usualCallbacks();
    setProject(std::move(run), {});
}

bool Session::newFromTemplate(const QString& id) {
    const auto at = std::find_if(templates_.begin(), templates_.end(), [&](const Template& t) { return t.id == id; });
    if (at == templates_.end() || !at->needs.isEmpty()) return false;
    setProject(at->run, {});
    return true;
}

bool Session::open(const QString& path) {
    if (isStarterPlace(path)) return newFromTemplate(path.mid(QLatin1String(kStarterScheme).size()));
    QString problem;
    const QByteArray text = readAll(path, problem);
    ProjectReport report;
    if (problem.isEmpty()) {
        report = parseProject(text.toStdString());
    } else {
        report.diagnostics.push_back({Severity::kError, {}, problem.toStdString(), {}});
    }
    for (const Diagnostic& diagnostic : report.diagnostics) addEvent(diagnostic.severity, QString::fromStdString(toString(diagnostic)));
    if (hasErrors(report.diagnostics)) {
        emit projectFailed(path, report.diagnostics);
        return false;
    }
    if (report.run.name == kUntitled) report.run.name = QFileInfo(path).completeBaseName().toStdString();
    setProject(std::move(report.run), QFileInfo(path).absoluteFilePath());
    file_text_ = text;
    remember(project_path_);
    return true;
}

void Session::openModel(const QString& path, std::function<bool()> may_replace) {
    may_replace_ = std::move(may_replace);
    model_import_->read(QFileInfo(path).absoluteFilePath());
}

void Session::adoptModel(const QString& path, RunSpec run, const Diagnostics& notes) {
    const std::function<bool()> may_replace = std::exchange(may_replace_, {});
    for (const Diagnostic& note : notes)
        addEvent(note.severity, QFileInfo(path).fileName() + QStringLiteral(": ") + QString::fromStdString(toString(note)));
    if (may_replace && !may_replace()) return;
    if (run.callbacks.empty()) run.callbacks = usualCallbacks();
    setProject(std::move(run), {});
    addEvent(Severity::kInfo, tr("Opened the model %1.").arg(path));
    emit modelOpened(path);
}

bool Session::save() {
    return !project_path_.isEmpty() && saveAs(project_path_);
}

// A project that is saved under a name goes by it, unless somebody has given it another one.
void Session::takeName(const QString& path) {
    const std::string before = project_path_.isEmpty() ? kUntitled : QFileInfo(project_path_).completeBaseName().toStdString();
    if (project_.name != kUntitled && project_.name != before) return;
    const std::string name = QFileInfo(path).completeBaseName().toStdString();
    if (name.empty() || name == project_.name) return;
    project_.name = name;
    emit projectChanged();
}

bool Session::saveAs(const QString& path) {
    takeName(path);
    const std::string text = toProjectJson(project_);
    if (const QString problem = writeWholeFile(path, text); !problem.isEmpty()) {
        addEvent(Severity::kError, tr("%1 was not saved: %2").arg(path, problem));
        emit saveFailed(path, problem);
        return false;
    }
    project_path_ = QFileInfo(path).absoluteFilePath();
    file_text_ = QByteArray::fromStdString(text);
    undo_.setClean();
    remember(project_path_);
    emit modifiedChanged(false);
    return true;
}

bool Session::fileChanged() const {
    if (project_path_.isEmpty() || file_text_.isEmpty() || !QFileInfo::exists(project_path_)) return false;
    QString problem;
    const QByteArray now = readAll(project_path_, problem);
    return problem.isEmpty() && now != file_text_;
}

QStringList Session::filesThere(const QString& folder, const QStringList& names) const {
    QStringList there;
    std::copy_if(names.begin(), names.end(), std::back_inserter(there), [&](const QString& name) { return QDir(folder).exists(name); });
    return there;
}

ErrorInfo Session::writeFiles(const QString& folder, const std::vector<engine::launch::LaunchFile>& files) {
    if (!QDir().mkpath(folder)) return {0, QStringLiteral("%1: expected a folder that can be made, the system refused").arg(folder)};
    for (const auto& file : files) {
        const QString path = folder + "/" + QString::fromStdString(file.file_name);
        if (const QString problem = writeWholeFile(path, file.text); !problem.isEmpty())
            return {0, QStringLiteral("%1: expected to write it: %2").arg(path, problem)};
    }
    tellOfFiles(folder, static_cast<int>(files.size()));
    return {};
}

void Session::tellOfFiles(const QString& folder, int count) {
    addEvent(Severity::kInfo, tr("Wrote %n file(s) to %1", nullptr, count).arg(folder));
}

void Session::keepAside() {
    if (isModified()) {
        recovery_->keep(project_, project_path_, projectTitle());
    } else {
        recovery_->forget();
    }
}

const std::vector<Leftover>& Session::leftovers() const {
    static const std::vector<Leftover> none;
    return recovery_ ? recovery_->leftovers() : none;
}

bool Session::recover(const QString& id) {
    const Leftover* left = recovery_ ? recovery_->find(id) : nullptr;
    if (!left) return false;
    setProject(left->run, left->project_path);
    undo_.resetClean();  // modified, though there is nothing to undo
    recovery_->writeNow(id);
    return true;
}

void Session::discardLeftover(const QString& id) {
    if (recovery_) recovery_->discard(id);
}

void Session::giveUpChanges() {
    if (recovery_) recovery_->forget();
}

void Session::closeProject() {
    has_project_ = false;
    project_ = {};
    project_path_.clear();
    undo_.clear();
    refreshDerived();
    emit projectReplaced();
    emit projectChanged();
}

// A project that stands on Welcome though it can't be opened: only what its card shows.
Template announcedTemplate(const QJsonObject& entry) {
    Template out{entry["id"].toString(), {}, entry["label"].toString(), entry["needs"].toString()};
    out.run.name = entry["name"].toString(out.label).toStdString();
    const QJsonObject cluster = entry["cluster"].toObject();
    for (auto job = cluster.begin(); job != cluster.end(); ++job) {
        Job tasks{job.key().toStdString(), {}};
        for (int i = 0; i < job.value().toInt(); ++i) tasks.tasks.emplace(i, "localhost:0");
        out.run.cluster.spec.jobs.push_back(std::move(tasks));
    }
    return out;
}

// In the order of templates/welcome.json, which says also what stands in the row of further ones; those it does not name come last.
void Session::loadTemplates() {
    const QDir folder(options_.share_dir + "/templates");
    QStringList files = folder.entryList({"*.tandem"}, QDir::Files, QDir::Name);
    const auto add = [&](const QString& file, const QString& label) {
        QString problem;
        ProjectReport report = parseProject(readAll(folder.filePath(file), problem).toStdString());
        if (!problem.isEmpty() || hasErrors(report.diagnostics)) return;
        templates_.push_back({QFileInfo(file).completeBaseName(), std::move(report.run), label});
    };
    QString problem;
    const QJsonObject order = QJsonDocument::fromJson(readAll(folder.filePath("welcome.json"), problem)).object();
    for (const char* group : {"cards", "more"}) {
        for (const QJsonValue& entry : order[QLatin1String(group)].toArray()) {
            if (entry["needs"].isString()) {
                templates_.push_back(announcedTemplate(entry.toObject()));
                continue;
            }
            const QString file = entry["id"].toString() + ".tandem";
            if (files.removeAll(file) > 0) add(file, entry["label"].toString());
        }
    }
    for (const QString& file : files) add(file, order.isEmpty() ? QString() : QFileInfo(file).completeBaseName());
}

std::vector<RecentProject> Session::recentProjects() const {
    std::vector<RecentProject> out;
    if (!options_.settings) return out;
    const int count = options_.settings->beginReadArray(kRecentKey);
    for (int i = 0; i < count; ++i) {
        options_.settings->setArrayIndex(i);
        RecentProject recent{options_.settings->value("path").toString(), options_.settings->value("name").toString(),
                             options_.settings->value("strategy").toString(), options_.settings->value("opened").toLongLong()};
        const bool starter = isStarterPlace(recent.path) && std::any_of(templates_.begin(), templates_.end(), [&](const Template& one) {
                                 return QLatin1String(kStarterScheme) + one.id == recent.path;
                             });
        if (starter || QFileInfo::exists(recent.path)) out.push_back(std::move(recent));
    }
    options_.settings->endArray();
    return out;
}

void Session::remember(const QString& path) {
    if (!options_.settings) return;
    std::vector<RecentProject> recent = recentProjects();
    std::erase_if(recent, [&](const RecentProject& r) { return r.path == path; });
    recent.insert(recent.begin(), {path, QString::fromStdString(project_.name), QString::fromStdString(project_.strategy.name),
                                   QDateTime::currentSecsSinceEpoch()});
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
    options_.settings->beginWriteArray(kRecentKey, static_cast<int>(recent.size()));
    for (int i = 0; i < static_cast<int>(recent.size()); ++i) {
        const RecentProject& r = recent[static_cast<std::size_t>(i)];
        options_.settings->setArrayIndex(i);
        options_.settings->setValue("path", r.path);
        options_.settings->setValue("name", r.name);
        options_.settings->setValue("strategy", r.strategy);
        options_.settings->setValue("opened", static_cast<qlonglong>(r.opened_unix_s));
    }
    options_.settings->endArray();
    emit recentChanged();
}

int Session::localWorkers() const {
    return std::max<int>(1, static_cast<int>(project_.cluster.spec.trainingTasks().size()));
}

void Session::setLocalWorkers(int workers) {
    workers = std::clamp(workers, 1, kMostLocalWorkers);
    if (has_project_ && workers == localWorkers()) return;
    change(tr("Use %n local worker(s)", nullptr, workers), [workers](RunSpec& run) { useLocalWorkers(run, usualPorts(workers)); });
}

void Session::chooseFreePorts() {
    const int workers = localWorkers();
    const std::vector<int> ports = freeLoopbackPorts(workers);
    if (static_cast<int>(ports.size()) < workers) return;
    change(tr("Choose free ports"), [&ports](RunSpec& run) {
        auto port = ports.begin();
        for (Job& job : run.cluster.spec.jobs) {
            for (auto& [index, address] : job.tasks) {
                const auto where = parseHostPort(address);
                if (port != ports.end() && (!where || isLoopbackName(where->host))) address = "localhost:" + std::to_string(*port++);
            }
        }
    });
}

void Session::addEvent(Severity severity, const QString& text) {
    constexpr std::size_t kMostEvents = 2000;
    if (events_.size() >= kMostEvents) events_.erase(events_.begin(), events_.begin() + kMostEvents / 4);
    events_.push_back({nowUnixNs(), severity, text});
    emit eventAdded();
}

}  // namespace ui::session
