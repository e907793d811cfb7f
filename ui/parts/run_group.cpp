// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/run_group.h"

#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/task_list_model.h"
#include "ui/parts/launch_obstacle.h"
#include "ui/parts/shortcut_store.h"
#include "ui/session/error_text.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using session::RunState;

namespace {

constexpr int kMostLocalWorkers = 8, kLaunchWidth = 47, kLaunchHeight = 36, kSmallButton = 26, kStateHeight = 24, kTargetHeight = 44;
constexpr int kStateMargin = 1, kStateDot = 10;  // "9 problems" behind its dot just fits the mode bar

// A rail button that paints its own ground, so that filled, outlined and plain share one size.
class RailButton : public QToolButton {
public:
    enum class Look { kLaunch, kControl, kDanger, kTarget };
    RailButton(const theme::ThemeController& themes, Look look, const QString& icon, QWidget* parent)
        : QToolButton(parent), themes_(themes), look_(look), icon_(icon) {
        setFocusPolicy(Qt::TabFocus);
    }
    void setIconName(const QString& name) {
        icon_ = name;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const theme::Theme& t = themes_.theme();
        const QRectF box(rect());
        if (look_ == Look::kTarget) return paintTarget(painter, t);
        const bool filled = look_ == Look::kLaunch && isEnabled();
        QColor ground = filled                        ? (underMouse() ? t.accent_hover : t.accent_fill)
                        : underMouse() && isEnabled() ? t.mixed(t.surface, 4)
                                                      : t.surface;
        if (!isEnabled()) ground = look_ == Look::kLaunch ? t.sunken : QColor();
        const QColor edge = filled ? t.accent_fill : isEnabled() || look_ == Look::kLaunch ? t.border_strong : QColor();
        widgets::paintBox(painter, box, theme::kRadiusControl, ground, edge);
        QColor ink = filled ? t.on_accent : !isEnabled() ? t.text3 : look_ == Look::kDanger ? t.err : t.text;
        const double side = look_ == Look::kLaunch ? 18 : 16;
        themes_.paintIcon(painter, icon_, QRectF(box.center() - QPointF(side / 2, side / 2), QSizeF(side, side)), ink);
        if (hasFocus()) widgets::paintBox(painter, box, theme::kRadiusControl, QColor(), filled ? t.text : t.accent, 2);
    }

private:
    void paintTarget(QPainter& painter, const theme::Theme& t) {
        if (underMouse()) widgets::paintBox(painter, rect().adjusted(4, 0, -4, 0), theme::kRadiusControl, t.mixed(t.rail, 4), QColor());
        themes_.paintIcon(painter, icon_, QRectF(width() / 2.0 - 9, 4, 18, 18), t.text2);
        themes_.paintIcon(painter, "chevron-down", QRectF(width() - 22, 6, 14, 14), t.text2);
        widgets::paintText(painter, QRectF(2, 24, width() - 4, 16), text(), themes_.font(theme::TextRole::kTickMedium), t.text2,
                           Qt::AlignCenter);
        if (hasFocus()) widgets::paintBox(painter, rect().adjusted(4, 0, -4, 0), theme::kRadiusControl, QColor(), t.accent, 2);
    }

    const theme::ThemeController& themes_;
    const Look look_;
    QString icon_;
};

}  // namespace

bool waitsForTasks(const session::RunRecord& run) {
    return run.state() == RunState::kTraining && (run.tasks().silent() || (run.lastStep() == 0 && !run.tasks().missing().empty()));
}

QColor phaseColor(const theme::Theme& theme, RunState phase) {
    switch (phase) {
        case RunState::kTraining:
        case RunState::kDone:
            return theme.ok;
        case RunState::kPaused:
        case RunState::kStarting:
            return theme.warn;
        case RunState::kFailed:
            return theme.err;
        case RunState::kNone:
        case RunState::kStopped:
            break;
    }
    return theme.text3;
}

RunGroup::RunGroup(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setObjectName("runGroup");
    using Look = RailButton::Look;
    targets_ = new QMenu(this);
    target_ = new RailButton(themes, Look::kTarget, "laptop", this);
    target_->setObjectName("runTarget");
    target_->setFixedSize(theme::kModeBarWidth, kTargetHeight);
    target_->setMenu(targets_);
    target_->setPopupMode(QToolButton::InstantPopup);
    launch_ = new RailButton(themes, Look::kLaunch, "play", this);
    launch_->setObjectName("railLaunchButton");
    launch_->setFixedSize(kLaunchWidth, kLaunchHeight);
    pause_ = new RailButton(themes, Look::kControl, "pause", this);
    pause_->setObjectName("railPauseButton");
    stop_ = new RailButton(themes, Look::kDanger, "stop", this);
    stop_->setObjectName("railStopButton");
    for (QToolButton* button : {pause_, stop_}) button->setFixedSize(kSmallButton - 4, kSmallButton);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, theme::kSpace2, 0, kStateHeight + theme::kSpace1);
    column->setSpacing(theme::kSpace2);
    column->addWidget(target_);
    column->addWidget(launch_, 0, Qt::AlignHCenter);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(theme::kSpace1);
    controls->addStretch();
    controls->addWidget(pause_);
    controls->addWidget(stop_);
    controls->addStretch();
    column->addLayout(controls);

    connect(launch_, &QToolButton::clicked, &session_, [this] { session_.launcher().launch(); });
    connect(pause_, &QToolButton::clicked, this, [this] {
        const auto* run = session_.runs().current();
        run && run->state() == RunState::kPaused ? session_.runs().resume() : session_.runs().pause();
    });
    connect(stop_, &QToolButton::clicked, &session_, [this] { session_.runs().stop(); });
    connect(targets_, &QMenu::aboutToShow, this, &RunGroup::fillTargets);
    connect(&session_.project(), &session::Project::changed, this, &RunGroup::refresh);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &RunGroup::refresh);
    connect(&session_.runs(), &session::Runs::currentChanged, this, &RunGroup::refresh);
    connect(&session_.host(), &session::Host::agentChanged, this, &RunGroup::refresh);
    connect(&themes, &theme::ThemeController::themeChanged, this, &RunGroup::refresh);
    retranslate();
}

void RunGroup::fillTargets() {
    targets_->clear();
    for (int n = 1; n <= kMostLocalWorkers; ++n) {
        QAction* action = targets_->addAction(tr("%n worker(s) on this computer", nullptr, n), &session_,
                                              [this, n] { session::setLocalWorkers(session_.project(), n); });
        action->setCheckable(true);
        action->setChecked(session_.project().isOpen() && session::localWorkers(session_.project()) == n);
        action->setEnabled(session_.project().isOpen());
    }
}

void RunGroup::retranslate() {
    target_->setToolTip(tr("Where the run goes"));
    target_->setAccessibleName(tr("Run target"));
    launch_->setAccessibleName(tr("Launch"));
    stop_->setAccessibleName(tr("Stop"));
    stop_->setToolTip(tr("Stop after this step, with a checkpoint (Shift+F5)"));
    refresh();
}

void RunGroup::refresh() {
    const QString obstacle = session_.launcher().obstacle();
    const auto* run = session_.runs().current();
    const RunState phase = run ? run->state() : RunState::kNone;
    const bool active = isActive(phase), paused = phase == RunState::kPaused;
    const int workers = session_.project().isOpen() ? session::localWorkers(session_.project()) : 1;
    const int hosts = session_.project().isOpen() ? session::hostCount(session_.project(), session_.host()) : 1;
    target_->setText(hosts > 1 ? tr("Hosts ×%1").arg(hosts) : workers > 1 ? tr("Local ×%1").arg(workers) : tr("Local"));
    launch_->setEnabled(obstacle.isEmpty());
    launch_->setToolTip(obstacle.isEmpty() ? tr("Launch") + keysInBrackets(this, "actionLaunch")
                                           : tr("Launch: %1").arg(launchObstacle(session_)));
    const bool governed = active && session::eventFolderOf(run->summary()).isEmpty();
    pause_->setEnabled(governed && phase != RunState::kStarting);
    static_cast<RailButton*>(pause_)->setIconName(paused ? "play" : "pause");
    pause_->setAccessibleName(paused ? tr("Resume") : tr("Pause"));
    pause_->setToolTip(paused ? tr("Resume (Space)") : tr("Pause (Space)"));
    stop_->setEnabled(governed);
    state_filled_ = true;
    if (run) connect(run, &session::RunRecord::tasksChanged, this, &RunGroup::refresh, Qt::UniqueConnection);
    const bool waits = run && waitsForTasks(*run);
    if (active) {
        state_text_ = waits ? models::stateWord(engine::spec::TaskState::kWaiting) : session::runStateText(phase);
        state_color_ = waits ? themes_.theme().warn : phaseColor(themes_.theme(), phase);
    } else if (const int warnings = session_.project().warningCount(); obstacle.isEmpty() && warnings > 0) {
        state_text_ = tr("%n warning(s)", nullptr, warnings);
        state_color_ = themes_.theme().warn;
    } else if (obstacle.isEmpty()) {
        state_text_ = tr("Ready");
        state_color_ = themes_.theme().text2;
    } else {
        state_text_ = obstacle;
        state_color_ = session_.project().isOpen() && session_.project().errorCount() > 0 ? themes_.theme().err : QColor();
    }
    setToolTip(state_text_);
    update();
}

void RunGroup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(QRect(theme::kSpace4, 0, width() - 2 * theme::kSpace4, 1), t.border_strong);
    const QFont font = themes_.font(theme::TextRole::kTickMedium);
    const QRectF row(kStateMargin, height() - kStateHeight, width() - 2 * kStateMargin, kStateHeight - theme::kSpace1);
    const double dot = state_color_.isValid() ? kStateDot : 0;
    const double width_of_text = std::min(QFontMetricsF(font).horizontalAdvance(state_text_) + 1, row.width() - dot);
    const double left = row.left() + (row.width() - width_of_text - dot) / 2;
    if (dot > 0) widgets::paintDot(painter, QPointF(left + 3.5, row.center().y()), 3.5, state_color_, state_filled_);
    widgets::paintText(painter, QRectF(left + dot, row.top(), width_of_text, row.height()), state_text_, font, t.text2);
}

}  // namespace ui::views

#include "moc_run_group.cpp"
