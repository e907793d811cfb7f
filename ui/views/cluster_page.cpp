// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/cluster_page.h"

#include <array>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include "engine/spec/task_plan.h"
#include "ui/canvas/cluster_canvas.h"
#include "ui/models/check_list_model.h"
#include "ui/models/numbers.h"
#include "ui/models/task_list_model.h"
#include "ui/views/delegates.h"
#include "ui/views/facts_well.h"
#include "ui/views/host_checks.h"
#include "ui/views/strategy_list.h"
#include "ui/views/tf_config_card.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::launch::TfConfigFormat;
using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRightWidth = 348, kRightNarrow = 280, kMostLocalWorkers = 8, kConfigHeight = 312, kConfigMinimum = 150;
constexpr std::array kFormats{TfConfigFormat::kJson, TfConfigFormat::kBash, TfConfigFormat::kEnv, TfConfigFormat::kPowerShell};
const QStringList kCommunications{"AUTO", "RING", "NCCL"};
constexpr auto kMultiWorker = "MultiWorkerMirroredStrategy", kMirrored = "MirroredStrategy", kCentralStorage = "CentralStorageStrategy";

QString portOf(const std::string& address) {
    const auto where = engine::spec::parseHostPort(address);
    if (!where) return QString::fromStdString(address);
    const bool here = where->host.empty() || where->host == "localhost" || where->host == "127.0.0.1";
    return here ? ":" + QString::number(where->port) : QString::fromStdString(address);
}

}  // namespace

ClusterPage::ClusterPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes), checks_model_(new models::CheckListModel(this)) {
    setObjectName("clusterPage");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    header_ = new widgets::PageHeader(themes, left);
    workers_ = new QComboBox(header_);
    workers_->setObjectName("workerCount");
    export_ = widgets::makeButton(themes, {.object_name = "exportButton", .icon = "export"}, header_);
    header_->addAction(workers_);
    header_->addAction(export_);
    auto* splitter = new QSplitter(Qt::Vertical, left);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(buildCanvas());
    splitter->addWidget(buildConfigs());
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setSizes({1000, kConfigHeight});
    column->addWidget(header_);
    column->addWidget(splitter, 1);
    row->addWidget(left, 1);
    row->addWidget(right_ = buildRight());

    for (int n = 1; n <= kMostLocalWorkers; ++n) workers_->addItem(QString());
    connect(workers_, qOverload<int>(&QComboBox::activated), this, [this](int index) { session_.setLocalWorkers(index + 1); });
    connect(export_, &QPushButton::clicked, this, &Page::exportRequested);
    for (const auto signal : {&session::Session::projectChanged, &session::Session::hostChanged, &session::Session::agentChanged,
                              &session::Session::runStateChanged, &session::Session::datasetChanged}) {
        connect(&session_, signal, this, &ClusterPage::refresh);
    }
    connect(&session_, &session::Session::currentRunChanged, this, [this] {
        if (session_.currentRun()) connect(session_.currentRun(), &session::RunRecord::tasksChanged, this, &ClusterPage::refreshCanvas);
        refreshCanvas();
    });
    connect(&themes, &theme::ThemeController::themeChanged, this, &ClusterPage::refreshCanvas);
    retranslate();
}

QWidget* ClusterPage::buildCanvas() {
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumHeight(200);
    canvas_ = new canvas::ClusterCanvas(themes_);
    scroll->setWidget(canvas_);
    return scroll;
}

QWidget* ClusterPage::buildConfigs() {
    auto* box = new QWidget(this);
    box->setMinimumHeight(kConfigMinimum);
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
    copy_all_ = widgets::makeButton(themes_, {.object_name = "copyAllButton", .icon = "copy", .compact = true}, box);
    head->addWidget(config_title_);
    head->addWidget(config_sentence_, 1);
    head->addWidget(format_);
    head->addWidget(copy_all_);
    column->addLayout(head);
    auto* scroll = new QScrollArea(box);
    scroll->setWidgetResizable(true);
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    config_row_ = new QWidget(scroll);
    config_cards_layout_ = new QHBoxLayout(config_row_);
    config_cards_layout_->setContentsMargins(0, 0, 0, 0);
    config_cards_layout_->setSpacing(theme::kSpace3);
    config_empty_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, config_row_);
    config_empty_->setWordWrap(true);
    config_empty_->setAlignment(Qt::AlignCenter);
    config_cards_layout_->addWidget(config_empty_);
    scroll->setWidget(config_row_);
    column->addWidget(scroll, 1);
    connect(format_, &widgets::SegmentedControl::currentChanged, this, &ClusterPage::refreshConfigs);
    connect(copy_all_, &QPushButton::clicked, this, &ClusterPage::copyAll);
    return box;
}

QWidget* ClusterPage::buildRight() {
    auto* dock = new widgets::CardFrame(themes_, widgets::FrameKind::kDockRight, this);
    dock->setFixedWidth(kRightWidth);
    auto* column = new QVBoxLayout(dock);
    column->setContentsMargins(theme::kSpace6 - 1, theme::kSpace4, theme::kSpace5, theme::kSpace4);
    column->setSpacing(theme::kSpace2);
    strategy_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    strategies_ = new StrategyList(themes_, dock);
    column->addWidget(strategy_title_);
    column->addWidget(strategies_);
    auto* reduce = new QHBoxLayout;
    communication_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, dock);
    communication_ = new widgets::SegmentedControl(themes_, dock);
    communication_->setObjectName("communication");
    communication_->setEntries(kCommunications);
    reduce->addWidget(communication_label_);
    reduce->addStretch();
    reduce->addWidget(communication_);
    column->addLayout(reduce);
    column->addSpacing(theme::kSpace2);
    checks_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    checks_ = new QListView(dock);
    checks_->setObjectName("clusterDiagnostics");
    checks_->setModel(checks_model_);
    auto* delegate = new CheckDelegate(themes_, CheckDelegate::Density::kOneLine, checks_);
    checks_->setItemDelegate(delegate);
    checks_->setSelectionMode(QAbstractItemView::NoSelection);
    checks_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    checks_->setUniformItemSizes(true);
    column->addWidget(checks_title_);
    column->addWidget(checks_, 1);
    sums_ = new FactsWell(themes_, dock);
    column->addWidget(sums_);
    launch_ = widgets::makeButton(themes_, {.object_name = "launchButton", .icon = "play", .kind = widgets::ButtonKind::kPrimary}, dock);
    launch_->setProperty("large", true);
    column->addWidget(launch_);
    connect(strategies_, &StrategyList::chosen, this, &ClusterPage::chooseStrategy);
    connect(communication_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        session_.change(tr("Choose the all-reduce"),
                        [name = kCommunications[index]](RunSpec& run) { run.strategy.communication = name.toStdString(); });
    });
    connect(delegate, &CheckDelegate::fixClicked, &session_, [this] { session_.chooseFreePorts(); });
    connect(launch_, &QPushButton::clicked, &session_, [this] { session_.launch(); });
    return dock;
}

void ClusterPage::setNarrow(bool narrow) {
    right_->setFixedWidth(narrow ? kRightNarrow : kRightWidth);
    header_->setNarrow(narrow);
}

bool ClusterPage::reveal(const QString& path) {
    return path.startsWith("cluster") || path.startsWith("strategy");
}

TfConfigFormat ClusterPage::format() const {
    return kFormats[static_cast<std::size_t>(format_->current())];
}

void ClusterPage::chooseStrategy(const QString& name) {
    session_.change(tr("Choose the strategy"), [name, workers = session_.localWorkers()](RunSpec& run) {
        if (name != kMultiWorker && workers > 1) engine::spec::useLocalWorkers(run, {0});
        run.strategy.name = name.toStdString();
    });
    if (name == kMultiWorker && session_.localWorkers() < 2) session_.setLocalWorkers(2);
}

void ClusterPage::copyAll() {
    QStringList all;
    for (const auto& file : engine::launch::tfConfigFiles(session_.project().cluster.spec, format())) {
        all << "# " + QString::fromStdString(file.file_name) << QString::fromStdString(file.text);
    }
    QApplication::clipboard()->setText(all.join('\n'));
}

void ClusterPage::retranslate() {
    header_->title().setText(tr("Cluster"));
    for (int n = 1; n <= kMostLocalWorkers; ++n) workers_->setItemText(n - 1, tr("%n local worker(s)", nullptr, n));
    workers_->setAccessibleName(tr("Workers on this computer"));
    export_->setText(tr("Export…"));
    config_title_->setText(QStringLiteral("TF_CONFIG"));
    config_sentence_->setText(tr("one per task; only the marked line differs"));
    format_->setAccessibleName(tr("Format of TF_CONFIG"));
    copy_all_->setText(tr("Copy all"));
    strategy_title_->setText(tr("Strategy"));
    strategies_->setAccessibleName(tr("Strategy"));
    communication_label_->setText(tr("All-reduce"));
    communication_->setAccessibleName(tr("All-reduce"));
    checks_title_->setText(tr("Diagnostics"));
    checks_->setAccessibleName(tr("Diagnostics"));
    canvas_->setEmptyText(tr("Choose a template on the Welcome page (Ctrl+1) or open a project (Ctrl+O)."));
    config_empty_->setText(tr("One task needs no TF_CONFIG. Choose two or more workers above."));
    for (TfConfigCard* card : config_cards_) card->retranslate();
    refresh();
}

void ClusterPage::refresh() {
    refreshHeader();
    refreshCanvas();
    refreshConfigs();
    refreshRight();
}

void ClusterPage::refreshHeader() {
    const int errors = session_.errorCount();
    if (!session_.hasProject()) {
        header_->pill().setState(widgets::PillTone::kNeutral, tr("No project"), widgets::PillMark::kHollowDot);
    } else if (session_.hasActiveRun()) {
        header_->pill().setState(widgets::PillTone::kOk, tr("Running"));
    } else if (errors > 0) {
        header_->pill().setState(widgets::PillTone::kError, tr("%n problem(s)", nullptr, errors));
    } else {
        header_->pill().setState(widgets::PillTone::kOk, tr("Ready to launch"), widgets::PillMark::kCheck);
    }
    header_->sentence().setText(session_.hasProject() ? tr("%n task(s) on 1 host", nullptr, session_.localWorkers()) : QString());
    const QSignalBlocker quiet(workers_);
    workers_->setCurrentIndex(session_.localWorkers() - 1);
    workers_->setEnabled(session_.hasProject());
    export_->setEnabled(session_.hasProject() && !session_.project().cluster.spec.empty());
    export_->setToolTip(export_->isEnabled() ? QString() : tr("One task needs no TF_CONFIG"));
}

void ClusterPage::refreshCanvas() {
    canvas::HostCard host;
    if (!session_.hasProject()) return canvas_->setHost(std::move(host));
    const theme::Theme& t = themes_.theme();
    const RunSpec& run = session_.project();
    const auto& facts = session_.host();
    host.name = tr("This computer");
    host.address = QStringLiteral("localhost · 127.0.0.1");
    host.security = tr("loopback, token");
    host.cores = facts ? facts->cores : 0;
    host.processor = facts ? tr("%n core(s), %1", nullptr, facts->cores).arg(facts->vector_units) : QString();
    host.gpu = !facts ? QString() : facts->gpus.isEmpty() ? tr("no GPU") : facts->gpus.join(", ");
    std::vector<engine::spec::TaskId> tasks = run.cluster.spec.trainingTasks();
    if (tasks.empty()) tasks.push_back({"worker", 0});
    const int count = static_cast<int>(tasks.size());
    const auto cores = [&](int rank) {
        if (run.cluster.threads_per_task > 0) return static_cast<int>(run.cluster.threads_per_task);
        return host.cores == 0 ? 0 : std::max(1, host.cores / count + (rank < host.cores % count ? 1 : 0));
    };
    const session::RunRecord* record = session_.hasActiveRun() ? session_.currentRun() : nullptr;
    for (int rank = 0; rank < count; ++rank) {
        const auto& id = tasks[static_cast<std::size_t>(rank)];
        canvas::TaskBox box{.task = id, .address = portOf(run.cluster.spec.address(id).value_or("")), .cores = cores(rank)};
        const bool chief = count == 1 || run.cluster.spec.isChief(id);
        box.facts = {{tr("duty"), chief ? tr("chief, saves") : tr("trains")},
                     {tr("device"), QStringLiteral("CPU:0")},
                     {tr("cores"), box.cores > 0 ? tr("%1 of %2").arg(box.cores).arg(host.cores) : QString(models::kMissing)},
                     {tr("batch"), models::formatCount(run.data.batch_size_per_replica)},
                     {tr("shard"), QStringLiteral("%1 / %2").arg(rank + 1).arg(count)}};
        const auto* task = record ? record->findTask(id) : nullptr;
        box.state = task ? models::stateWord(task->state) : tr("Not started");
        box.state_filled = task && task->state != engine::spec::TaskState::kNotStarted;
        box.state_color = !box.state_filled                                                                                     ? t.text3
                          : task->state == engine::spec::TaskState::kFailed                                                     ? t.err
                          : task->state == engine::spec::TaskState::kTraining || task->state == engine::spec::TaskState::kReady ? t.ok
                                                                                                                                : t.warn;
        host.tasks.push_back(std::move(box));
    }
    if (count > 1) {
        std::int64_t parameters = 0;
        for (const auto& layer : session_.layerInfos()) parameters += layer.parameters;
        host.ring = QStringLiteral("RING");
        host.bytes = parameters > 0 ? tr("%1 a step").arg(models::formatBytes(parameters * 4)) : QString();
    }
    canvas_->setHost(std::move(host));
}

void ClusterPage::refreshConfigs() {
    const auto& cluster = session_.project().cluster.spec;
    std::vector<engine::spec::TaskId> tasks;
    for (const auto& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) tasks.push_back({job.name, index});
    }
    while (config_cards_.size() < tasks.size()) {
        config_cards_.push_back(new TfConfigCard(themes_, config_row_));
        config_cards_layout_->addWidget(config_cards_.back(), 1);
    }
    for (std::size_t i = 0; i < config_cards_.size(); ++i) {
        config_cards_[i]->setVisible(i < tasks.size());
        if (i < tasks.size()) config_cards_[i]->setConfig(cluster, tasks[i], format());
    }
    config_empty_->setVisible(tasks.empty());
    copy_all_->setEnabled(!tasks.empty());
}

void ClusterPage::refreshRight() {
    const RunSpec& run = session_.project();
    const int workers = session_.localWorkers();
    const auto& facts = session_.host();
    strategies_->setCards(
        {{kMultiWorker, tr("A full copy on every worker; gradients are summed in each step."), session_.hasProject()},
         {kMirrored, workers > 1 ? tr("One process; sets one worker") : tr("Several devices of one host"), session_.hasProject()},
         {"ParameterServerStrategy", tr("needs a ps task"), false},
         {kCentralStorage, workers > 1 ? tr("One process; sets one worker") : tr("Variables on one device, computation on all"),
          session_.hasProject()},
         {"TPUStrategy", tr("no TPU here"), false}},
        QString::fromStdString(run.strategy.name));
    const bool nccl = facts && !facts->gpus.isEmpty();
    communication_->setObstacle(2, nccl ? QString() : tr("NCCL needs an NVIDIA GPU; this computer has none"));
    {
        const QSignalBlocker quiet(communication_);
        communication_->setCurrent(static_cast<int>(kCommunications.indexOf(QString::fromStdString(run.strategy.communication))));
    }
    checks_model_->setRows(projectChecks(session_));
    const QString missing(models::kMissing);
    const std::int64_t steps = session_.stepsPerEpoch();
    const auto per = run.data.batch_size_per_replica;
    sums_->setFacts(
        {{tr("Global batch"), session_.hasProject() ? QStringLiteral("%1 × %2 = %3").arg(per).arg(workers).arg(per * workers) : missing},
         {tr("Steps per epoch"), steps > 0 ? models::formatCount(steps) : missing},
         {tr("Steps in %n epoch(s)", nullptr, static_cast<int>(run.fit.epochs)),
          steps > 0 ? models::formatCount(steps * (run.fit.epochs - run.fit.initial_epoch)) : missing}});
    const QString obstacle = session_.launchObstacle();
    launch_->setText(tr("Launch %n worker(s)", nullptr, workers));
    launch_->setEnabled(obstacle.isEmpty());
    launch_->setToolTip(obstacle);
}

}  // namespace ui::views
