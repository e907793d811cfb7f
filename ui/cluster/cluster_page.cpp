// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/cluster_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/project/strategy_table.h"
#include "ui/canvas/cluster_canvas.h"
#include "ui/cluster/cluster_checks.h"
#include "ui/cluster/cluster_rows.h"
#include "ui/cluster/paste_cluster_dialog.h"
#include "ui/cluster/strategy_panel.h"
#include "ui/cluster/tf_config_pane.h"
#include "ui/hosts/host_dialog.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/parts/facts_well.h"
#include "ui/parts/launch_obstacle.h"
#include "ui/parts/no_project.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/host/port_probe.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/veil.h"

namespace ui::views {

using engine::spec::ClusterTemplate;
using engine::spec::RunSpec;
using engine::spec::TaskId;
using theme::TextRole;
using widgets::ButtonKind;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRightWidth = 348, kRightNarrow = 280, kMostLocalWorkers = 8, kConfigHeight = 312, kConfigNarrow = 212, kConfigMinimum = 150;
constexpr int kTemplateWidth = 210;
constexpr QSize kPasteSize(760, 600), kHostsSize(920, 600);

struct TemplateRow {
    ClusterTemplate cluster;
    int workers;
};
// Returns the template of an index: one to eight local workers, then the two with other jobs.
TemplateRow templateAt(int index) {
    if (index == 0) return {ClusterTemplate::kOneTask, 1};
    if (index < kMostLocalWorkers) return {ClusterTemplate::kWorkers, index + 1};
    return {index == kMostLocalWorkers ? ClusterTemplate::kParameterServer : ClusterTemplate::kChiefWorkersEvaluator, 0};
}

// Returns the template that the cluster has the jobs of, all on this computer; -1 for none.
int templateOf(const engine::spec::ClusterSpec& cluster) {
    for (const TaskId& task : engine::spec::allTasks(cluster)) {
        if (!engine::spec::isLoopbackName(engine::spec::hostOf(*cluster.address(task)))) return -1;
    }
    const int chiefs = cluster.taskCount("chief"), workers = cluster.taskCount("worker"), servers = cluster.taskCount("ps"),
              evaluators = cluster.taskCount("evaluator");
    if (cluster.empty()) return 0;
    if (servers == 1 && workers == 3 && chiefs + evaluators == 0) return kMostLocalWorkers;
    if (chiefs == 1 && workers == 2 && evaluators == 1 && servers == 0) return kMostLocalWorkers + 1;
    return chiefs + servers + evaluators == 0 && workers > 1 && workers <= kMostLocalWorkers ? workers - 1 : -1;
}

}  // namespace

ClusterPage::ClusterPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes) {
    setObjectName("clusterPage");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    header_ = new widgets::PageHeader(themes, left);
    buildHeader();
    splitter_ = new widgets::DockSplitter(Qt::Vertical, QStringLiteral("clusterSplitter"), left);
    splitter_->addWidget(buildCanvas());
    splitter_->addWidget(configs_ = new TfConfigPane(session, themes, this));
    splitter_->setDock(1, {.wide = kConfigHeight, .narrow = kConfigNarrow, .least = kConfigMinimum});
    column->addWidget(header_);
    stack_ = new QStackedWidget(left);
    stack_->addWidget(splitter_);
    stack_->addWidget(no_project_ = new NoProjectPanel(session.project(), themes, QStringLiteral("cluster"), this));
    column->addWidget(stack_, 1);
    row->addWidget(left, 1);
    row->addWidget(right_ = buildRight());
    connectAll();
    onKeys(QKeySequence::keyBindings(QKeySequence::Paste), [this] { paste(); });
    onKeys({QKeySequence("Ctrl+Shift+C")}, [this] { configs_->copyAll(); });
    retranslate();
}

void ClusterPage::buildHeader() {
    templates_ = new QComboBox(header_);
    templates_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // also after a switch of the language
    templates_->setObjectName("workerCount");
    templates_->setFixedWidth(kTemplateWidth);
    for (int i = 0; i < kMostLocalWorkers + 2; ++i) templates_->addItem(QString());
    templates_->insertSeparator(kMostLocalWorkers);
    add_task_ = widgets::makeButton(themes_, {.object_name = "addTask", .icon = "plus"}, header_);
    task_menu_ = new QMenu(add_task_);
    task_menu_->setObjectName("addTaskMenu");
    task_menu_->setToolTipsVisible(true);
    add_host_ = widgets::makeButton(themes_, {.object_name = "addHost", .icon = "plus"}, header_);
    for (QWidget* action : {static_cast<QWidget*>(templates_), static_cast<QWidget*>(add_task_), static_cast<QWidget*>(add_host_)}) {
        header_->addAction(action);
    }
}

QWidget* ClusterPage::buildCanvas() {
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumHeight(200);
    scroll->setFocusPolicy(Qt::NoFocus);
    canvas_ = new canvas::ClusterCanvas(themes_);
    scroll->setWidget(canvas_);
    return scroll;
}

QWidget* ClusterPage::buildRight() {
    auto* dock = new widgets::CardFrame(themes_, widgets::FrameKind::kDockRight, this);
    dock->setFixedWidth(kRightWidth);
    auto* outer = new QVBoxLayout(dock);
    outer->setContentsMargins(1, 0, 0, theme::kSpace4);
    outer->setSpacing(theme::kSpace2);
    strategy_ = new StrategyPanel(session_, themes_, dock);
    checks_ = new ClusterChecks(session_, themes_, dock);
    outer->addWidget(strategy_);
    outer->addWidget(checks_);  // beside the strategies, not behind them: what is wrong stays in sight where the dock is low
    outer->addStretch(1);
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(theme::kSpace6 - 2, 0, theme::kSpace5, 0);
    foot->setSpacing(theme::kSpace2);
    sums_ = new FactsWell(themes_, dock);
    obstacle_ = new TextLabel(themes_, TextRole::kSmall, Ink::kError, dock);
    obstacle_->setObjectName("launchObstacle");
    obstacle_->setElided(true);
    launch_ = widgets::makeButton(themes_, {.object_name = "launchButton", .icon = "play", .kind = ButtonKind::kPrimary}, dock);
    launch_->setProperty("large", true);
    foot->addWidget(sums_);
    foot->addWidget(obstacle_);
    foot->addWidget(launch_);
    outer->addLayout(foot);
    return dock;
}

void ClusterPage::connectAll() {
    connect(templates_, qOverload<int>(&QComboBox::activated), this, &ClusterPage::useTemplateAt);
    connect(add_task_, &QPushButton::clicked, this, [this] {
        fillTaskMenu();
        task_menu_->popup(add_task_->mapToGlobal(QPoint(0, add_task_->height() + 2)));
    });
    connect(add_host_, &QPushButton::clicked, this, [this] { openHosts(); });
    connect(configs_, &TfConfigPane::exportWanted, this, &Page::exportRequested);
    connect(configs_, &TfConfigPane::pasteWanted, this, [this] { openPaste(QApplication::clipboard()->text()); });
    connect(configs_, &TfConfigPane::taskChosen, this, [this](const TaskId& task) { canvas_->chooseTask(task); });
    connect(launch_, &QPushButton::clicked, &session_, [this] { session_.launcher().launch(); });
    connect(checks_, &ClusterChecks::pathWanted, this, &ClusterPage::reveal);
    connect(checks_, &ClusterChecks::explainRequested, this, &Page::explainRequested);
    connectCanvas();
    connectSession();
}

void ClusterPage::connectCanvas() {
    connect(canvas_, &canvas::ClusterCanvas::taskMoved, this, [this](const TaskId& task, const QString& host) {
        edit(tr("Move %1").arg(QString::fromStdString(toString(task))),
             [&](RunSpec& run) { moveTask(run, task, host.toStdString(), session::freeLoopbackPorts(kSparePorts)); });
        canvas_->chooseTask(task);
    });
    connect(canvas_, &canvas::ClusterCanvas::taskRemoved, this, [this](const TaskId& task) {
        edit(tr("Remove %1").arg(QString::fromStdString(toString(task))), [&](RunSpec& run) { removeTask(run, task); });
    });
    connect(canvas_, &canvas::ClusterCanvas::portTyped, this, [this](const TaskId& task, const QString& text) {
        const std::string host = engine::spec::hostOf(session_.project().spec().cluster.spec.address(task).value_or("localhost:"));
        const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
        edit(
            tr("Change the port of %1").arg(QString::fromStdString(toString(task))),
            [&](RunSpec& run) { setAddress(run, task, shown + ":" + text.trimmed().toStdString()); }, QString::fromStdString(pathOf(task)));
        const auto& all = session_.project().diagnostics();
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.path == pathOf(task); });
        canvas_->setEditorProblem(found == all.end() ? QString() : models::findingText(found->message));
    });
    connect(canvas_, &canvas::ClusterCanvas::hostTyped, this, [this](const QString&, const QString& text) {
        const auto problem = engine::spec::checkHostName(text.trimmed().toStdString(), {});
        canvas_->setEditorProblem(problem && !text.isEmpty() ? models::findingText(problem->message) : QString());
    });
    connect(canvas_, &canvas::ClusterCanvas::hostEntered, this, &ClusterPage::renameHost);
    connect(canvas_, &canvas::ClusterCanvas::hostWanted, this, [this] { openHosts(); });
    connect(canvas_, &canvas::ClusterCanvas::hostActed, this, &ClusterPage::actOnHost);
    connect(canvas_, &canvas::ClusterCanvas::hostRemoved, this, [this](const QString& host) {
        edit(tr("Remove the host %1").arg(host),
             [&](RunSpec& run) { removeHost(run, host.toStdString(), session::freeLoopbackPorts(kSparePorts)); });
    });
}

void ClusterPage::connectSession() {
    connect(&session_.project(), &session::Project::changed, this, &ClusterPage::refresh);
    connect(&session_.project(), &session::Project::datasetChanged, this, &ClusterPage::refresh);
    connect(&session_.host(), &session::Host::changed, this, &ClusterPage::refresh);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &ClusterPage::refresh);
    connect(&session_.doctor(), &session::Doctor::changed, this, &ClusterPage::refresh);
    connect(&session_.farHosts(), &session::FarHosts::listChanged, this, &ClusterPage::refresh);
    // A hundred hosts answer within a moment: one picture shows them all.
    canvas_timer_.setSingleShot(true);
    connect(&canvas_timer_, &QTimer::timeout, this, &ClusterPage::refreshCanvas);
    connect(&session_.farHosts(), &session::FarHosts::changed, this, [this] { canvas_timer_.start(0); });
    connect(&session_.host(), &session::Host::agentChanged, this, &ClusterPage::refreshAgent);
    connect(&session_.runs(), &session::Runs::currentChanged, this, [this] {
        if (session_.runs().current())
            connect(session_.runs().current(), &session::RunRecord::tasksChanged, this, &ClusterPage::refreshCanvas);
        refreshCanvas();
    });
    connect(&themes_, &theme::ThemeController::themeChanged, this, &ClusterPage::refreshCanvas);
    lost_timer_.setInterval(1000);
    connect(&lost_timer_, &QTimer::timeout, this, &ClusterPage::refreshCanvas);
}

void ClusterPage::activated() {
    session_.project().lookAtPorts();
    refresh();
    const QWidget* focus = QApplication::focusWidget();
    if (session_.project().isOpen() && (!focus || !isAncestorOf(focus)))
        canvas_->setFocus(Qt::OtherFocusReason);  // so that Ctrl+V and the arrows work at once
}

// Other computers are looked at while their cards are in sight.
void ClusterPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    session_.farHosts().setWatched(true);
}

void ClusterPage::hideEvent(QHideEvent* event) {
    session_.farHosts().setWatched(false);
    Page::hideEvent(event);
}

void ClusterPage::setNarrow(bool narrow) {
    right_->setFixedWidth(narrow ? kRightNarrow : kRightWidth);
    strategy_->setNarrow(narrow);
    configs_->setNarrow(narrow);
    header_->setNarrow(narrow);
    splitter_->setNarrow(narrow);
}

bool ClusterPage::reveal(const QString& path) {
    if (!path.startsWith("cluster") && !path.startsWith("strategy")) return false;
    for (const TaskId& task : engine::spec::allTasks(session_.project().spec().cluster.spec)) {
        if (path != QString::fromStdString(pathOf(task))) continue;
        configs_->showTask(task);
        canvas_->editPort(task);
        return true;
    }
    if (!strategy_->reveal(path)) canvas_->setFocus(Qt::OtherFocusReason);
    return true;
}

// ---- changes --------------------------------------------------------------------------------------------------------------------

void ClusterPage::edit(const QString& text, const std::function<void(RunSpec&)>& change, const QString& merge) {
    session_.project().change(text, change, merge.isEmpty() ? 0 : session::Project::mergeKey(merge));
}

void ClusterPage::useTemplateAt(int index) {
    if (index == kMostLocalWorkers) return;  // the separator
    const TemplateRow row = templateAt(index > kMostLocalWorkers ? index - 1 : index);
    edit(tr("Use the template %1").arg(templates_->itemText(index)), [&](RunSpec& run) {
        useTemplate(run, row.cluster, row.workers, session::freeLoopbackPorts(std::max(taskCount(row.cluster, row.workers), 1)));
    });
    refreshHeader();
}

void ClusterPage::addTask(const std::string& job) {
    TaskId added;
    edit(tr("Add a %1").arg(QString::fromStdString(job)), [&](RunSpec& run) {
        const int tasks = static_cast<int>(engine::spec::allTasks(run.cluster.spec).size());
        added = engine::spec::addTask(run, job, "localhost", session::freeLoopbackPorts(tasks + kSparePorts));
    });
    canvas_->chooseTask(added);
    canvas_->setFocus(Qt::OtherFocusReason);
    configs_->showTask(added);
}

void ClusterPage::fillTaskMenu() {
    task_menu_->clear();
    for (const std::string_view job : engine::spec::jobNames()) {
        const QString name = QString::fromUtf8(job.data(), static_cast<qsizetype>(job.size()));
        const std::string obstacle = addObstacle(session_.project().spec().cluster.spec, job);
        QAction* action = task_menu_->addAction(name, this, [this, job = std::string(job)] { addTask(job); });
        action->setObjectName("addTask_" + name);
        action->setEnabled(obstacle.empty());
        action->setToolTip(models::engineText(obstacle));
    }
}

void ClusterPage::renameHost(const QString& key, const QString& text) {
    if (text.isEmpty() || engine::spec::checkHostName(text.toStdString(), {})) return;
    edit(tr("Rename the host %1").arg(key), [&](RunSpec& run) { engine::spec::renameHost(run, key.toStdString(), text.toStdString()); });
}

void ClusterPage::openHosts(const QString& name) {
    if (!session_.project().isOpen() || session_.runs().hasActiveOfOwn()) return;
    auto* dialog = new HostDialog(session_, themes_);
    dialog->showHost(name);
    connect(dialog, &HostDialog::useWanted, this, [this](const QString& host) {
        edit(tr("Add the host %1").arg(host), [&](RunSpec& run) { addHost(run, host.toStdString()); });
    });
    new widgets::Veil(themes_, window(), dialog, kHostsSize);
}

// Does what the card of a host offers.
void ClusterPage::actOnHost(const QString& key) {
    session::FarHosts& hosts = session_.farHosts();
    const session::FarHost* host = hosts.reachedAs(key);
    if (!host) return openHosts(key);
    const QString name = host->entry.name;
    if (host->is_installing) return hosts.cancelInstall(name);
    const session::FarHostState state = host->state();
    const bool may = state == session::FarHostState::kNoTandem || state == session::FarHostState::kOtherVersion;
    may ? hosts.install(name) : openHosts(name);
}

void ClusterPage::paste() {
    const QString text = QApplication::clipboard()->text();
    if (!session_.project().isOpen() || session_.runs().hasActiveOfOwn() || text.trimmed().isEmpty()) return;
    const bool clean = engine::spec::readClusterText(text.toStdString()).diagnostics.empty();
    if (!clean || !PasteClusterDialog::useText(session_.project(), text)) openPaste(text);
}

// Copy takes the TF_CONFIG of all tasks, as Ctrl+Shift+C does.
bool ClusterPage::canEdit(EditVerb verb) const {
    if (!session_.project().isOpen()) return false;
    return verb == EditVerb::kPaste ? !session_.runs().hasActiveOfOwn()
                                    : verb == EditVerb::kCopy && !session_.project().spec().cluster.spec.empty();
}

void ClusterPage::edit(EditVerb verb) {
    if (verb == EditVerb::kPaste) paste();
    if (verb == EditVerb::kCopy) configs_->copyAll();
}

void ClusterPage::openPaste(const QString& text) {
    if (!session_.project().isOpen()) return;
    auto* dialog = new PasteClusterDialog(session_.project(), themes_);
    const bool cluster =
        !engine::spec::allTasks(engine::spec::readClusterText(text.toStdString()).cluster).empty() || text.contains("TF_CONFIG");
    if (cluster) dialog->setText(text);
    new widgets::Veil(themes_, window(), dialog, kPasteSize);
}

// ---- showing --------------------------------------------------------------------------------------------------------------------

void ClusterPage::retranslate() {
    header_->title().setText(tr("Cluster"));
    for (int i = 0; i < kMostLocalWorkers; ++i)
        templates_->setItemText(i, i == 0 ? tr("One task") : tr("%n local worker(s)", nullptr, i + 1));
    templates_->setItemText(kMostLocalWorkers + 1, tr("1 ps + 3 workers"));
    templates_->setItemText(kMostLocalWorkers + 2, tr("Chief, 2 workers, evaluator"));
    templates_->setPlaceholderText(tr("Own cluster"));
    templates_->setAccessibleName(tr("Template"));
    add_task_->setText(tr("Task"));
    add_task_->setAccessibleName(tr("Add a task"));
    add_host_->setText(tr("Host"));
    add_host_->setAccessibleName(tr("Add a host"));
    no_project_->retranslate();
    configs_->retranslate();
    strategy_->retranslate();
    checks_->retranslate();
    refresh();
}

void ClusterPage::refresh() {
    stack_->setCurrentIndex(session_.project().isOpen() ? 0 : 1);
    refreshHeader();
    refreshCanvas();
    configs_->refresh();
    refreshRight();
}

void ClusterPage::refreshAgent() {
    const bool lost = session_.host().agentState() == session::AgentState::kLost;
    if (lost && !lost_timer_.isActive()) {
        lost_since_.start();
        lost_timer_.start();
    } else if (session_.host().agentState() == session::AgentState::kReady) {
        lost_timer_.stop();
    }
    refresh();
}

void ClusterPage::refreshHeader() {
    const int errors = session_.project().errorCount();
    if (!session_.project().isOpen()) {
        header_->pill().setState(widgets::PillTone::kNeutral, tr("No project"), widgets::PillMark::kHollowDot);
    } else if (session_.runs().hasActiveOfOwn()) {
        header_->pill().setState(widgets::PillTone::kOk, tr("Running"));
    } else if (errors > 0) {
        header_->pill().setState(widgets::PillTone::kError, tr("%n problem(s)", nullptr, errors));
    } else if (const int warnings = session_.project().warningCount(); warnings > 0) {
        header_->pill().setState(widgets::PillTone::kWarn, tr("%n warning(s)", nullptr, warnings));
    } else {
        header_->pill().setState(widgets::PillTone::kOk, tr("Ready to launch"), widgets::PillMark::kCheck);
    }
    const auto& cluster = session_.project().spec().cluster;
    const int hosts = session::hostCount(session_.project(), session_.host());
    const int tasks = std::max(1, static_cast<int>(engine::spec::allTasks(cluster.spec).size()));
    header_->sentence().setText(!session_.project().isOpen() ? QString()
                                : hosts == 1                 ? tr("%n task(s) on this computer", nullptr, tasks)
                                                             : tr("%n task(s) on %1 hosts", nullptr, tasks).arg(hosts));
    const bool editable = session_.project().isOpen() && !session_.runs().hasActiveOfOwn();
    const QString why = session_.runs().hasActiveOfOwn() ? tr("A run is going on") : QString();
    const QSignalBlocker quiet(templates_);
    const int row = templateOf(cluster.spec);
    templates_->setCurrentIndex(row >= kMostLocalWorkers ? row + 1 : row);
    for (QWidget* widget : std::initializer_list<QWidget*>{templates_, add_task_, add_host_}) {
        widget->setEnabled(editable);
        widget->setToolTip(why);
    }
}

void ClusterPage::refreshCanvas() {
    const int lost = lost_timer_.isActive() ? static_cast<int>(lost_since_.elapsed() / 1000) : -1;
    canvas_->setPicture(clusterPicture(session_, themes_.theme(), lost));
}

void ClusterPage::refreshRight() {
    const RunSpec& run = session_.project().spec();
    const bool has_project = session_.project().isOpen();
    strategy_->refresh();
    checks_->refresh();
    const auto& plans = session_.project().taskPlans();
    const QString missing(models::kMissing);
    const std::int64_t per = run.data.batch_size_per_replica;
    const std::int64_t replicas =
        plans.empty() || per < 1 ? session::localWorkers(session_.project()) : plans.front().global_batch_size / per;
    const auto* strategy = engine::spec::findStrategy(run.strategy.name);
    const bool elsewhere = strategy != nullptr && !strategy->runs;  // where the number of replicas is known
    const std::int64_t steps = elsewhere ? 0 : session_.project().stepsPerEpoch();
    std::vector<std::pair<QString, QString>> sums;
    if (strategy != nullptr && strategy->has_servers) {
        sums.emplace_back(tr("Batch of each worker"), has_project ? models::formatCount(per) : missing);
    } else if (elsewhere) {
        sums.emplace_back(tr("Batch of each replica"), has_project ? models::formatCount(per) : missing);
    } else {
        sums.emplace_back(tr("Global batch"), has_project ? QStringLiteral("%1 × %2 = %3")
                                                                .arg(models::formatCount(per), models::formatCount(replicas),
                                                                     models::formatCount(per * replicas))
                                                          : missing);
    }
    sums.emplace_back(tr("Steps per epoch"), steps > 0 ? models::formatCount(steps) : missing);
    if (run.fit.steps > 0) {
        sums.emplace_back(tr("Steps of all workers"), models::formatCount(run.fit.steps));
    } else {
        sums.emplace_back(tr("Steps in %n epoch(s)", nullptr, static_cast<int>(run.fit.epochs)),
                          steps > 0 ? models::formatCount(steps * (run.fit.epochs - run.fit.initial_epoch)) : missing);
    }
    sums_->setFacts(std::move(sums));
    const QString why = launchObstacle(session_);
    launch_->setText(tr("Launch %n worker(s)", nullptr, session::localWorkers(session_.project())));
    launch_->setEnabled(why.isEmpty());
    launch_->setToolTip(why);
    obstacle_->setText(why);
    obstacle_->setVisible(has_project && session_.project().errorCount() > 0);
}

}  // namespace ui::views

#include "moc_cluster_page.cpp"
