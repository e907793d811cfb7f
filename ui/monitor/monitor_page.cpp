// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/spec/cluster/task_plan.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/models/error_text.h"
#include "ui/models/numbers.h"
#include "ui/monitor/failure_timeline.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_dock.h"
#include "ui/monitor/monitor_header.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/monitor/monitor_progress.h"
#include "ui/monitor/monitor_states.h"
#include "ui/monitor/monitor_tools.h"
#include "ui/monitor/time_bar.h"
#include "ui/monitor/xray/xray_view.h"
#include "ui/parts/commands_pane.h"
#include "ui/parts/host_checks.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/runs/time_travel.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using session::RunRecord;
using session::RunState;

namespace {

constexpr int kClockMs = 250, kDockWide = 312, kDockNarrow = 260, kDockLeast = 240, kDockMost = 420;
constexpr double kWaitingAfterS = 1;
constexpr double kZoomSteps = 200;
constexpr auto kChartsKey = "monitor/charts";

// Returns the folder of a checkpoint of the run: it need not be the folder of that name.
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
    layout->addWidget(header_ = new MonitorHeader(session, themes, this));
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
    travel_ = new session::TimeTravel(session_.clientSlot(), this);
    time_bar_ = new TimeBar(*travel_, themes_, left);
    xray_ = new XrayView(themes_, left);
    xray_->hide();
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(theme::kSpace6, 0, theme::kSpace5, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    column->addWidget(banner_);
    column->addWidget(progress_);
    column->addWidget(tools_);
    column->addWidget(time_bar_);
    column->addWidget(waiting_);
    column->addWidget(failure_);
    column->addWidget(timeline_);
    column->addWidget(chart_area_, 1);
    column->addWidget(xray_, 1);
    dock_ = new MonitorDock(themes_, splitter_);
    dock_->join(charts_->group());
    splitter_->setDock(1, {.wide = kDockWide, .narrow = kDockNarrow, .least = kDockLeast, .most = kDockMost});
    return splitter_;
}

void MonitorPage::connectSession() {
    using session::Session;
    connect(&session_.runs(), &session::Runs::currentChanged, this, &MonitorPage::adoptRun);
    connect(&session_.host(), &session::Host::changed, this, &MonitorPage::adoptHost);
    charts_->setHost(&session_.host().history());
    connect(&session_.project(), &session::Project::changed, this, &MonitorPage::refreshControls);
    connect(header_, &MonitorHeader::projectWanted, this, &Page::projectOfRunRequested);
    connect(empty_, &EmptyMonitor::templateWanted, this, [this] { emit modeRequested(Mode::kWelcome); });
    connect(empty_, &EmptyMonitor::modelWanted, this, [this] { emit modeRequested(Mode::kModel); });
    connect(empty_, &EmptyMonitor::dataWanted, this, [this] { emit modeRequested(Mode::kData); });
    connect(empty_, &EmptyMonitor::clusterWanted, this, [this] { emit modeRequested(Mode::kCluster); });
    connect(waiting_, &WaitingCard::logWanted, this, [this] { emit paneRequested(2); });
    connect(failure_, &FailureCard::logWanted, this, &MonitorPage::taskLogRequested);
    connect(failure_, &FailureCard::explainWanted, this, &Page::explainRequested);
    connect(dock_, &MonitorDock::taskActivated, this, [this](const engine::spec::TaskId& task) { emit taskLogRequested(task, -1); });

    connect(xray_, &XrayView::taskActivated, this, [this](const engine::spec::TaskId& task) { emit taskLogRequested(task, -1); });
    connect(tools_, &MonitorTools::faceChanged, this, &MonitorPage::refresh);
    connect(tools_, &MonitorTools::exportWanted, this, &MonitorPage::exportRequested);
    connect(tools_, &MonitorTools::timeWanted, this, &MonitorPage::travel);
    connect(travel_, &session::TimeTravel::changed, this, &MonitorPage::showMoment);
    connect(travel_, &session::TimeTravel::failed, this,
            [this](const session::ErrorInfo& error) { emit toastRequested([error] { return models::errorText(error); }, {}, {}); });
    connect(&charts_->group(), &charts::ChartGroup::xAxisChanged, this, &MonitorPage::showMoment);
    connect(time_bar_, &TimeBar::branchWanted, this, [this] {
        if (const auto* nearest = checkpointBefore(static_cast<double>(travel_->step()))) branch(QString::fromStdString(nearest->prefix));
    });
    connect(&charts_->group(), &charts::ChartGroup::followChanged, this, &MonitorPage::refreshControls);
    connect(&clock_, &QTimer::timeout, this, &MonitorPage::refresh);
    clock_.setInterval(kClockMs);
}

const engine::spec::CheckpointSaved* MonitorPage::checkpointBefore(double step) const {
    const engine::spec::CheckpointSaved* nearest = nullptr;
    if (run_ == nullptr) return nearest;
    for (const auto& one : run_->checkpoints()) {
        const bool is_behind = static_cast<double>(one.saved.step) <= step && !one.saved.prefix.ends_with(".weights.h5");
        if (is_behind && (nearest == nullptr || one.saved.step >= nearest->step)) nearest = &one.saved;
    }
    return nearest;
}

void MonitorPage::offerBranch(QMenu& menu) {
    const charts::ChartGroup& group = charts_->group();
    if (run_ == nullptr || group.xAxis() != models::XAxis::kStep || !group.cursor()) return;
    const engine::spec::CheckpointSaved* nearest = checkpointBefore(*group.cursor());
    if (nearest == nullptr) {
        menu.addAction(tr("Branch here: no checkpoint lies before this step"))->setEnabled(false);
        return;
    }
    menu.addAction(tr("Branch here, behind step %1").arg(models::formatCount(nearest->step)), this,
                   [this, prefix = QString::fromStdString(nearest->prefix)] { branch(prefix); });
}

// A moment is the end of the last step at first: the slider goes back from there.
void MonitorPage::travel(bool on) {
    if (on && run_ != nullptr && run_->lastStep() > 0) {
        travel_->start(*run_);
        time_bar_->focusSlider();
    } else {
        travel_->end();
    }
    tools_->setTime(travel_->isOn());
}

// The dock and the X-ray show the record of that moment; it is gone when the next one is there.
void MonitorPage::showMoment() {
    const RunRecord* shown = travel_->past() != nullptr ? travel_->past() : run_;
    const auto momentUnixNs = [this] { return run_->createdUnixNs() + static_cast<std::int64_t>(travel_->seconds() * 1e9); };
    dock_->setRun(shown, travel_->past() != nullptr ? std::optional(momentUnixNs()) : std::nullopt);
    dock_->refresh();
    xray_->setRun(shown);
    charts_->group().pinCursor(travel_->isOn() ? charts_->placeOf(travel_->step(), momentUnixNs()) : std::nullopt);
    tools_->setTime(travel_->isOn());
    if (!travel_->isOn()) return;
    const engine::spec::CheckpointSaved* nearest = checkpointBefore(static_cast<double>(travel_->step()));
    time_bar_->setCheckpoint(nearest == nullptr ? -1 : nearest->step);
    emit momentShown(travel_->seconds());
}

void MonitorPage::branch(const QString& prefix) {
    if (run_ == nullptr) return;
    const std::int64_t steps = run_->started() ? run_->started()->steps_per_epoch : 0;
    for (const auto& one : run_->checkpoints()) {
        if (QString::fromStdString(one.saved.prefix) != prefix) continue;
        emit branchOfRunRequested(run_->id(), prefix, steps > 0 ? one.saved.step / steps : one.saved.epoch + 1, one.saved.step);
        return;
    }
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
    connect(dock_, &MonitorDock::branchWanted, this, &MonitorPage::branch);
    connect(dock_, &MonitorDock::stepWanted, this, &MonitorPage::showStep);
    connect(dock_, &MonitorDock::chartWanted, charts_, &MonitorCharts::addChart);
    connect(charts_, &MonitorCharts::markerActivated, this, &MonitorPage::showMarker);
    connect(charts_, &MonitorCharts::addedChartsChanged, this, [this] {
        if (session_.settings() != nullptr) session_.settings()->setValue(kChartsKey, charts_->chartsToKeep());
    });
    connect(charts_, &MonitorCharts::chartMenuOpening, this, [this](charts::ChartCard* card, QMenu* menu) {
        menu->addAction(tr("Export…\tCtrl+E"), this, [this, card] {
            card->setFocus(Qt::OtherFocusReason);
            emit exportRequested();
        });
        offerBranch(*menu);
    });
}

// Shows the moment itself while the page goes back in time, else the cursor of all charts.
void MonitorPage::showStep(std::int64_t step) {
    charts_->group().setXAxis(models::XAxis::kStep);
    if (travel_->isOn()) return travel_->goTo(step);
    charts_->group().pinCursor(static_cast<double>(step));
}

// Shows who made a mark, when and why, and where to go from there.
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
    const auto missing = run_->tasks().missing();
    if (run_->run().cluster.spec.empty()) return tr("The agent starts it: one task has no TF_CONFIG");
    return missing.empty() ? tr("Every task is there") : QString();
}

QString MonitorPage::goOnObstacle() const {
    const auto missing = run_->tasks().missing();
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
    const auto missing = run_->tasks().missing();
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
    for (const session::TaskRecord* task : run_->tasks().missing()) {
        const QString config = QString::fromStdString(engine::spec::toTfConfigJson(run_->run().cluster.spec, task->id));
        lines << QStringLiteral("TF_CONFIG=%1 tandem-worker %2")
                     .arg(shellQuoted(config), shellQuoted(run_->summary().run_dir + QStringLiteral("/project.tandem")));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void MonitorPage::adoptHost() {
    dock_->setCores(session_.host().info() ? session_.host().info()->cores : 0);
    const QString name = session_.host().info() ? QString::fromStdString(session_.host().info()->host_name) : QString();
    dock_->setHost(&session_.host().history(), name);
    xray_->setHost(&session_.host().history(), name);
}

void MonitorPage::adoptRun() {
    travel_->end();
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = session_.runs().current();
    time_bar_->setRun(run_);
    header_->setRun(run_);
    charts_->group().pinCursor(std::nullopt);
    charts_->setRun(run_, session_.runs().parent());
    dock_->setRun(run_);
    xray_->setRun(run_);
    tools_->setRun(run_);
    // The record that they showed goes; they are given this one when it comes to their state.
    waiting_->setRun(nullptr, 0);
    failure_->setRun(nullptr);
    timeline_->setRun(nullptr);
    adoptHost();
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
    timeline_->setVisible(state == State::kFailed && run_->tasks().firstFailure() != nullptr);
    const bool lost = session_.host().agentState() != session::AgentState::kReady && isActive(run_->state());
    banner_->setText(bannerText());
    banner_->setVisible(lost);
    progress_->setVisible(state != State::kWaiting);
    tools_->setVisible(state == State::kRunning);
    const bool xray = state == State::kRunning && tools_->face() == MonitorTools::Face::kXray;
    chart_area_->setVisible(!xray);
    xray_->setVisible(xray);
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
    const bool active = run_ != nullptr && isActive(run_->state());
    header_->setWaiting(active && waiting_->isVisibleTo(this));
    header_->refresh();
    tools_->setHeard(!active || session_.host().agentState() == session::AgentState::kReady);  // else what is shown is what was heard last
}

void MonitorPage::refreshProgress() {
    if (run_ == nullptr) return;
    progress_->show(*run_);
    header_->refreshRate();
}

bool MonitorPage::handleSpace() {
    return header_->pauseOrResume();
}

bool MonitorPage::leaveView() {
    if (charts_->leaveFullSize()) return true;
    if (!travel_->isOn()) return false;
    travel(false);
    return true;
}

void MonitorPage::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (plain && event->key() == Qt::Key_Right && header_->canStep()) return session_.runs().stepOnce();
    if (plain && event->key() == Qt::Key_Space && handleSpace()) return;
    if (plain && event->key() == Qt::Key_T) return travel(!travel_->isOn());
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
    header_->setNarrow(narrow);
    dock_->setNarrow(narrow);
    progress_->setNarrow(narrow);
    tools_->setNarrow(narrow);
    xray_->setNarrow(narrow);
    splitter_->setNarrow(narrow);
    retranslate();
}

QString MonitorPage::bannerText() const {
    const int silent_s = session_.host().agentSilentSeconds();
    return silent_s > 0 ? tr("The agent has not answered for %n second(s). Its tasks keep what they have to tell.", nullptr, silent_s)
                        : tr("Reconnecting to the agent. Points that were missed will come.");
}

void MonitorPage::retranslate() {
    banner_->setText(bannerText());
    header_->retranslate();
    tools_->retranslate();
    time_bar_->retranslate();
    empty_->retranslate();
    waiting_->retranslate();
    failure_->retranslate();
    charts_->retranslate();
    xray_->retranslate();
    dock_->retranslate();
    refresh();
}

}  // namespace ui::views

#include "moc_monitor_page.cpp"
