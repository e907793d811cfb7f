// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_progress.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/run/event_file_run.h"
#include "ui/models/numbers.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/epoch_progress.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::RunRecord;
using session::RunState;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kHeight = 44;
constexpr double kSpeedSeconds = 10;

}  // namespace

double elapsedSeconds(const RunRecord& run) {
    const auto& points = run.global();
    const double last = points.size() > 0 ? points.time_s.back() : 0;
    const double idle = static_cast<double>(run.summary().idle_ns) * 1e-9;
    if (isOfEventFiles(run.history().info())) return last;
    if (isFinal(run.state()))
        return (run.finishedUnixNs() > 0 ? std::max(last, run.secondsSinceCreation(run.finishedUnixNs())) : last) - idle;
    return std::max(last, run.secondsSinceCreation(QDateTime::currentMSecsSinceEpoch() * 1'000'000)) - idle;
}

std::optional<double> secondsLeft(const RunRecord& run) {
    const auto& points = run.global();
    if (points.size() < 2 || run.totalSteps() <= 0) return std::nullopt;
    const std::size_t last = points.size() - 1;
    const double begun = run.attempts().empty() ? 0 : run.attempts().back().time_s;  // before it nothing was trained for a while
    const auto from = std::lower_bound(points.time_s.begin(), points.time_s.end(), std::max(begun, points.time_s[last] - kSpeedSeconds));
    const std::size_t first = std::min(static_cast<std::size_t>(from - points.time_s.begin()), last - 1);
    if (points.time_s[first] < begun) return std::nullopt;
    const double seconds = points.time_s[last] - points.time_s[first];
    const double steps = points.step[last] - points.step[first];
    if (!(steps > 0) || !(seconds > 0)) return std::nullopt;
    return std::max(0.0, (static_cast<double>(run.totalSteps()) - points.step[last]) * seconds / steps);
}

MonitorProgress::MonitorProgress(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    setFixedHeight(kHeight);
    epoch_ = named(new TextLabel(themes, TextRole::kStrong, Ink::kText, this), "monitorEpoch");
    steps_ = named(new TextLabel(themes, TextRole::kMono, Ink::kText2, this), "monitorSteps");
    times_ = named(new TextLabel(themes, TextRole::kMono, Ink::kText2, this), "monitorTimes");
    steps_->setElided(true);
    bar_ = named(new widgets::EpochProgress(themes, this), "monitorProgress");
    auto* texts = new QHBoxLayout;
    texts->setSpacing(theme::kSpace4);
    texts->addWidget(epoch_);
    texts->addWidget(steps_, 1);
    texts->addWidget(times_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, theme::kSpace2);
    layout->setSpacing(theme::kSpace2);
    layout->addLayout(texts);
    layout->addWidget(bar_);
}

void MonitorProgress::show(const RunRecord& run) {
    const std::int64_t total = run.totalSteps();
    // With parameter servers the last step of each worker counts, so that a run ends with some more than it was to have.
    const std::int64_t done = total > 0 ? std::min(run.lastStep(), total) : run.lastStep();
    const std::int64_t per_epoch = run.started() ? run.started()->steps_per_epoch : 0;
    const auto epochs = static_cast<int>(run.started() ? run.started()->epochs : run.run().fit.epochs);
    const std::int64_t passed_over = run.epochsPassedOver();
    const double in_epochs = per_epoch > 0 ? static_cast<double>(done) / static_cast<double>(per_epoch) : 0;
    bar_->setProgress(static_cast<double>(passed_over) + in_epochs, epochs);
    const std::int64_t in_order = per_epoch > 0 && done > 0 ? std::min<std::int64_t>((done - 1) / per_epoch, epochs - passed_over - 1) : 0;
    // A run that is counted in steps has one epoch, which says nothing.
    const bool by_steps = run.run().fit.steps > 0;
    const bool foreign = isOfEventFiles(run.history().info());
    bar_->setVisible(!foreign);
    if (foreign) {
        epoch_->setText(tr("Step %1").arg(models::formatCount(done)));
    } else if (by_steps) {
        epoch_->setText(tr("Step %1 of %2").arg(models::formatCount(done), models::formatCount(total > 0 ? total : run.run().fit.steps)));
    } else {
        epoch_->setText(tr("Epoch %1 of %2").arg(passed_over + in_order + 1).arg(epochs));
    }
    QStringList steps;
    if (per_epoch > 0 && !by_steps)
        steps << tr("step %1 of %2").arg(models::formatCount(done - in_order * per_epoch), models::formatCount(per_epoch));
    if (by_steps) steps << tr("of all workers");
    if (total > 0 && !narrow_ && !by_steps) steps << tr("%1 of %2 in all").arg(models::formatCount(done), models::formatCount(total));
    steps_->setText(steps.join(QStringLiteral(" \u00b7 ")));
    QStringList times;
    if (total > 0) times << models::formatPercent(static_cast<double>(done) / static_cast<double>(total));
    const QString elapsed = models::formatDuration(elapsedSeconds(run));
    times << (run.state() == RunState::kFailed ? tr("stopped after %1").arg(elapsed) : tr("%1 elapsed").arg(elapsed));
    const auto left = secondsLeft(run);
    if (left && run.state() == RunState::kTraining) times << tr("%1 left").arg(models::formatDuration(*left));
    times_->setText(times.join(QStringLiteral(" \u00b7 ")));
}

}  // namespace ui::views

#include "moc_monitor_progress.cpp"
