// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/failure_timeline.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/charts/ticks.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/models/task_list_model.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using engine::spec::TaskState;
using session::RunRecord;
using session::TaskRecord;
using theme::TextRole;
using widgets::paintBox;
using widgets::paintText;

namespace {

constexpr int kHead = 34, kRow = 22, kFoot = 26, kNames = 70, kMostTasks = 6;
constexpr double kLeastWindowMs = 50, kBefore = 0.35, kLongestWindowMs = 60'000;

double sinceFailureMs(std::int64_t unix_ns, std::int64_t failure_unix_ns) {
    return static_cast<double>(unix_ns - failure_unix_ns) * 1e-6;
}

QString milliseconds(double ms) {
    return std::abs(ms) < 1000
               ? FailureTimeline::tr("%1%2 ms").arg(ms < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")).arg(std::abs(std::llround(ms)))
               : FailureTimeline::tr("%1%2 s")
                     .arg(ms < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"))
                     .arg(std::abs(ms) / 1000, 0, 'f', 1);
}

QColor colorOf(const theme::Theme& t, TaskState state) {
    switch (state) {
        case TaskState::kTraining:
            return t.phases.compute;
        case TaskState::kWaiting:
        case TaskState::kConnecting:
            return t.phases.reduce;
        case TaskState::kPaused:
        case TaskState::kReady:
            return t.phases.input;
        case TaskState::kDone:
        case TaskState::kStopped:
            return t.phases.apply;
        case TaskState::kNotStarted:
        case TaskState::kFailed:
            break;
    }
    return {};
}

TaskTimeline timelineOf(const TaskRecord& task, std::int64_t failure_unix_ns, double from_ms, double to_ms) {
    TaskTimeline line;
    line.task = task.id;
    line.failed = task.failure.has_value();
    QStringList words;
    TaskState state = TaskState::kNotStarted;
    double begin = from_ms;
    const auto end = [&](double at) {
        const double upto = std::clamp(at, from_ms, to_ms);
        if (upto > begin) line.stretches.push_back({state, begin, upto});
        begin = std::max(begin, upto);
    };
    for (const session::StateEntry& entry : task.states) {
        const double at = sinceFailureMs(entry.time_unix_ns, failure_unix_ns);
        end(at);
        state = entry.state;
        const bool told_below = state == TaskState::kFailed && task.failure;
        if ((at >= 0 || (state == TaskState::kWaiting && at >= from_ms)) && at <= to_ms && !told_below)
            words << QStringLiteral("%1 %2").arg(models::stateWord(state).toLower(), milliseconds(at));
    }
    if (task.failure) {
        const double at = sinceFailureMs(task.failed_unix_ns, failure_unix_ns);
        end(at);
        state = TaskState::kFailed;
        words << QStringLiteral("%1 %2").arg(task.failure->signal != 0 ? FailureTimeline::tr("killed") : FailureTimeline::tr("failed"),
                                             milliseconds(at));
    }
    end(to_ms);
    line.words = words.join(QStringLiteral(" \u00b7 "));
    return line;
}

}  // namespace

FailureStory failureStory(const RunRecord& run) {
    FailureStory story;
    const TaskRecord* first = run.tasks().firstFailure();
    if (first == nullptr) return story;
    double earliest = 0, last = 0;  // a task that noticed a hanging one failed before that one had ended
    for (const TaskRecord& task : run.tasks()) {
        for (const session::StateEntry& entry : task.states)
            last = std::max(last, sinceFailureMs(entry.time_unix_ns, first->failed_unix_ns));
        if (!task.failure) continue;
        const double failed = sinceFailureMs(task.failed_unix_ns, first->failed_unix_ns);
        earliest = std::min(earliest, failed);
        last = std::max(last, failed);
    }
    story.to_ms = std::clamp(1.6 * std::max(last, -kBefore * earliest), kLeastWindowMs, kLongestWindowMs);
    story.from_ms = std::min(-kBefore * story.to_ms, std::max(1.2 * earliest, -kLongestWindowMs));
    for (const TaskRecord& task : run.tasks()) story.tasks.push_back(timelineOf(task, first->failed_unix_ns, story.from_ms, story.to_ms));
    // Whoever failed is shown where not all find room.
    std::stable_partition(story.tasks.begin(), story.tasks.end(),
                          [&](const TaskTimeline& one) { return story.tasks.size() <= kMostTasks || one.failed; });
    if (story.tasks.size() > kMostTasks) story.tasks.resize(kMostTasks);
    return story;
}

FailureTimeline::FailureTimeline(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("failureTimeline"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void FailureTimeline::setRun(const RunRecord* run) {
    story_ = run == nullptr ? FailureStory{} : failureStory(*run);
    failure_s_ = story_.tasks.empty() ? 0 : run->secondsSinceCreation(run->tasks().firstFailure()->failed_unix_ns);
    setAccessibleName(tr("What happened, by one clock"));
    QStringList words;
    for (const TaskTimeline& line : story_.tasks)
        words << models::withName(QString::fromStdString(engine::spec::toString(line.task)), line.words);
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    setToolTip(words.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

QSize FailureTimeline::sizeHint() const {
    return {600, kHead + static_cast<int>(std::max<std::size_t>(1, story_.tasks.size())) * kRow + kFoot};
}

void FailureTimeline::paintEvent(QPaintEvent*) {
    if (story_.tasks.empty()) return;
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border, 1);
    paintText(painter, QRectF(14, 8, width() - 28, 20), tr("What happened, by one clock"), themes_.font(TextRole::kStrong), t.text);
    const QRectF plot(kNames, kHead, width() - kNames - 30, static_cast<double>(story_.tasks.size()) * kRow);
    const auto xOf = [&](double ms) { return plot.left() + (ms - story_.from_ms) / (story_.to_ms - story_.from_ms) * plot.width(); };
    double top = plot.top();
    for (const TaskTimeline& line : story_.tasks) {
        paintText(painter, QRectF(14, top, kNames - 20, kRow), theme::taskMark(line.task), themes_.font(TextRole::kStrong), t.text);
        const QRectF track(plot.left(), top + 5, plot.width(), 12);
        painter.fillRect(track, t.sunken);
        double right = plot.left();
        for (const TaskTimeline::Stretch& stretch : line.stretches) {
            const QColor color = colorOf(t, stretch.state);
            if (!color.isValid()) continue;
            painter.fillRect(QRectF(xOf(stretch.from_ms), track.top(), std::max(1.0, xOf(stretch.to_ms) - xOf(stretch.from_ms) - 1), 12),
                             color);
            right = std::max(right, xOf(stretch.to_ms));
        }
        const QFont font = themes_.font(TextRole::kTickStrong);
        const double needed = QFontMetricsF(font).horizontalAdvance(line.words) + 16;
        // Beside the bar, or on a plate of its own at the right end where the bar leaves no room.
        QRectF words(right + 6, track.top() - 2, needed, 16);
        if (words.right() > plot.right()) {
            words.moveRight(plot.right());
            painter.fillRect(words, t.surface);
        }
        paintText(painter, words.adjusted(6, 0, 0, 0), line.words, font, line.failed ? t.err : t.text2);
        top += kRow;
    }
    const double failure_x = std::round(xOf(0)) + 0.5;
    painter.setPen(QPen(t.err, 2));
    painter.drawLine(QPointF(failure_x, plot.top()), QPointF(failure_x, plot.bottom() + 2));
    const QFont ticks = themes_.font(TextRole::kMonoTick);
    for (const models::Tick& tick : models::linearTicks({story_.from_ms, story_.to_ms}, 6)) {
        const QString text = tick.position == 0 ? models::formatClock(failure_s_) : milliseconds(tick.position);
        paintText(painter, QRectF(xOf(tick.position) - 50, plot.bottom() + 4, 100, 16), text, ticks, t.text3, Qt::AlignCenter);
    }
}

}  // namespace ui::views

#include "moc_failure_timeline.cpp"
