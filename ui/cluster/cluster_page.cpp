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
#include <array>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/strategy_support.h"
#include "ui/canvas/cluster_canvas.h"
#include "ui/cluster/cluster_rows.h"
#include "ui/cluster/link_matrix.h"
#include "ui/cluster/paste_cluster_dialog.h"
#include "ui/cluster/strategy_form.h"
#include "ui/cluster/strategy_list.h"
#include "ui/cluster/tf_config_row.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/parts/facts_well.h"
#include "ui/parts/finding_list.h"
#include "ui/parts/no_project.h"
#include "ui/session/host/doctor.h"
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
#include "ui/widgets/fit_scroll.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/veil.h"

namespace ui::views {

using engine::launch::TfConfigFormat;
using engine::spec::ClusterTemplate;
using engine::spec::RunSpec;
using engine::spec::TaskId;
using theme::TextRole;
using widgets::ButtonKind;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRightWidth = 348, kRightNarrow = 280, kMostLocalWorkers = 8, kConfigHeight = 312, kConfigNarrow = 212, kConfigMinimum = 150,
              kMatrixWidth = 268;
constexpr int kTemplateWidth = 210, kSparePorts = 8;
constexpr int kLeastStrategies = 160, kLeastChecks = 104;  // what stays in sight where the dock is low
constexpr QSize kPasteSize(760, 600);
constexpr std::array kFormats{TfConfigFormat::kJson, TfConfigFormat::kBash, TfConfigFormat::kEnv, TfConfigFormat::kPowerShell};
const QStringList kCommunications{"AUTO", "RING", "NCCL"};

struct TemplateRow {
    ClusterTemplate cluster;
    int workers;
};
// One to eight local workers, then the two with other jobs.
TemplateRow templateAt(int index) {
    if (index == 0) return {ClusterTemplate::kOneTask, 1};
    if (index < kMostLocalWorkers) return {ClusterTemplate::kWorkers, index + 1};
    return {index == kMostLocalWorkers ? ClusterTemplate::kParameterServer : ClusterTemplate::kChiefWorkersEvaluator, 0};
}

// The template that the cluster has the jobs of, all on this computer; -1 for none.
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

// What works with a strategy, a way to train a line.
QString supportOf(const std::string& strategy) {
    const auto* row = engine::spec::findSupport(strategy);
    QStringList lines;
    for (int api = 0; row && api < engine::spec::kTrainingApis; ++api) {
        lines << models::engineText(supportText(*row, static_cast<engine::spec::TrainingApi>(api)));
    }
    return lines.join('\n');
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
    splitter_->addWidget(buildConfigs());
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
    onKeys({QKeySequence("Ctrl+Shift+C")}, [this] { copyAll(); });
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

QWidget* ClusterPage::buildConfigs() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(theme::kSpace6, theme::kSpace4, theme::kSpace5, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kSpace2);
    config_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, box);
    config_sentence_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, box);
    config_sentence_->setElided(true);
    format_ = new widgets::SegmentedControl(themes_, box);
    format_->setObjectName("configFormat");
    format_->setEntries({"JSON", "bash", ".env", "PowerShell"});
    paste_ = widgets::makeButton(themes_, {.object_name = "pasteButton", .icon = "", .compact = true}, box);
    copy_all_ = widgets::makeButton(themes_, {.object_name = "copyAllButton", .icon = "copy", .compact = true}, box);
    export_ = widgets::makeButton(themes_, {.object_name = "exportButton", .icon = "export", .compact = true}, box);
    head->addWidget(config_title_);
    head->addWidget(config_sentence_, 1);
    head->addWidget(format_);
    for (QPushButton* button : {paste_, copy_all_, export_}) head->addWidget(button);
    column->addLayout(head);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace3);
    configs_ = new TfConfigRow(themes_, box);
    matrix_ = new LinkMatrix(themes_, box);
    matrix_->setFixedWidth(kMatrixWidth);
    row->addWidget(configs_, 1);
    row->addWidget(matrix_);
    column->addLayout(row, 1);
    return box;
}

// Beside the strategies, not behind them: what is wrong stays in sight where the dock is low.
void ClusterPage::buildChecks(QWidget* dock, QVBoxLayout* outer) {
    auto* head = new QHBoxLayout;
    head->setContentsMargins(theme::kSpace6 - 2, 0, theme::kSpace5, 0);
    checks_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    doctor_ =
        widgets::makeButton(themes_, {.object_name = "runDoctor", .icon = "refresh", .kind = ButtonKind::kGhost, .compact = true}, dock);
    head->addWidget(checks_title_);
    head->addStretch();
    head->addWidget(doctor_);
    auto* scroll = new widgets::FitScroll(kLeastChecks, dock);
    scroll->setObjectName("clusterChecks");
    auto* body = new QWidget(scroll);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(theme::kSpace6 - 2, 0, theme::kSpace5, 0);
    checks_ = new FindingList(themes_, body);
    checks_->setObjectName("clusterDiagnostics");
    column->addWidget(checks_);
    scroll->setWidget(body);
    body->setAutoFillBackground(false);
    connect(checks_->selectionModel(), &QItemSelectionModel::currentChanged, scroll, [this, scroll](const QModelIndex& current) {
        const QRect row = checks_->visualRect(current);
        scroll->ensureVisible(row.center().x(), row.center().y(), 0, row.height() / 2 + 1);
    });
    outer->addLayout(head);
    outer->addWidget(scroll);
}

QWidget* ClusterPage::buildRight() {
    auto* dock = new widgets::CardFrame(themes_, widgets::FrameKind::kDockRight, this);
    dock->setFixedWidth(kRightWidth);
    auto* outer = new QVBoxLayout(dock);
    outer->setContentsMargins(1, 0, 0, theme::kSpace4);
    outer->setSpacing(theme::kSpace2);
    auto* scroll = new widgets::FitScroll(kLeastStrategies, dock);
    scroll->setObjectName("clusterDock");
    auto* body = new QWidget(scroll);
    body->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(theme::kSpace6 - 2, theme::kSpace4, theme::kSpace5, theme::kSpace2);
    column->setSpacing(theme::kSpace2);
    auto* head = new QHBoxLayout;
    strategy_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, body);
    options_ = widgets::makeButton(
        themes_, {.object_name = "strategyOptions", .icon = "settings", .kind = ButtonKind::kGhost, .compact = true}, body);
    options_->setCheckable(true);
    head->addWidget(strategy_title_);
    head->addStretch();
    head->addWidget(options_);
    strategies_ = new StrategyList(themes_, body);
    limit_ = new TextLabel(themes_, TextRole::kSmall, Ink::kWarn, body);
    limit_->setObjectName("strategyLimit");
    limit_->setWordWrap(true);
    form_ = new StrategyForm(session_.project(), themes_, body);
    form_->hide();
    support_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body);
    support_->setObjectName("strategySupport");
    support_->setWordWrap(true);
    support_->hide();
    auto* reduce = new QHBoxLayout;  // below what scrolls: however much the doctor tells, it is there
    reduce->setContentsMargins(theme::kSpace6 - 2, 0, theme::kSpace5, 0);
    communication_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, dock);
    communication_label_->setElided(true);
    communication_ = new widgets::SegmentedControl(themes_, dock);
    communication_->setObjectName("communication");
    communication_->setEntries(kCommunications);
    reduce->addWidget(communication_label_, 1);
    reduce->addWidget(communication_);
    column->addLayout(head);
    column->addWidget(strategies_);
    column->addWidget(limit_);
    column->addWidget(form_);
    column->addWidget(support_);
    scroll->setWidget(body);
    body->setAutoFillBackground(false);  // setWidget turned it on: the dock is the ground
    outer->addWidget(scroll);
    outer->addLayout(reduce);
    buildChecks(dock, outer);
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
    connect(add_host_, &QPushButton::clicked, this, [this] { canvas_->editHost({}); });
    connect(export_, &QPushButton::clicked, this, &Page::exportRequested);
    connect(paste_, &QPushButton::clicked, this, [this] { openPaste(QApplication::clipboard()->text()); });
    connect(copy_all_, &QPushButton::clicked, this, &ClusterPage::copyAll);
    connect(format_, &widgets::SegmentedControl::currentChanged, this, &ClusterPage::refreshConfigs);
    connect(configs_, &TfConfigRow::taskChosen, this, [this](const TaskId& task) { canvas_->chooseTask(task); });
    connect(options_, &QPushButton::toggled, form_, &QWidget::setVisible);
    connect(options_, &QPushButton::toggled, support_, &QWidget::setVisible);
    connect(doctor_, &QPushButton::clicked, &session_.doctor(), &session::Doctor::call);
    connect(launch_, &QPushButton::clicked, &session_, [this] { session_.launcher().launch(); });
    connect(strategies_, &StrategyList::chosen, this, [this](const QString& name) {
        edit(tr("Choose the strategy"),
             [&](RunSpec& run) { chooseStrategy(run, name.toStdString(), session::freeLoopbackPorts(kSparePorts)); });
    });
    connect(communication_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        edit(tr("Choose the all-reduce"), [&](RunSpec& run) { run.strategy.communication = kCommunications[index].toStdString(); });
    });
    connect(checks_, &FindingList::fixWanted, this, &ClusterPage::mend);
    connect(checks_, &FindingList::pathWanted, this, [this](const QString& path) { reveal(path); });
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
    connect(canvas_, &canvas::ClusterCanvas::hostEntered, this, &ClusterPage::enterHost);
    connect(canvas_, &canvas::ClusterCanvas::hostRemoved, this, [this](const QString& host) {
        edit(tr("Remove the host %1").arg(host),
             [&](RunSpec& run) { removeHost(run, host.toStdString(), session::freeLoopbackPorts(kSparePorts)); });
    });
    connect(&session_.project(), &session::Project::changed, this, &ClusterPage::refresh);
    connect(&session_.project(), &session::Project::datasetChanged, this, &ClusterPage::refresh);
    connect(&session_.host(), &session::Host::changed, this, &ClusterPage::refresh);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &ClusterPage::refresh);
    connect(&session_.doctor(), &session::Doctor::changed, this, &ClusterPage::refresh);
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

void ClusterPage::setNarrow(bool narrow) {
    right_->setFixedWidth(narrow ? kRightNarrow : kRightWidth);
    matrix_->setVisible(!narrow);
    narrow_ = narrow;
    // The narrow dock scrolls: its bar takes room from the margin.
    right_->findChild<QScrollArea*>("clusterDock")
        ->widget()
        ->layout()
        ->setContentsMargins(theme::kSpace6 - 2, theme::kSpace4, narrow ? theme::kSpace1 : theme::kSpace5, theme::kSpace2);
    config_sentence_->setText(narrow ? QString() : tr("one per task; only the marked line differs"));
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
    if (form_->hasField(path)) {
        options_->setChecked(true);
        form_->focusField(path);
    } else if (path.startsWith("strategy.communication")) {
        communication_->setFocus(Qt::OtherFocusReason);
    } else {
        (path.startsWith("strategy") ? static_cast<QWidget*>(strategies_) : canvas_)->setFocus(Qt::OtherFocusReason);
    }
    return true;
}

TfConfigFormat ClusterPage::format() const {
    return kFormats[static_cast<std::size_t>(format_->current())];
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

void ClusterPage::enterHost(const QString& key, const QString& text) {
    if (text.isEmpty() || engine::spec::checkHostName(text.toStdString(), {})) return;
    if (key.isEmpty()) {
        edit(tr("Add the host %1").arg(text), [&](RunSpec& run) { addHost(run, text.toStdString()); });
    } else {
        edit(tr("Rename the host %1").arg(key), [&](RunSpec& run) { renameHost(run, key.toStdString(), text.toStdString()); });
    }
}

void ClusterPage::mend(int row) {
    if (row >= 0 && row < static_cast<int>(findings_.size()))
        session::repair(session_.project(), session_.host(), findings_[static_cast<std::size_t>(row)]);
}

void ClusterPage::copyAll() {
    QStringList all;
    for (const auto& file : engine::launch::tfConfigFiles(session_.project().spec().cluster.spec, format())) {
        all << "# " + QString::fromStdString(file.file_name) << QString::fromStdString(file.text);
    }
    if (!all.isEmpty()) QApplication::clipboard()->setText(all.join('\n'));
}

void ClusterPage::paste() {
    const QString text = QApplication::clipboard()->text();
    if (!session_.project().isOpen() || session_.runs().hasActive() || text.trimmed().isEmpty()) return;
    const bool clean = engine::spec::readClusterText(text.toStdString()).diagnostics.empty();
    if (!clean || !PasteClusterDialog::useText(session_.project(), text)) openPaste(text);
}

// Copy takes the TF_CONFIG of all tasks, as Ctrl+Shift+C does.
bool ClusterPage::canEdit(EditVerb verb) const {
    if (!session_.project().isOpen()) return false;
    return verb == EditVerb::kPaste ? !session_.runs().hasActive()
                                    : verb == EditVerb::kCopy && !session_.project().spec().cluster.spec.empty();
}

void ClusterPage::edit(EditVerb verb) {
    if (verb == EditVerb::kPaste) paste();
    if (verb == EditVerb::kCopy) copyAll();
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
    export_->setText(tr("Export…"));
    paste_->setText(tr("Paste yours"));
    paste_->setToolTip(tr("TF_CONFIG, hostfile or Slurm's variables (Ctrl+V)"));
    config_title_->setText(QStringLiteral("TF_CONFIG"));
    config_sentence_->setText(narrow_ ? QString() : tr("one per task; only the marked line differs"));
    format_->setAccessibleName(tr("Format of TF_CONFIG"));
    copy_all_->setText(tr("Copy all"));
    copy_all_->setToolTip(tr("TF_CONFIG of every task (Ctrl+Shift+C)"));
    strategy_title_->setText(tr("Strategy"));
    strategies_->setAccessibleName(tr("Strategy"));
    options_->setText(tr("Options"));
    communication_label_->setText(tr("All-reduce"));
    communication_->setAccessibleName(tr("All-reduce"));
    checks_title_->setText(tr("Diagnostics"));
    checks_->setAccessibleName(tr("Diagnostics"));
    doctor_->setText(tr("Run doctor"));
    no_project_->retranslate();
    configs_->retranslate();
    form_->retranslate();
    refresh();
}

void ClusterPage::refresh() {
    stack_->setCurrentIndex(session_.project().isOpen() ? 0 : 1);
    refreshHeader();
    refreshCanvas();
    refreshConfigs();
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
    } else if (session_.runs().hasActive()) {
        header_->pill().setState(widgets::PillTone::kOk, tr("Running"));
    } else if (errors > 0) {
        header_->pill().setState(widgets::PillTone::kError, tr("%n problem(s)", nullptr, errors));
    } else if (const int warnings = session_.project().warningCount(); warnings > 0) {
        header_->pill().setState(widgets::PillTone::kWarn, tr("%n warning(s)", nullptr, warnings));
    } else {
        header_->pill().setState(widgets::PillTone::kOk, tr("Ready to launch"), widgets::PillMark::kCheck);
    }
    const auto& cluster = session_.project().spec().cluster;
    const int hosts =
        static_cast<int>(hostsOf(cluster, [this](const std::string& name) { return session_.host().isThisComputer(name); }).size());
    const int tasks = std::max(1, static_cast<int>(engine::spec::allTasks(cluster.spec).size()));
    header_->sentence().setText(!session_.project().isOpen() ? QString()
                                : hosts == 1                 ? tr("%n task(s) on this computer", nullptr, tasks)
                                                             : tr("%n task(s) on %1 hosts", nullptr, tasks).arg(hosts));
    const bool editable = session_.project().isOpen() && !session_.runs().hasActive();
    const QString why = session_.runs().hasActive() ? tr("A run is going on") : QString();
    const QSignalBlocker quiet(templates_);
    const int row = templateOf(cluster.spec);
    templates_->setCurrentIndex(row >= kMostLocalWorkers ? row + 1 : row);
    for (QWidget* widget : {static_cast<QWidget*>(templates_), static_cast<QWidget*>(add_task_), static_cast<QWidget*>(add_host_),
                            static_cast<QWidget*>(paste_)}) {
        widget->setEnabled(editable);
        if (widget != paste_) widget->setToolTip(why);
    }
    export_->setEnabled(session_.project().isOpen() && !cluster.spec.empty());
    export_->setToolTip(export_->isEnabled() ? QString() : tr("One task needs no TF_CONFIG"));
}

void ClusterPage::refreshCanvas() {
    const int lost = lost_timer_.isActive() ? static_cast<int>(lost_since_.elapsed() / 1000) : -1;
    canvas_->setPicture(clusterPicture(session_, themes_.theme(), lost));
}

void ClusterPage::refreshConfigs() {
    const auto& cluster = session_.project().spec().cluster.spec;
    configs_->setConfigs(cluster, format());
    copy_all_->setEnabled(!cluster.empty());
    const auto& report = session_.doctor().report();
    matrix_->setLinks(session_.doctor().isLooking() ? LinkMatrix::State::kProbing
                      : report                      ? LinkMatrix::State::kMeasured
                                                    : LinkMatrix::State::kNothing,
                      cluster.trainingTasks(), report ? report->links : std::vector<engine::spec::DoctorLink>());
}

void ClusterPage::refreshRight() {
    const RunSpec& run = session_.project().spec();
    const bool has_project = session_.project().isOpen(), editable = has_project && !session_.runs().hasActive();
    std::vector<StrategyCard> cards;
    QString limit;
    support_->setText(has_project ? supportOf(run.strategy.name) : QString());
    for (const auto& option : strategyOptions(run)) {
        const QString name = QString::fromStdString(option.name);
        if (option.name == run.strategy.name && has_project) limit = models::engineText(option.limit);
        cards.push_back({name, models::engineText(option.obstacle.empty() ? option.sentence : option.obstacle),
                         editable && option.obstacle.empty(), supportOf(option.name)});
    }
    strategies_->setCards(std::move(cards), has_project ? QString::fromStdString(run.strategy.name) : QString());
    limit_->setText(limit);
    limit_->setVisible(!limit.isEmpty());
    options_->setEnabled(has_project);
    form_->setEnabled(editable);
    form_->refresh();
    engine::spec::GpuInventory gpus;
    if (session_.host().info()) gpus = session_.host().info()->gpus;
    const bool sums = run.strategy.name == "MultiWorkerMirroredStrategy";
    for (int i = 0; i < kCommunications.size(); ++i) {
        const std::string obstacle = engine::spec::communicationObstacle(kCommunications[i].toStdString(), run, gpus);
        communication_->setObstacle(i, models::engineText(obstacle));
    }
    {
        const QSignalBlocker quiet(communication_);
        communication_->setCurrent(static_cast<int>(kCommunications.indexOf(QString::fromStdString(run.strategy.communication))));
    }
    communication_->setVisible(sums);
    communication_label_->setVisible(sums);
    refreshChecks();
    const auto plans = session_.project().taskPlans();
    const QString missing(models::kMissing);
    const std::int64_t steps = session_.project().stepsPerEpoch(), per = run.data.batch_size_per_replica;
    const std::int64_t replicas =
        plans.empty() || per < 1 ? session::localWorkers(session_.project()) : plans.front().global_batch_size / per;
    sums_->setFacts({{tr("Global batch"),
                      has_project ? QStringLiteral("%1 × %2 = %3")
                                        .arg(models::formatCount(per), models::formatCount(replicas), models::formatCount(per * replicas))
                                  : missing},
                     {tr("Steps per epoch"), steps > 0 ? models::formatCount(steps) : missing},
                     {tr("Steps in %n epoch(s)", nullptr, static_cast<int>(run.fit.epochs)),
                      steps > 0 ? models::formatCount(steps * (run.fit.epochs - run.fit.initial_epoch)) : missing}});
    const QString obstacle = session_.launcher().obstacle();
    const auto& all = session_.project().diagnostics();
    const auto first = std::find_if(all.begin(), all.end(), [](const auto& d) { return d.severity == engine::spec::Severity::kError; });
    const QString why = first == all.end() ? obstacle : obstacle + ": " + models::findingText(first->message);
    launch_->setText(tr("Launch %n worker(s)", nullptr, session::localWorkers(session_.project())));
    launch_->setEnabled(obstacle.isEmpty());
    launch_->setToolTip(why);
    obstacle_->setText(why);
    obstacle_->setVisible(has_project && first != all.end());
}

void ClusterPage::refreshChecks() {
    std::vector<models::CheckRow> rows;
    findings_.clear();
    for (Finding& finding : clusterFindings(session_)) {
        rows.push_back(std::move(finding.row));
        findings_.push_back(std::move(finding.diagnostic));
    }
    if (session_.doctor().isLooking()) {
        rows.insert(rows.begin(), {models::CheckState::kPending, tr("The doctor is looking…")});
        findings_.insert(findings_.begin(), engine::spec::Diagnostic{});
    }
    checks_->setRows(std::move(rows));
    const bool ready = session_.project().isOpen() && session_.host().agentState() == session::AgentState::kReady;
    doctor_->setEnabled(ready && !session_.doctor().isLooking());
    doctor_->setToolTip(ready ? tr("Ports, hosts, versions, memory, disk, data, clock; latency and bandwidth between the tasks")
                              : tr("The agent does not answer"));
}

}  // namespace ui::views
