// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/time_bar.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/numbers.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/time_travel.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kPagesOfARun = 20;
constexpr int kLeastSlider = 120;

// Returns the value in the last row at or before `step`; not a number when there is none.
double valueAt(const session::PointTable& table, std::string_view name, std::int64_t step) {
    const auto* column = table.find(name);
    const auto behind = std::upper_bound(table.step.begin(), table.step.end(), static_cast<double>(step));
    if (column == nullptr || behind == table.step.begin()) return std::numeric_limits<double>::quiet_NaN();
    return (*column)[static_cast<std::size_t>(behind - table.step.begin()) - 1];
}

}  // namespace

TimeBar::TimeBar(session::TimeTravel& travel, const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), travel_(travel) {
    title_ = named(new TextLabel(themes, TextRole::kStrong, Ink::kText, this), "timeTitle");
    facts_ = named(new TextLabel(themes, TextRole::kMono, Ink::kText2, this), "timeFacts");
    facts_->setElided(true);
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setObjectName(QStringLiteral("timeSlider"));
    slider_->setMinimumWidth(kLeastSlider);
    branch_ = named(new QPushButton(this), "timeBranch", "link");
    now_ = named(new QPushButton(this), "timeNow", "link");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace3);
    row->addWidget(title_);
    row->addWidget(slider_, 1);
    row->addWidget(facts_);
    row->addWidget(branch_);
    row->addWidget(now_);
    connect(slider_, &QSlider::valueChanged, this, [this](int step) { travel_.goTo(step); });
    connect(branch_, &QPushButton::clicked, this, &TimeBar::branchWanted);
    connect(now_, &QPushButton::clicked, this, [this] { travel_.end(); });
    connect(&travel_, &session::TimeTravel::changed, this, &TimeBar::refresh);
    hide();
}

void TimeBar::setRun(const session::RunRecord* run) {
    if (run != run_) facts_->setMinimumWidth(0);
    run_ = run;
    refresh();
}

void TimeBar::setCheckpoint(std::int64_t step) {
    checkpoint_ = step;
    branch_->setEnabled(step >= 0);
    branch_->setToolTip(step >= 0 ? tr("Open a project that goes on behind step %1, as a run of its own").arg(models::formatCount(step))
                                  : tr("No checkpoint lies before this step"));
}

void TimeBar::focusSlider() {
    slider_->setFocus(Qt::OtherFocusReason);
}

void TimeBar::refresh() {
    setVisible(run_ != nullptr && travel_.isOn());
    if (run_ == nullptr || !travel_.isOn()) return;
    const QSignalBlocker quiet(slider_);
    const auto last = static_cast<int>(std::min<std::int64_t>(run_->lastStep(), std::numeric_limits<int>::max()));
    slider_->setRange(static_cast<int>(std::min<std::int64_t>(run_->history().resumedAtFirst(), last)), last);
    slider_->setPageStep(std::max(1, last / kPagesOfARun));
    slider_->setValue(static_cast<int>(std::min<std::int64_t>(travel_.step(), last)));
    facts_->setText(factsText());
    // The slider keeps its width, or its handle would move away below the mouse: the text only takes more room, and never most of it.
    if (travel_.past() != nullptr) {  // until then it says that it reads, which is gone in a moment
        facts_->setMinimumWidth(std::min(std::max(facts_->minimumWidth(), facts_->sizeHint().width()), width() / 2));
    }
    slider_->setAccessibleDescription(facts_->text());
}

QString TimeBar::factsText() const {
    const session::PointTable& global = run_->global();
    QStringList parts{tr("step %1 of %2").arg(models::formatCount(travel_.step()), models::formatCount(run_->lastStep())),
                      models::formatDuration(travel_.seconds())};
    const double rate = valueAt(global, "learning_rate", travel_.step()), loss = valueAt(global, "loss", travel_.step());
    if (std::isfinite(rate)) parts << tr("learning rate %1").arg(models::formatRate(rate));
    if (std::isfinite(loss)) parts << tr("loss %1").arg(models::formatMetric(loss));
    if (travel_.past() == nullptr) parts << tr("reading…");
    return parts.join(QStringLiteral(" \u00b7 "));
}

void TimeBar::retranslate() {
    title_->setText(tr("Time"));
    slider_->setAccessibleName(tr("Step of the run that is shown"));
    branch_->setText(tr("Branch here"));
    now_->setText(tr("Back to now"));
    now_->setToolTip(tr("Esc"));
    setCheckpoint(checkpoint_);
    refresh();
}

}  // namespace ui::views

#include "moc_time_bar.cpp"
