// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_view.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/sweep/sweep_plan.h"
#include "ui/sweep/sweep_result.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::sweep::Sweep;
using engine::sweep::Trial;
using engine::sweep::TrialState;

namespace {

constexpr int kHeadRow = 34, kMostEarlier = 20;

int countOf(const Sweep& sweep, TrialState state) {
    return static_cast<int>(
        std::count_if(sweep.trials().begin(), sweep.trials().end(), [state](const Trial& trial) { return trial.state == state; }));
}

// Returns when the sweep of a folder ("20261121-143205-7f3a") was begun.
QString timeOf(const QString& folder) {
    const QString name = QFileInfo(folder).fileName();
    const QDateTime begun = QDateTime::fromString(name.left(15), QStringLiteral("yyyyMMdd-HHmmss"));
    return begun.isValid() ? QLocale().toString(begun, QLocale::ShortFormat) : name;
}

}  // namespace

SweepView::SweepView(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), desk_(new session::SweepDesk(session.clientSlot(), this)) {
    setObjectName("sweepView");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    buildHead(themes);
    column->addWidget(head_);
    stack_ = new QStackedWidget(this);
    stack_->addWidget(state_ = new widgets::StatePanel(themes, QStringLiteral("sweepState"), stack_));
    stack_->addWidget(plan_ = new SweepPlan(themes, stack_));
    stack_->addWidget(result_ = new SweepResult(*desk_, themes, stack_));
    column->addWidget(stack_, 1);
    connect(state_, &widgets::StatePanel::firstClicked, this, [this] {
        if (!session_.project().isOpen()) emit projectWanted();
    });
    connect(plan_, &SweepPlan::changed, this, &SweepView::refresh);
    connect(result_, &SweepResult::runWanted, this, &SweepView::runWanted);
    connect(desk_, &session::SweepDesk::changed, this, [this] {
        result_->reset();
        refresh();
    });
    connect(desk_, &session::SweepDesk::progressed, this, [this] {
        result_->refresh();
        refresh();
    });
    connect(&session_.project(), &session::Project::replaced, this, [this] { is_another_ = true; });
    connect(&session_.project(), &session::Project::changed, this, &SweepView::takeProject);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &SweepView::refresh);
    connect(&session_.host(), &session::Host::agentChanged, this, &SweepView::refresh);
    retranslate();
}

void SweepView::buildHead(const theme::ThemeController& themes) {
    head_ = new QWidget(this);
    head_->setFixedHeight(kHeadRow);
    auto* row = new QHBoxLayout(head_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace2);
    const auto button = [&](const char* name, const char* icon, widgets::ButtonKind kind = widgets::ButtonKind::kPlain) {
        return widgets::makeButton(themes, {.object_name = QLatin1String(name), .icon = QLatin1String(icon), .kind = kind, .compact = true},
                                   head_);
    };
    back_ = button("sweepBack", "chevron-left");
    facts_ = new widgets::TextLabel(themes, theme::TextRole::kSmall, widgets::Ink::kText2, head_);
    facts_->setObjectName("sweepFacts");
    facts_->setElided(true);
    earlier_ = button("sweepEarlier", "clock");
    menu_ = new QMenu(earlier_);
    earlier_->setMenu(menu_);
    new_ = button("sweepNew", "plus");
    take_best_ = button("sweepTakeBest", "target");
    resume_ = button("sweepResume", "play", widgets::ButtonKind::kPrimary);
    start_ = button("sweepStart", "play", widgets::ButtonKind::kPrimary);
    stop_ = button("sweepStop", "stop");
    row->addWidget(back_);
    row->addSpacing(theme::kSpace2);
    row->addWidget(facts_, 1);
    for (QPushButton* part : {earlier_, new_, take_best_, resume_, start_, stop_}) row->addWidget(part);
    connect(back_, &QPushButton::clicked, this, &SweepView::closeWanted);
    connect(menu_, &QMenu::aboutToShow, this, &SweepView::fillEarlier);
    connect(new_, &QPushButton::clicked, desk_, &session::SweepDesk::clear);
    connect(take_best_, &QPushButton::clicked, this, &SweepView::takeBest);
    connect(start_, &QPushButton::clicked, this, &SweepView::start);
    connect(stop_, &QPushButton::clicked, desk_, &session::SweepDesk::stop);
    connect(resume_, &QPushButton::clicked, this, [this] {
        desk_->resume(desk_->folder());
        result_->focusTable();
    });
}

// Every value of the plan is tried on the project: only while somebody looks.
void SweepView::takeProject() {
    if (isVisible() && session_.project().isOpen()) {
        plan_->setProject(session_.project().spec(), std::exchange(is_another_, false));
    }
    refresh();
}

QString SweepView::obstacle() const {
    const QString why = session_.launcher().obstacle();
    return why.isEmpty() ? plan_->problem() : why;
}

void SweepView::start() {
    if (desk_->isRunning() || !obstacle().isEmpty()) return;
    desk_->start(session_.project().spec(), session_.project().baseFolder(), plan_->settings());
    result_->focusTable();
}

void SweepView::fillEarlier() {
    menu_->clear();
    const QStringList folders = session::SweepDesk::earlier().mid(0, kMostEarlier);
    for (const QString& folder : folders) {
        QAction* action = menu_->addAction(timeOf(folder), this, [this, folder] { desk_->show(folder); });
        action->setToolTip(folder);
        action->setCheckable(true);
        action->setChecked(folder == desk_->folder());
    }
    if (folders.isEmpty()) menu_->addAction(tr("No sweep yet"))->setEnabled(false);
}

// Returns why the best values can't become the open project's; empty: they can.
QString SweepView::bestProblem() const {
    const std::optional<int> best = desk_->sweep() ? desk_->sweep()->best() : std::nullopt;
    if (!best || !session_.project().isOpen()) return tr("No trial has a value yet");
    if (session_.project().spec().name != desk_->projectName().toStdString()) {
        return tr("This sweep is of another project: %1").arg(desk_->projectName());
    }
    engine::spec::RunSpec project = session_.project().spec();
    for (const engine::spec::Diagnostic& found : withBest(project)) {
        if (found.severity == engine::spec::Severity::kError) return models::findingText(found.message);
    }
    return {};
}

// Puts the best trial's values into a project, and says what is wrong with it then.
engine::spec::Diagnostics SweepView::withBest(engine::spec::RunSpec& project) const {
    engine::spec::Diagnostics found;
    const auto& fields = desk_->sweep()->settings().fields;
    const engine::sweep::Configuration& values = desk_->sweep()->trials()[static_cast<std::size_t>(*desk_->sweep()->best())].configuration;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const engine::spec::Diagnostics one = engine::spec::applySetting(project, fields[i].path + "=" + values[i]);
        found.insert(found.end(), one.begin(), one.end());
    }
    return found;
}

// Makes the best values the open project's, as one edit, which Undo takes back.
void SweepView::takeBest() {
    if (!bestProblem().isEmpty()) return;
    session_.project().change(tr("Use a sweep's best values"), [&](engine::spec::RunSpec& project) { withBest(project); });
    emit bestTaken();
}

QString SweepView::sentence() const {
    if (!desk_->error().isEmpty()) return models::findingText(desk_->error());
    if (!desk_->sweep()) return tr("Which values are best?");
    const Sweep& sweep = *desk_->sweep();
    const int ended = countOf(sweep, TrialState::kPaused) + countOf(sweep, TrialState::kDone) + countOf(sweep, TrialState::kFailed);
    const auto all = static_cast<int>(sweep.trials().size());
    if (desk_->isStopping()) return tr("Stopping the runs after their step");
    if (desk_->isRunning()) return tr("%1 of %n trial(s) ended", nullptr, all).arg(ended);
    if (sweep.isOver()) return tr("Over: %n trial(s)", nullptr, all);
    return tr("Stopped: %1 of %n trial(s) ended", nullptr, all).arg(ended);
}

void SweepView::refresh() {
    const bool runs = desk_->isRunning(), has_sweep = desk_->sweep().has_value(), is_open = session_.project().isOpen();
    const bool is_over = has_sweep && desk_->sweep()->isOver();
    const QString why = obstacle();
    start_->setVisible(!runs && !has_sweep && is_open);
    start_->setEnabled(why.isEmpty());
    start_->setToolTip(why);
    stop_->setVisible(runs);
    stop_->setText(desk_->isStopping() ? tr("Stop at once") : tr("Stop"));
    resume_->setVisible(!runs && has_sweep && !is_over);
    new_->setVisible(!runs && has_sweep);
    take_best_->setVisible(is_open && has_sweep && desk_->sweep()->best().has_value());
    const QString best_problem = bestProblem();
    take_best_->setEnabled(best_problem.isEmpty());
    take_best_->setToolTip(best_problem.isEmpty() ? tr("The open project gets the best trial's values; Undo takes them back")
                                                  : best_problem);
    earlier_->setEnabled(!runs);
    stack_->setCurrentWidget(has_sweep                                       ? static_cast<QWidget*>(result_)
                             : !is_open || runs || !desk_->error().isEmpty() ? static_cast<QWidget*>(state_)
                                                                             : static_cast<QWidget*>(plan_));
    QString facts;
    if (has_sweep) {
        facts = tr("%1: %n epoch(s) trained", nullptr, static_cast<int>(desk_->sweep()->epochsTrained())).arg(desk_->projectName());
    } else if (is_open) {
        facts = QString::fromStdString(session_.project().spec().name);
    }
    facts_->setText(facts);
    if (!desk_->error().isEmpty()) {
        state_->setContent(
            {.icon = "error", .title = tr("The sweep ended before its first trial"), .sentence = models::findingText(desk_->error())});
    } else if (runs) {
        state_->setContent({.icon = "filter", .title = tr("The sweep begins"), .sentence = {}, .progress = -1});
    } else {
        state_->setContent(
            {.icon = "filter",
             .title = tr("No project is open"),
             .sentence = tr("A sweep trains the open project with many values of some of its fields. Choose a template, or open a "
                            "project (Ctrl+O)."),
             .first = tr("Choose a template")});
    }
    emit sentenceChanged();
}

void SweepView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    takeProject();
}

void SweepView::retranslate() {
    back_->setText(tr("Runs"));
    earlier_->setText(tr("Earlier sweeps"));
    new_->setText(tr("New sweep"));
    take_best_->setText(tr("Use best values"));
    resume_->setText(tr("Go on"));
    start_->setText(tr("Start"));
    plan_->retranslate();
    result_->retranslate();
    refresh();
}

}  // namespace ui::views

#include "moc_sweep_view.cpp"
