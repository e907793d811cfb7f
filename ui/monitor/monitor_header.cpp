// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_header.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSysInfo>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "engine/run/run_series.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/events/control_rate.h"
#include "ui/models/numbers.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/monitor/monitor_progress.h"
#include "ui/monitor/monitor_states.h"
#include "ui/parts/host_checks.h"
#include "ui/session/error_text.h"
#include "ui/session/host/host.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
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

constexpr int kRateWidth = 84, kDotWidth = 12;

// A task that ended by itself behind the first failure only noticed it, and can go on.
bool isLost(const RunRecord& run, const session::TaskRecord& task) {
    return task.failure && (task.failure->exit_code < 0 || &task == run.tasks().firstFailure());
}

int leftTasks(const RunRecord& run) {
    return static_cast<int>(std::count_if(run.tasks().begin(), run.tasks().end(), [&](const auto& task) { return !isLost(run, task); }));
}

// Returns the number of tasks that train: ps and evaluator are none.
int workersOf(const session::RunRecord& run) {
    const auto trains = [](const session::TaskRecord& task) { return task.id.type != "ps" && task.id.type != "evaluator"; };
    return static_cast<int>(std::count_if(run.tasks().begin(), run.tasks().end(), trains));
}

}  // namespace

MonitorHeader::MonitorHeader(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setFixedHeight(theme::kPageHeaderHeight);
    title_ = named(new TextLabel(themes_, TextRole::kTitle, Ink::kText, this), "monitorTitle");
    title_->setElided(true);  // a long name gives way to the controls
    pill_ = named(new widgets::StatusPill(themes_, this), "monitorState");
    secondary_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, this);
    secondary_->setElided(true);
    pause_ = named(new QPushButton(this), "monitorPause");
    step_ = named(new QPushButton(this), "monitorStep");
    stop_ = named(new QPushButton(this), "monitorStop", "danger");
    again_ = named(new QPushButton(this), "monitorAgain", "primary");
    restart_ = named(new QPushButton(this), "monitorRestart", "primary");
    fewer_ = named(new QPushButton(this), "monitorFewer");
    more_ = named(new QToolButton(this), "monitorMore", "ghost");
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setIcon(themes_.icon(QStringLiteral("more")));
    more_->setMenu(new QMenu(more_));
    restart_->setIcon(themes_.icon(QStringLiteral("refresh"), theme::IconTone::kOnAccent));
    apply_ = named(new QPushButton(this), "monitorApplyRate");
    rate_ = named(new QLineEdit(this), "monitorRate");
    rate_->setFont(themes_.font(TextRole::kMonoField));
    rate_->setFixedWidth(kRateWidth);
    rate_label_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, this);
    rate_label_->setBuddy(rate_);
    step_->setIcon(themes_.icon(QStringLiteral("step")));
    stop_->setIcon(themes_.icon(QStringLiteral("stop"), theme::IconTone::kError));
    again_->setIcon(themes_.icon(QStringLiteral("refresh"), theme::IconTone::kOnAccent));

    rate_divider_ = divider(this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme::kSpace6, 0, theme::kSpace5, 0);
    layout->setSpacing(theme::kSpace3);
    dot_ = new QWidget(this);
    dot_->setFixedWidth(kDotWidth);
    layout->addWidget(dot_);
    layout->addWidget(title_);
    layout->addWidget(pill_);
    layout->addWidget(secondary_, 100);
    layout->addStretch(1);  // keeps the actions at the right where the sentence goes
    // All in one layout: a group with its own would have its new sizes an event later, and be cut until then.
    for (QWidget* part :
         std::initializer_list<QWidget*>{restart_, fewer_, again_, pause_, step_, stop_, rate_divider_, rate_label_, rate_, apply_, more_})
        layout->addWidget(part);

    connectButtons();
    retranslate();
}

void MonitorHeader::connectButtons() {
    connect(pause_, &QPushButton::clicked, this, &MonitorHeader::pauseOrResume);
    connect(step_, &QPushButton::clicked, &session_.runs(), &session::Runs::stepOnce);
    connect(stop_, &QPushButton::clicked, &session_.runs(), &session::Runs::stop);
    connect(again_, &QPushButton::clicked, &session_.launcher(), &session::Launcher::launchAgain);
    connect(restart_, &QPushButton::clicked, &session_.launcher(), &session::Launcher::restartFromBackup);
    connect(fewer_, &QPushButton::clicked, this, &MonitorHeader::continueWithFewer);
    connect(more_->menu(), &QMenu::aboutToShow, this, &MonitorHeader::fillMoreMenu);
    connect(apply_, &QPushButton::clicked, this, &MonitorHeader::applyRate);
    connect(rate_, &QLineEdit::returnPressed, this, &MonitorHeader::applyRate);
    connect(rate_, &QLineEdit::textEdited, this, [this] {
        rate_->setModified(true);
        refresh();
    });
}

// A run that another computer has can be opened as far as its files are copied here; the rest is for a terminal.
void MonitorHeader::addFolderActions(QMenu& menu) {
    const QString folder = run_ != nullptr ? run_->summary().run_dir : QString();
    const bool is_here = !folder.isEmpty() && QFileInfo(folder).isDir();
    QString elsewhere = run_ != nullptr ? session::farPlaceOf(run_->summary()) : QString();
    const auto& host = session_.host().info();
    if (run_ != nullptr && !is_here && host && host->host_name != QSysInfo::machineHostName().toStdString())
        elsewhere = QString::fromStdString(host->host_name) + QLatin1Char(':') + folder;
    menu.addAction(elsewhere.isEmpty() ? tr("Open the run's folder") : tr("Open the copies on this computer"), this,
                   [folder] { openFolder(folder); })
        ->setEnabled(is_here);
    if (elsewhere.isEmpty()) return;
    menu.addAction(tr("Copy where its folder is: %1").arg(elsewhere), this, [elsewhere] { QApplication::clipboard()->setText(elsewhere); });
}

void MonitorHeader::fillMoreMenu() {
    QMenu* menu = more_->menu();
    menu->clear();
    const bool active = run_ != nullptr && isActive(run_->state()) && session::eventFolderOf(run_->summary()).isEmpty();
    const bool stepping = active && run_->lastStep() > 0;
    QAction* checkpoint = menu->addAction(tr("Save a checkpoint now"), &session_.runs(), &session::Runs::checkpointNow);
    checkpoint->setEnabled(stepping);
    menu->addSeparator();
    menu->addAction(tr("Stop after this step, with a checkpoint\tShift+F5"), &session_.runs(), &session::Runs::stop)->setEnabled(active);
    menu->addAction(tr("Stop now, without a checkpoint"), &session_.runs(), &session::Runs::stopNow)->setEnabled(active);
    menu->addSeparator();
    addFolderActions(*menu);
    menu->addAction(tr("Open as project"), this, [this] { emit projectWanted(run_->id()); })->setEnabled(run_ != nullptr);
    menu->addAction(tr("Copy the run's id"), this, [this] { QApplication::clipboard()->setText(run_->id()); })->setEnabled(run_ != nullptr);
}

QString MonitorHeader::fewerObstacle() const {
    if (run_ == nullptr || run_->checkpoints().empty()) return tr("No checkpoint yet to continue from");
    const int left = leftTasks(*run_);
    if (left == 0 || left == static_cast<int>(run_->tasks().size())) return tr("No task is left to continue with");
    const bool workers_only =
        std::all_of(run_->tasks().begin(), run_->tasks().end(), [](const auto& task) { return task.id.type == "worker"; });
    if (!workers_only) return tr("Chief, parameter servers and evaluator can't be left out");
    return session_.launcher().obstacle() == tr("A run is going on") ? session_.launcher().obstacle() : QString();
}

// The new run begins at the newest checkpoint and its epoch, with the optimizer if the checkpoint has it, and has one worker less for each
// that was lost.
void MonitorHeader::continueWithFewer() {
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
        run.fit.initial_state = !QString::fromStdString(weights).endsWith(QStringLiteral(".weights.h5"));
        run.fit.initial_epoch = epoch;
    });
}

QString MonitorHeader::secondaryText() const {
    if (run_ == nullptr) return tr("nothing is running");
    if (const QString folder = session::eventFolderOf(run_->summary()); !folder.isEmpty()) return tr("event files of %1").arg(folder);
    if (run_->state() == RunState::kDone) return doneText();
    if (run_->state() == RunState::kPaused) return tr("Paused at step %1").arg(models::formatCount(run_->lastStep()));
    const QString optimizer = QString::fromStdString(run_->run().compile.optimizer.class_name);
    const bool each = engine::run::countsStepsOfAll(run_->history());
    const QString batch = run_->started() ? models::formatCount(run_->started()->global_batch_size) : QString();
    QString text = !run_->started() ? optimizer
                   : each           ? tr("%1, batch %2 each").arg(optimizer, batch)
                                    : tr("%1, global batch %2").arg(optimizer, batch);
    if (const int attempt = session::attemptOf(session_.runs(), run_->summary()); attempt > 1)
        text += QStringLiteral(" \u00b7 ") + tr("attempt %1").arg(attempt);
    return text;
}

// Returns the word of the pill. Requires a run.
QString MonitorHeader::stateText() const {
    const RunState phase = run_->state();
    if (const session::TaskRecord* silent = isActive(phase) ? run_->tasks().silent() : nullptr)
        return tr("Waiting for %1").arg(QString::fromStdString(engine::spec::toString(silent->id)));
    const int attempt = session::attemptOf(session_.runs(), run_->summary());
    if (const auto& attempts = run_->attempts();
        phase == RunState::kStarting && (!attempts.empty() || (attempt > 1 && run_->lastStep() > 0)))
        return tr("Restarting (attempt %1)").arg(attempts.empty() ? attempt : std::max(attempt, attempts.back().started.attempt));
    const bool begins = isActive(phase) && run_->lastStep() == 0;
    if (waits_ && !run_->tasks().missing().empty()) return WaitingCard::headline(*run_);
    if (begins && attempt > 1) return tr("Restarting (attempt %1)").arg(attempt);
    return waits_ ? WaitingCard::headline(*run_) : session::runStateText(phase);
}

QString MonitorHeader::doneText() const {
    const std::string metric =
        "val_" + (run_->run().compile.metrics.empty() ? std::string("loss") : logName(run_->run().compile.metrics.front()));
    double best = NAN;
    int epoch = 0;
    for (const auto& entry : run_->epochs()) {
        const double one = entry.log(metric);
        const bool lower_wins = metric == "val_loss";
        if (!std::isfinite(one) || (std::isfinite(best) && (lower_wins ? one >= best : one <= best))) continue;
        best = one;
        epoch = entry.end.epoch + 1;
    }
    const QString time = models::formatDuration(elapsedSeconds(*run_));
    if (!std::isfinite(best)) {  // such as an estimator's run, which is tested at its end alone
        const std::string tested = "test_" + metric.substr(sizeof("val_") - 1);
        const double result = run_->summary().result(QString::fromStdString(tested));
        return std::isfinite(result) ? tr("Done in %1, %2 %3").arg(time, QString::fromStdString(tested), models::formatMetric(result))
                                     : tr("Done in %1").arg(time);
    }
    const QString name = QString::fromStdString(metric), value = models::formatMetric(best);
    if (run_->run().fit.steps > 0) return tr("Done in %1, best %2 %3").arg(time, name, value);
    return tr("Done in %1, best %2 %3 in epoch %4").arg(time, name, value).arg(epoch);
}

void MonitorHeader::setRun(const RunRecord* run) {
    run_ = run;
    rate_->clear();
    rate_->setModified(false);
}

void MonitorHeader::setNarrow(bool narrow) {
    narrow_ = narrow;
    retranslate();
}

void MonitorHeader::refresh() {
    const RunState phase = run_ == nullptr ? RunState::kNone : run_->state();
    const bool active = isActive(phase);
    const bool paused = phase == RunState::kPaused;
    const bool governed = active && session::eventFolderOf(run_->summary()).isEmpty();
    const bool stepping = governed && run_->lastStep() > 0;
    refreshState();
    for (QWidget* part : std::initializer_list<QWidget*>{pause_, step_, rate_divider_, rate_label_, rate_, apply_})
        part->setVisible(stepping);
    stop_->setVisible(governed);
    pause_->setText(paused ? tr("Resume") : tr("Pause"));
    pause_->setIcon(themes_.icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    step_->setEnabled(paused);
    step_->setToolTip(paused ? tr("One step (→)") : tr("Pause first, then go step by step"));
    refreshRestart();
    more_->setVisible(run_ != nullptr);
    refreshRateField(stepping);
}

void MonitorHeader::refreshState() {
    title_->setText(run_ == nullptr ? tr("Monitor")
                    : !session::eventFolderOf(run_->summary()).isEmpty()
                        ? run_->summary().name
                        : tr("%1 · %n worker(s)", nullptr, workersOf(*run_)).arg(run_->summary().name));
    secondary_->setText(secondaryText());
    secondary_->setVisible(!narrow_ || run_ == nullptr);
    pill_->setVisible(run_ != nullptr);
    dot_->setVisible(run_ != nullptr);
    if (run_ == nullptr) return;
    const RunState phase = run_->state();
    const bool active = isActive(phase);
    const bool lost = active && session_.host().agentState() != session::AgentState::kReady;
    const bool silent = active && run_->tasks().silent() != nullptr;
    const PillTone tone = waits_ || silent || lost || phase == RunState::kPaused || phase == RunState::kStarting ? PillTone::kWarn
                          : phase == RunState::kFailed                                                           ? PillTone::kError
                          : phase == RunState::kStopped                                                          ? PillTone::kNeutral
                                                                                                                 : PillTone::kOk;
    pill_->setState(tone, stateText(), phase == RunState::kDone ? PillMark::kCheck : PillMark::kDot);
}

// A broken run can go on from the backup, with the tasks that are left, or from the beginning; the first that is possible stands out.
void MonitorHeader::refreshRestart() {
    const RunState phase = run_ == nullptr ? RunState::kNone : run_->state();
    const bool broken = (phase == RunState::kFailed || phase == RunState::kStopped) && session::eventFolderOf(run_->summary()).isEmpty();
    restart_->setVisible(broken);
    const QString no_restart = session_.launcher().restartObstacle();
    restart_->setEnabled(no_restart.isEmpty());
    const bool goes_back = broken && no_restart.isEmpty();
    widgets::setSheetProperty(restart_, "kind", goes_back ? QStringLiteral("primary") : QString());
    restart_->setIcon(themes_.icon(QStringLiteral("refresh"), goes_back ? theme::IconTone::kOnAccent : theme::IconTone::kAuto));
    restart_->setToolTip(no_restart.isEmpty() ? tr("In the same folder: the backup holds step, weights, optimizer and place in the data")
                                              : no_restart);
    const int left = run_ == nullptr ? 0 : leftTasks(*run_);
    fewer_->setVisible(phase == RunState::kFailed && run_->tasks().size() > 1 && run_->tasks().firstFailure() != nullptr);
    fewer_->setText(tr("Continue with %n worker(s)", nullptr, std::max(left, 1)));
    fewer_->setEnabled(fewerObstacle().isEmpty());
    fewer_->setToolTip(fewer_->isEnabled() ? tr("A new run that goes on behind the newest checkpoint") : fewerObstacle());
    again_->setVisible(isFinal(phase) && session::eventFolderOf(run_->summary()).isEmpty());
    widgets::setSheetProperty(again_, "kind", goes_back ? QString() : QStringLiteral("primary"));
    again_->setIcon(themes_.icon(QStringLiteral("refresh"), goes_back ? theme::IconTone::kAuto : theme::IconTone::kOnAccent));
    const QString obstacle = session_.launcher().launchAgainObstacle();
    again_->setEnabled(obstacle.isEmpty());
    again_->setToolTip(obstacle);
}

void MonitorHeader::refreshRateField(bool stepping) {
    if (stepping && !rate_->isModified() && !rate_->hasFocus()) {
        const auto* rates = run_->global().find("learning_rate");
        if (rates != nullptr && !rates->empty()) rate_->setText(models::formatRate(rates->back()));
    }
    const bool valid = engine::spec::isSettableRate(models::parseRate(rate_->text()));
    const bool invalid = rate_->isModified() && !valid;
    if (rate_->property("invalid").toBool() != invalid) widgets::setSheetProperty(rate_, "invalid", invalid);
    rate_->setToolTip(valid ? QString() : tr("A learning rate is a number above 0, such as 1e-4"));
    apply_->setEnabled(valid);
}

void MonitorHeader::refreshRate() {
    if (run_ == nullptr || rate_->isModified() || rate_->hasFocus()) return;
    const auto* rates = run_->global().find("learning_rate");
    if (rates != nullptr && !rates->empty() && std::isfinite(rates->back())) rate_->setText(models::formatRate(rates->back()));
}

void MonitorHeader::applyRate() {
    const double rate = models::parseRate(rate_->text());
    if (!engine::spec::isSettableRate(rate)) return;
    session_.runs().setLearningRate(rate);
    rate_->setModified(false);
    refresh();
}

bool MonitorHeader::canStep() const {
    return step_->isVisible() && step_->isEnabled();
}

bool MonitorHeader::pauseOrResume() {
    if (run_ == nullptr || !isActive(run_->state()) || run_->lastStep() == 0) return false;
    run_->state() == RunState::kPaused ? session_.runs().resume() : session_.runs().pause();
    return true;
}

void MonitorHeader::retranslate() {
    step_->setText(tr("Step"));
    restart_->setText(tr("Restart from the backup"));
    more_->setToolTip(tr("More: checkpoint now, ways to stop, folder"));
    more_->setAccessibleName(more_->toolTip());
    stop_->setText(tr("Stop"));
    stop_->setToolTip(tr("Stops after the present step and keeps a checkpoint (Shift+F5)"));
    again_->setText(tr("Launch again"));
    apply_->setText(tr("Apply"));
    apply_->setToolTip(tr("Takes effect on all workers at the same step"));
    rate_label_->setText(narrow_ ? tr("LR") : tr("Learning rate"));
    rate_->setAccessibleName(tr("Learning rate"));
    refresh();
}

}  // namespace ui::views

#include "moc_monitor_header.cpp"
