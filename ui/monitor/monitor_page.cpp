// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/spec/cluster/task_plan.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/models/numbers.h"
#include "ui/monitor/failure_timeline.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_dock.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/monitor/monitor_progress.h"
#include "ui/monitor/monitor_states.h"
#include "ui/monitor/monitor_tools.h"
#include "ui/parts/commands_pane.h"
#include "ui/parts/host_checks.h"
#include "ui/session/error_text.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::RunRecord;
using session::RunState;
using theme::TextRole;
using widgets::Ink;
using widgets::PillMark;
using widgets::PillTone;
using widgets::TextLabel;

namespace {

constexpr int kClockMs = 250, kDockWide = 312, kDockNarrow = 260, kDockLeast = 240, kDockMost = 420;
constexpr double kWaitingAfterS = 1;
constexpr double kZoomSteps = 200;
constexpr auto kChartsKey = "monitor/charts";

// A task that ended by itself behind the first failure only noticed it, and can go on.
bool isLost(const RunRecord& run, const session::TaskRecord& task) {
    return task.failure && (task.failure->exit_code < 0 || &task == run.firstFailure());
}

int leftTasks(const RunRecord& run) {
    return static_cast<int>(std::count_if(run.tasks().begin(), run.tasks().end(), [&](const auto& task) { return !isLost(run, task); }));
}

// Where a checkpoint of the run lies: it need not be the folder of that name.
QString folderOf(const session::RunRecord& run, const QString& checkpoint) {
    return QFileInfo(run.summary().run_dir + QLatin1Char('/') + checkpoint).path();
}

}  // namespace

MonitorPage::MonitorPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes) {
    setObjectName(QStringLiteral("monitorPage"));
    setFocusPolicy(Qt::ClickFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHeader());
    stack_ = new QStackedWidget(this);
    empty_ = new EmptyMonitor(session, themes, stack_);
    stack_->addWidget(empty_);
    stack_->addWidget(buildRunView());
    layout->addWidget(stack_, 1);
    connectSession();
    connectStates();
    if (session_.settings() != nullptr) charts_->setAddedCharts(session_.settings()->value(kChartsKey).toStringList());
    retranslate();
    adoptRun();
}

QWidget* MonitorPage::buildHeader() {
    auto* header = new QWidget(this);
    header->setFixedHeight(theme::kPageHeaderHeight);
    title_ = named(new TextLabel(themes_, TextRole::kTitle, Ink::kText, header), "monitorTitle");
    title_->setElided(true);  // a long name gives way to the controls
    pill_ = named(new widgets::StatusPill(themes_, header), "monitorState");
    secondary_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, header);
    secondary_->setElided(true);
    pause_ = named(new QPushButton(header), "monitorPause");
    step_ = named(new QPushButton(header), "monitorStep");
    stop_ = named(new QPushButton(header), "monitorStop", "danger");
    again_ = named(new QPushButton(header), "monitorAgain", "primary");
    restart_ = named(new QPushButton(header), "monitorRestart", "primary");
    fewer_ = named(new QPushButton(header), "monitorFewer");
    more_ = named(new QToolButton(header), "monitorMore", "ghost");
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setIcon(themes_.icon(QStringLiteral("more")));
    more_->setMenu(new QMenu(more_));
    restart_->setIcon(themes_.icon(QStringLiteral("refresh"), theme::IconTone::kOnAccent));
    apply_ = named(new QPushButton(header), "monitorApplyRate");
    rate_ = named(new QLineEdit(header), "monitorRate");
    rate_->setFont(themes_.font(TextRole::kMonoField));
    rate_->setFixedWidth(84);
    rate_label_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, header);
    rate_label_->setBuddy(rate_);
    step_->setIcon(themes_.icon(QStringLiteral("step")));
    stop_->setIcon(themes_.icon(QStringLiteral("stop"), theme::IconTone::kError));
    again_->setIcon(themes_.icon(QStringLiteral("refresh"), theme::IconTone::kOnAccent));

    rate_divider_ = divider(header);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(theme::kSpace6, 0, theme::kSpace5, 0);
    layout->setSpacing(theme::kSpace3);
    run_dot_ = new QWidget(header);
    run_dot_->setFixedWidth(12);
    layout->addWidget(run_dot_);
    layout->addWidget(title_);
    layout->addWidget(pill_);
    layout->addWidget(secondary_, 100);
    layout->addStretch(1);  // keeps the actions at the right where the sentence goes
    // All in one layout: a group with its own would have its new sizes an event later, and be cut until then.
    for (QWidget* part :
         std::initializer_list<QWidget*>{restart_, fewer_, again_, pause_, step_, stop_, rate_divider_, rate_label_, rate_, apply_, more_})
        layout->addWidget(part);

    connect(pause_, &QPushButton::clicked, this, &MonitorPage::handleSpace);
    connect(step_, &QPushButton::clicked, &session_.runs(), &session::Runs::stepOnce);
    connect(stop_, &QPushButton::clicked, &session_.runs(), &session::Runs::stop);
    connect(again_, &QPushButton::clicked, &session_.launcher(), &session::Launcher::launchAgain);
    connect(restart_, &QPushButton::clicked, &session_.launcher(), &session::Launcher::restartFromBackup);
    connect(fewer_, &QPushButton::clicked, this, &MonitorPage::continueWithFewer);
    connect(more_->menu(), &QMenu::aboutToShow, this, &MonitorPage::fillMoreMenu);
    connect(apply_, &QPushButton::clicked, this, &MonitorPage::applyRate);
    connect(rate_, &QLineEdit::returnPressed, this, &MonitorPage::applyRate);
    connect(rate_, &QLineEdit::textEdited, this, [this] {
        rate_->setModified(true);
        refreshControls();
    });
    return header;
}

QWidget* MonitorPage::buildRunView() {
    splitter_ = new widgets::DockSplitter(Qt::Horizontal, QStringLiteral("monitorSplitter"), this);
    auto* left = new QWidget(splitter_);
    waiting_ = new WaitingCard(themes_, left);
    failure_ = new FailureCard(themes_, left);
    timeline_ = new FailureTimeline(themes_, left);
    banner_ = new AgentBanner(themes_, left);
    chart_area_ = named(new QScrollArea(left), "monitorChartArea");
    chart_area_->setFrameShape(QFrame::NoFrame);
    chart_area_->setWidgetResizable(true);
    chart_area_->setFocusPolicy(Qt::NoFocus);
    chart_area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart_area_->viewport()->setAutoFillBackground(false);
    charts_ = new MonitorCharts(themes_, chart_area_);
    chart_area_->setWidget(charts_);
    charts_->setAutoFillBackground(false);
    progress_ = new MonitorProgress(themes_, left);
    tools_ = new MonitorTools(*charts_, themes_, left);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(theme::kSpace6, 0, theme::kSpace5, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    column->addWidget(banner_);
    column->addWidget(progress_);
    column->addWidget(tools_);
    column->addWidget(waiting_);
    column->addWidget(failure_);
    column->addWidget(timeline_);
    column->addWidget(chart_area_, 1);
    dock_ = new MonitorDock(themes_, splitter_);
    splitter_->setDock(1, {.wide = kDockWide, .narrow = kDockNarrow, .least = kDockLeast, .most = kDockMost});
    return splitter_;
}

void MonitorPage::connectSession() {
    using session::Session;
    connect(&session_.runs(), &session::Runs::currentChanged, this, &MonitorPage::adoptRun);
    connect(&session_.host(), &session::Host::changed, this, &MonitorPage::adoptHost);
    charts_->setHost(&session_.host().history());
    connect(&session_.project(), &session::Project::changed, this, &MonitorPage::refreshControls);
    connect(empty_, &EmptyMonitor::templateWanted, this, [this] { emit modeRequested(Mode::kWelcome); });
    connect(empty_, &EmptyMonitor::modelWanted, this, [this] { emit modeRequested(Mode::kModel); });
    connect(empty_, &EmptyMonitor::dataWanted, this, [this] { emit modeRequested(Mode::kData); });
    connect(empty_, &EmptyMonitor::clusterWanted, this, [this] { emit modeRequested(Mode::kCluster); });
    connect(waiting_, &WaitingCard::logWanted, this, [this] { emit paneRequested(2); });
    connect(failure_, &FailureCard::logWanted, this, &MonitorPage::taskLogRequested);
    connect(dock_, &MonitorDock::taskActivated, this, [this](const engine::spec::TaskId& task) { emit taskLogRequested(task, -1); });

    connect(tools_, &MonitorTools::exportWanted, this, &MonitorPage::exportRequested);
    connect(&charts_->group(), &charts::ChartGroup::followChanged, this, &MonitorPage::refreshControls);
    connect(&clock_, &QTimer::timeout, this, &MonitorPage::refresh);
    clock_.setInterval(kClockMs);
}

void MonitorPage::connectStates() {
    connect(&session_.host(), &session::Host::agentChanged, this, &MonitorPage::refresh);
    connect(waiting_, &WaitingCard::startWanted, this, &MonitorPage::copyStartCommand);
    connect(waiting_, &WaitingCard::goOnWanted, this, &MonitorPage::goOnWithoutTheMissing);
    connect(waiting_, &WaitingCard::waitLongerWanted, this,
            [this] { session_.launcher().relaunch([](engine::spec::RunSpec& run) { run.cluster.start_timeout_s *= 2; }); });
    connect(dock_, &MonitorDock::folderWanted, this, [this] {
        if (run_ == nullptr) return;
        const auto& saved = run_->checkpoints();
        openFolder(folderOf(*run_, saved.empty() ? QStringLiteral("checkpoints/") : QString::fromStdString(saved.back().saved.prefix)));
    });
    connect(charts_, &MonitorCharts::markerActivated, this, &MonitorPage::showMarker);
    connect(charts_, &MonitorCharts::addedChartsChanged, this, [this] {
        if (session_.settings() != nullptr) session_.settings()->setValue(kChartsKey, charts_->addedCharts());
    });
    connect(charts_, &MonitorCharts::chartMenuOpening, this, [this](charts::ChartCard* card, QMenu* menu) {
        menu->addAction(tr("Export…\tCtrl+E"), this, [this, card] {
            card->setFocus(Qt::OtherFocusReason);
            emit exportRequested();
        });
    });
}

void MonitorPage::fillMoreMenu() {
    QMenu* menu = more_->menu();
    menu->clear();
    const bool active = run_ != nullptr && isActive(run_->state());
    const bool stepping = active && run_->lastStep() > 0;
    QAction* checkpoint = menu->addAction(tr("Save a checkpoint now"), &session_.runs(), &session::Runs::checkpointNow);
    checkpoint->setEnabled(stepping);
    menu->addSeparator();
    menu->addAction(tr("Stop after this step, with a checkpoint\tShift+F5"), &session_.runs(), &session::Runs::stop)->setEnabled(active);
    menu->addAction(tr("Stop now, without a checkpoint"), &session_.runs(), &session::Runs::stopNow)->setEnabled(active);
    menu->addSeparator();
    menu->addAction(tr("Open the run's folder"), this, [this] { openFolder(run_->summary().run_dir); })->setEnabled(run_ != nullptr);
    menu->addAction(tr("Open as project"), this, [this] { emit projectOfRunRequested(run_->id()); })->setEnabled(run_ != nullptr);
    menu->addAction(tr("Copy the run's id"), this, [this] { QApplication::clipboard()->setText(run_->id()); })->setEnabled(run_ != nullptr);
}

// Who, when and why of a mark, and where to go from there.
void MonitorPage::showMarker(const charts::Marker& marker, QPoint global) {
    if (run_ == nullptr) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("markerMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QStringList lines = marker.tooltip.split(QLatin1Char('\n'));
    if (!marker.label.isEmpty()) lines.prepend(marker.label);
    for (const QString& line : lines) menu->addAction(line)->setEnabled(false);
    menu->addSeparator();
    const double seconds = run_->secondsSinceCreation(marker.time_unix_ns);
    const bool failure = marker.kind == charts::Marker::Kind::kFailure;
    engine::spec::TaskId task = run_->tasks().front().id;
    for (const auto& one : run_->tasks()) {
        if (failure && QString::fromStdString(engine::spec::toString(one.id)) == marker.subject) task = one.id;
    }
    menu->addAction(tr("Open the log at this second"), this, [this, task, seconds] { emit taskLogRequested(task, seconds - 0.05); });
    const auto around = static_cast<double>(marker.step);
    QAction* zoom = menu->addAction(tr("Show the steps around it"), this, [this, around] {
        charts_->group().setXAxis(models::XAxis::kStep);
        charts_->group().zoomTo({std::max(0.0, around - kZoomSteps), around + kZoomSteps});
    });
    zoom->setEnabled(marker.step > 0);
    const bool checkpoint = marker.kind == charts::Marker::Kind::kCheckpoint || marker.kind == charts::Marker::Kind::kBestCheckpoint;
    if (checkpoint) {
        menu->addAction(tr("Open its folder"), this, [folder = folderOf(*run_, marker.subject)] { openFolder(folder); });
    }
    menu->popup(global);
}

QString MonitorPage::startObstacle() const {
    const auto missing = run_->missingTasks();
    if (run_->run().cluster.spec.empty()) return tr("The agent starts it: one task has no TF_CONFIG");
    return missing.empty() ? tr("Every task is there") : QString();
}

QString MonitorPage::goOnObstacle() const {
    const auto missing = run_->missingTasks();
    if (missing.empty()) return tr("Every task is there");
    if (missing.size() >= run_->tasks().size()) return tr("No task is there yet");
    const bool workers_only =
        std::all_of(run_->tasks().begin(), run_->tasks().end(), [](const auto& task) { return task.id.type == "worker"; });
    return workers_only ? QString() : tr("Chief, parameter servers and evaluator can't be left out");
}

// Nothing was trained yet: a launch of the workers that are there is the same as going on with them.
void MonitorPage::goOnWithoutTheMissing() {
    if (run_ == nullptr || !goOnObstacle().isEmpty()) return;
    std::vector<int> ports;
    const auto missing = run_->missingTasks();
    for (const auto& task : run_->tasks()) {
        if (std::find(missing.begin(), missing.end(), &task) != missing.end()) continue;
        const auto address = engine::spec::parseHostPort(task.address);
        ports.push_back(address ? address->port : 0);
    }
    session_.launcher().relaunch([ports](engine::spec::RunSpec& run) { engine::spec::useLocalWorkers(run, ports); });
}

void MonitorPage::copyStartCommand() {
    if (run_ == nullptr) return;
    QStringList lines;
    for (const session::TaskRecord* task : run_->missingTasks()) {
        const QString config = QString::fromStdString(engine::spec::toTfConfigJson(run_->run().cluster.spec, task->id));
        lines << QStringLiteral("TF_CONFIG=%1 tandem-worker %2")
                     .arg(shellQuoted(config), shellQuoted(run_->summary().run_dir + QStringLiteral("/project.tandem")));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

QString MonitorPage::fewerObstacle() const {
    if (run_ == nullptr || run_->checkpoints().empty()) return tr("No checkpoint yet to continue from");
    const int left = leftTasks(*run_);
    if (left == 0 || left == static_cast<int>(run_->tasks().size())) return tr("No task is left to continue with");
    const bool workers_only =
        std::all_of(run_->tasks().begin(), run_->tasks().end(), [](const auto& task) { return task.id.type == "worker"; });
    if (!workers_only) return tr("Chief, parameter servers and evaluator can't be left out");
    return session_.launcher().obstacle() == tr("A run is going on") ? session_.launcher().obstacle() : QString();
}

// The weights of the newest checkpoint, its epoch, and one worker less for each that was lost. The optimizer begins anew.
void MonitorPage::continueWithFewer() {
    if (!fewerObstacle().isEmpty()) return;
    const auto& saved = run_->checkpoints().back().saved;
    const std::string weights = (run_->summary().run_dir + QLatin1Char('/')).toStdString() + saved.prefix;
    std::vector<int> ports;
    for (const auto& task : run_->tasks()) {
        const auto address = engine::spec::parseHostPort(task.address);
        if (!isLost(*run_, task)) ports.push_back(address ? address->port : 0);
    }
    session_.launcher().relaunch([ports, weights, epoch = saved.epoch + 1](engine::spec::RunSpec& run) {
        engine::spec::useLocalWorkers(run, ports);
        run.fit.initial_weights = weights;
        run.fit.initial_epoch = epoch;
    });
}

void MonitorPage::adoptHost() {
    dock_->setCores(session_.host().info() ? session_.host().info()->cores : 0);
    dock_->setHost(&session_.host().history(),
                   session_.host().info() ? QString::fromStdString(session_.host().info()->host_name) : QString());
}

void MonitorPage::adoptRun() {
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = session_.runs().current();
    charts_->setRun(run_);
    dock_->setRun(run_);
    tools_->setRun(run_);
    // The record that they showed goes; they are given this one when it comes to their state.
    waiting_->setRun(nullptr, 0);
    failure_->setRun(nullptr);
    timeline_->setRun(nullptr);
    adoptHost();
    rate_->clear();
    rate_->setModified(false);
    if (run_ != nullptr) {
        for (const auto signal : {&RunRecord::stateChanged, &RunRecord::tasksChanged, &RunRecord::controlsChanged}) {
            connect(run_, signal, this, &MonitorPage::refresh);
        }
        connect(run_, &RunRecord::pointsArrived, this, &MonitorPage::refreshProgress);
        connect(run_, &RunRecord::pointsArrived, this, [this] {
            if (run_->lastStep() <= 1 || waiting_->isVisible()) refresh();
        });
    }
    refresh();
}

QString MonitorPage::secondaryText() const {
    if (run_ == nullptr) return tr("nothing is running");
    if (run_->state() == RunState::kDone) return doneText();
    if (run_->state() == RunState::kPaused) return tr("Paused at step %1").arg(models::formatCount(run_->lastStep()));
    const QString optimizer = QString::fromStdString(run_->run().compile.optimizer.class_name);
    QString text =
        run_->started() ? tr("%1, global batch %2").arg(optimizer, models::formatCount(run_->started()->global_batch_size)) : optimizer;
    if (const int attempt = session_.runs().attemptOf(run_->summary()); attempt > 1)
        text += QStringLiteral(" \u00b7 ") + tr("attempt %1").arg(attempt);
    return text;
}

// The word of the pill. Requires a run.
QString MonitorPage::stateText(bool waiting) const {
    const RunState phase = run_->state();
    if (const session::TaskRecord* silent = isActive(phase) ? run_->silentTask() : nullptr)
        return tr("Waiting for %1").arg(QString::fromStdString(engine::spec::toString(silent->id)));
    const int attempt = session_.runs().attemptOf(run_->summary());
    if (const auto& attempts = run_->attempts();
        phase == RunState::kStarting && (!attempts.empty() || (attempt > 1 && run_->lastStep() > 0)))
        return tr("Restarting (attempt %1)").arg(attempts.empty() ? attempt : std::max(attempt, attempts.back().started.attempt));
    const bool begins = isActive(phase) && run_->lastStep() == 0;
    if (waiting && !run_->missingTasks().empty()) return WaitingCard::headline(*run_);
    if (begins && attempt > 1) return tr("Restarting (attempt %1)").arg(attempt);
    return waiting ? WaitingCard::headline(*run_) : session::runStateText(phase);
}

QString MonitorPage::doneText() const {
    const std::string metric =
        "val_" + (run_->run().compile.metrics.empty() ? std::string("loss") : logName(run_->run().compile.metrics.front()));
    double best = NAN;
    int epoch = 0;
    for (const auto& entry : run_->epochs()) {
        const double value = entry.log(metric);
        const bool lower_wins = metric == "val_loss";
        if (!std::isfinite(value) || (std::isfinite(best) && (lower_wins ? value >= best : value <= best))) continue;
        best = value;
        epoch = entry.end.epoch + 1;
    }
    const QString time = models::formatDuration(elapsedSeconds(*run_));
    if (!std::isfinite(best)) return tr("Done in %1").arg(time);
    return tr("Done in %1, best %2 %3 in epoch %4").arg(time, QString::fromStdString(metric), models::formatMetric(best)).arg(epoch);
}

void MonitorPage::refresh() {
    State state = State::kRunning;
    if (run_ == nullptr) {
        state = State::kEmpty;
    } else if (run_->state() == RunState::kFailed) {
        state = State::kFailed;
    } else if (isActive(run_->state()) && run_->lastStep() == 0 && elapsedSeconds(*run_) >= kWaitingAfterS) {
        state = State::kWaiting;
    }
    showState(state);
    const bool active = run_ != nullptr && isActive(run_->state());
    if (active != clock_.isActive()) active ? clock_.start() : clock_.stop();
    refreshControls();
    refreshProgress();
    update();
}

void MonitorPage::showState(State state) {
    // A button that goes with its state hands the focus to the page, not to whatever comes next.
    QWidget* focused = QApplication::focusWidget();
    const bool mine = focused != nullptr && isAncestorOf(focused);
    showParts(state);
    if (mine && !focused->isVisibleTo(this)) setFocus(Qt::OtherFocusReason);
}

void MonitorPage::showParts(State state) {
    stack_->setCurrentIndex(state == State::kEmpty ? 0 : 1);
    if (state == State::kEmpty) return empty_->refresh();
    waiting_->setVisible(state == State::kWaiting);
    failure_->setVisible(state == State::kFailed);
    timeline_->setVisible(state == State::kFailed && run_->firstFailure() != nullptr);
    const bool lost = session_.host().agentState() != session::AgentState::kReady && isActive(run_->state());
    banner_->setText(bannerText());
    banner_->setVisible(lost);
    progress_->setVisible(state != State::kWaiting);
    tools_->setVisible(state == State::kRunning);
    charts_->setShort(state == State::kFailed);
    if (state == State::kWaiting) {
        waiting_->setObstacles(startObstacle(), goOnObstacle());
        waiting_->setRun(run_, elapsedSeconds(*run_));
    }
    if (state == State::kFailed) {
        failure_->setRun(run_);
        timeline_->setRun(run_);
    }
}

void MonitorPage::refreshControls() {
    const RunState phase = run_ == nullptr ? RunState::kNone : run_->state();
    const bool active = isActive(phase);
    const bool paused = phase == RunState::kPaused;
    const bool lost = active && session_.host().agentState() != session::AgentState::kReady;  // what is shown is what was heard last
    const bool stepping = active && run_->lastStep() > 0;
    title_->setText(run_ == nullptr ? tr("Monitor")
                                    : tr("%1 · %n worker(s)", nullptr, static_cast<int>(run_->tasks().size())).arg(run_->summary().name));
    secondary_->setText(secondaryText());
    secondary_->setVisible(!narrow_ || run_ == nullptr);
    pill_->setVisible(run_ != nullptr);
    run_dot_->setVisible(run_ != nullptr);
    if (run_ != nullptr) {
        const bool waiting = active && waiting_->isVisibleTo(this);
        const bool silent = active && run_->silentTask() != nullptr;
        const PillTone tone = waiting || silent || paused || lost || phase == RunState::kStarting ? PillTone::kWarn
                              : phase == RunState::kFailed                                        ? PillTone::kError
                              : phase == RunState::kStopped                                       ? PillTone::kNeutral
                                                                                                  : PillTone::kOk;
        pill_->setState(tone, stateText(waiting), phase == RunState::kDone ? PillMark::kCheck : PillMark::kDot);
    }
    for (QWidget* part : std::initializer_list<QWidget*>{pause_, step_, rate_divider_, rate_label_, rate_, apply_})
        part->setVisible(stepping);
    stop_->setVisible(active);
    pause_->setText(paused ? tr("Resume") : tr("Pause"));
    pause_->setIcon(themes_.icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    step_->setEnabled(paused);
    step_->setToolTip(paused ? tr("One step (→)") : tr("Pause first, then go step by step"));
    const bool broken = phase == RunState::kFailed || phase == RunState::kStopped;
    restart_->setVisible(broken);
    const QString no_restart = session_.launcher().restartObstacle();
    restart_->setEnabled(no_restart.isEmpty());
    const bool goes_back = broken && no_restart.isEmpty();
    widgets::setSheetProperty(restart_, "kind", goes_back ? QStringLiteral("primary") : QString());
    restart_->setIcon(themes_.icon(QStringLiteral("refresh"), goes_back ? theme::IconTone::kOnAccent : theme::IconTone::kAuto));
    restart_->setToolTip(no_restart.isEmpty() ? tr("In the same folder: the backup holds step, weights, optimizer and place in the data")
                                              : no_restart);
    const int left = run_ == nullptr ? 0 : leftTasks(*run_);
    fewer_->setVisible(phase == RunState::kFailed && run_->tasks().size() > 1 && run_->firstFailure() != nullptr);
    fewer_->setText(tr("Continue with %n worker(s)", nullptr, std::max(left, 1)));
    fewer_->setEnabled(fewerObstacle().isEmpty());
    fewer_->setToolTip(fewer_->isEnabled() ? tr("A new run from the newest checkpoint; its optimizer begins anew") : fewerObstacle());
    again_->setVisible(isFinal(phase));
    widgets::setSheetProperty(again_, "kind", goes_back ? QString() : QStringLiteral("primary"));
    again_->setIcon(themes_.icon(QStringLiteral("refresh"), goes_back ? theme::IconTone::kAuto : theme::IconTone::kOnAccent));
    more_->setVisible(run_ != nullptr);
    const QString obstacle = session_.launcher().launchAgainObstacle();
    again_->setEnabled(obstacle.isEmpty());
    again_->setToolTip(obstacle);
    if (stepping && !rate_->isModified() && !rate_->hasFocus()) {
        const auto& points = run_->global();
        const auto* rates = points.find("learning_rate");
        if (rates != nullptr && !rates->empty()) rate_->setText(models::formatRate(rates->back()));
    }
    const bool valid = models::parseRate(rate_->text()) > 0;
    const bool invalid = rate_->isModified() && !valid;
    if (rate_->property("invalid").toBool() != invalid) widgets::setSheetProperty(rate_, "invalid", invalid);
    rate_->setToolTip(valid ? QString() : tr("A learning rate is a number above 0, such as 1e-4"));
    apply_->setEnabled(valid);
    tools_->setHeard(!lost);
}

void MonitorPage::refreshProgress() {
    if (run_ == nullptr) return;
    progress_->show(*run_);
    if (!rate_->isModified() && !rate_->hasFocus()) {
        const auto* rates = run_->global().find("learning_rate");
        if (rates != nullptr && !rates->empty() && std::isfinite(rates->back())) rate_->setText(models::formatRate(rates->back()));
    }
}

void MonitorPage::applyRate() {
    const double rate = models::parseRate(rate_->text());
    if (!(rate > 0)) return;
    session_.runs().setLearningRate(rate);
    rate_->setModified(false);
    refreshControls();
}

bool MonitorPage::handleSpace() {
    if (run_ == nullptr || !isActive(run_->state()) || run_->lastStep() == 0) return false;
    run_->state() == RunState::kPaused ? session_.runs().resume() : session_.runs().pause();
    return true;
}

void MonitorPage::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (plain && event->key() == Qt::Key_Right && step_->isVisible() && step_->isEnabled()) return session_.runs().stepOnce();
    if (plain && event->key() == Qt::Key_Space && handleSpace()) return;
    if (event->modifiers() == Qt::ControlModifier && event->key() == Qt::Key_E) {
        emit exportRequested();
        return;
    }
    Page::keyPressEvent(event);
}

void MonitorPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(rect(), t.window);
    if (run_ == nullptr) return;
    widgets::paintDot(painter, {theme::kSpace6 + 6.0, theme::kPageHeaderHeight / 2.0}, 6, t.seriesColor(run_->summary().color));
}

// The keyboard is on the page, not on the button that comes next to where it was: Space would stop the run in place of pausing it.
void MonitorPage::activated() {
    setFocus(Qt::OtherFocusReason);
}

void MonitorPage::setNarrow(bool narrow) {
    narrow_ = narrow;
    dock_->setNarrow(narrow);
    progress_->setNarrow(narrow);
    tools_->setNarrow(narrow);
    splitter_->setNarrow(narrow);
    retranslate();
}

QString MonitorPage::bannerText() const {
    const int silent_s = session_.host().agentSilentSeconds();
    return silent_s > 0 ? tr("The agent has not answered for %n second(s). Its tasks keep what they have to tell.", nullptr, silent_s)
                        : tr("Reconnecting to the agent. Points that were missed will come.");
}

void MonitorPage::retranslate() {
    step_->setText(tr("Step"));
    restart_->setText(tr("Restart from the backup"));
    more_->setToolTip(tr("More: checkpoint now, ways to stop, folder"));
    more_->setAccessibleName(more_->toolTip());
    banner_->setText(bannerText());
    stop_->setText(tr("Stop"));
    stop_->setToolTip(tr("Stops after the present step and keeps a checkpoint (Shift+F5)"));
    again_->setText(tr("Launch again"));
    apply_->setText(tr("Apply"));
    apply_->setToolTip(tr("Takes effect on all workers at the same step"));
    rate_label_->setText(narrow_ ? tr("LR") : tr("Learning rate"));
    rate_->setAccessibleName(tr("Learning rate"));
    tools_->retranslate();
    empty_->retranslate();
    waiting_->retranslate();
    failure_->retranslate();
    charts_->retranslate();
    dock_->retranslate();
    refresh();
}

}  // namespace ui::views
