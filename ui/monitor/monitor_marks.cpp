// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_marks.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/run/run_series.h"
#include "engine/spec/catalog/monitor_direction.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/runs/run_record.h"

namespace ui::views {

using charts::Marker;
using session::PointTable;
using session::RunRecord;
using session::TaskRecord;

namespace {

struct MonitorMarks {
    Q_DECLARE_TR_FUNCTIONS(MonitorMarks)
};

constexpr std::size_t kMostRateMarks = 24;

// Returns who changed the rate, when and why: a user, the run's callbacks or its schedule.
QString rateReason(const RunRecord& run, const RateChange& change) {
    const QString when = models::formatClock(run.secondsSinceCreation(change.time_unix_ns));
    for (const auto& control : run.controls()) {
        const bool near = control.applied.step >= change.step - 1 && control.applied.step <= change.step;
        if (near && control.applied.what.starts_with("learning_rate"))
            return MonitorMarks::tr("set by hand, %1 after the launch").arg(when);
    }
    for (const auto& callback : run.run().callbacks) {
        if (callback.class_name == "LearningRateScheduler" || callback.class_name == "ReduceLROnPlateau")
            return MonitorMarks::tr("by %1, %2 after the launch").arg(QString::fromStdString(callback.class_name), when);
    }
    return MonitorMarks::tr("by the optimizer's schedule, %1 after the launch").arg(when);
}

}  // namespace

std::int64_t unixNsOf(const RunRecord& run, double time_s) {
    return run.createdUnixNs() + (std::isfinite(time_s) ? static_cast<std::int64_t>(std::llround(time_s * 1e9)) : 0);
}

std::vector<Marker> rateMarks(const RunRecord& run, const std::vector<RateChange>& changes, RateLabel label) {
    std::vector<Marker> marks;
    if (changes.size() > kMostRateMarks) return marks;
    for (const RateChange& change : changes) {
        const QString rate = models::formatRate(change.rate);
        const QString what = MonitorMarks::tr("learning rate %1 from step %2").arg(rate, models::formatCount(change.step));
        const bool by_epoch = label == RateLabel::kEpoch && change.epoch >= 0 && run.run().fit.steps == 0;
        marks.push_back({Marker::Kind::kFlag,
                         change.step,
                         change.time_unix_ns,
                         by_epoch ? MonitorMarks::tr("epoch %1").arg(change.epoch + 1) : rate,
                         what + QLatin1Char('\n') + rateReason(run, change),
                         {}});
    }
    return marks;
}

namespace {

// The engine's word for what was done by hand, in the user's language.
QString controlWord(const QString& what) {
    if (what == QLatin1String("pause")) return MonitorMarks::tr("pause");
    if (what == QLatin1String("resume")) return MonitorMarks::tr("resume");
    if (what == QLatin1String("stop")) return MonitorMarks::tr("stop");
    if (what == QLatin1String("stop now")) return MonitorMarks::tr("stop now");
    if (what == QLatin1String("checkpoint now")) return MonitorMarks::tr("checkpoint now");
    return what;
}

}  // namespace

std::vector<models::Pause> pausesOf(const RunRecord& run) {
    std::vector<models::Pause> pauses;
    for (const session::AttemptEntry& attempt : run.attempts()) {
        const std::int64_t begun = unixNsOf(run, attempt.time_s);
        if (attempt.idle_ns > 0) pauses.push_back({begun - attempt.idle_ns, begun});
    }
    return pauses;
}

namespace {

// Returns what became of the tasks, and from where they went on.
QString attemptText(const session::AttemptEntry& attempt) {
    const QString step = models::formatCount(*attempt.resumed_step), time = models::formatClock(attempt.time_s);
    if (attempt.started.by_hand) {
        return MonitorMarks::tr("started again by hand behind step %1, %2 after the launch (attempt %3)")
            .arg(step, time)
            .arg(attempt.started.attempt);
    }
    const QString text =
        attempt.started.left_out.empty()
            ? MonitorMarks::tr("%1: %2, %3 after the launch; all tasks began again behind step %4 (attempt %5 of %6)")
            : MonitorMarks::tr("%1: %2, %3 after the launch; the tasks that are left began again behind step %4 (attempt %5 of %6)");
    return text
        .arg(QString::fromStdString(engine::spec::toString(attempt.lost)),
             models::agentText(QString::fromStdString(attempt.started.reason)), time, step)
        .arg(attempt.started.attempt)
        .arg(attempt.started.attempts);
}

}  // namespace

std::vector<Marker> restartMarks(const RunRecord& run) {
    std::vector<Marker> marks;
    for (const session::AttemptEntry& attempt : run.attempts()) {
        if (!attempt.resumed_step) continue;
        marks.push_back({Marker::Kind::kRestart,
                         *attempt.resumed_step,
                         unixNsOf(run, attempt.time_s),
                         MonitorMarks::tr("restarted"),
                         attemptText(attempt),
                         {}});
    }
    if (const std::int64_t behind = run.history().resumedAtFirst(); behind > 0 && !run.summary().branch_of.isEmpty()) {
        marks.push_back(
            {Marker::Kind::kRestart,
             behind,
             run.createdUnixNs(),
             MonitorMarks::tr("branch"),
             MonitorMarks::tr("it began here, behind step %1 of the run %2").arg(models::formatCount(behind), run.summary().branch_of),
             {}});
    }
    for (const engine::run::ReturnEntry& one : run.history().returns()) {
        marks.push_back({Marker::Kind::kRestart,
                         one.step,
                         unixNsOf(run, one.time_s),
                         MonitorMarks::tr("restarted"),
                         MonitorMarks::tr("%1: %2, %3 after the launch; it alone began again, the others went on")
                             .arg(QString::fromStdString(engine::spec::toString(one.task)),
                                  models::agentText(QString::fromStdString(one.reason)), models::formatClock(one.time_s)),
                         {}});
    }
    const PointTable& global = run.global();
    // When workers do not wait for each other, the first step may be another worker's.
    const bool is_first = engine::run::countsStepsOfAll(run.history()) && run.history().resumedAtFirst() == 0;
    if (global.size() > 0 && global.step.front() > 1 && !is_first) {
        marks.push_back({Marker::Kind::kRestart,
                         static_cast<std::int64_t>(global.step.front()),
                         unixNsOf(run, global.time_s.front()),
                         MonitorMarks::tr("resumed"),
                         MonitorMarks::tr("went on at step %1 from the backup of an earlier attempt")
                             .arg(models::formatCount(static_cast<std::int64_t>(global.step.front()))),
                         {}});
    }
    return marks;
}

std::vector<Marker> controlMarks(const RunRecord& run) {
    std::vector<Marker> marks;
    for (const auto& control : run.controls()) {
        const QString what = QString::fromStdString(control.applied.what);
        if (what.startsWith(QLatin1String("learning_rate")) || what == QLatin1String("step")) continue;
        const QString word = controlWord(what);
        marks.push_back({Marker::Kind::kFlag,
                         control.applied.step,
                         unixNsOf(run, control.time_s),
                         word,
                         MonitorMarks::tr("%1 by hand at step %2, %3 after the launch")
                             .arg(word, models::formatCount(control.applied.step), models::formatClock(control.time_s)),
                         {}});
    }
    for (Marker& restart : restartMarks(run)) marks.push_back(std::move(restart));
    return marks;
}

std::optional<std::size_t> bestCheckpoint(const RunRecord& run) {
    const auto& all = run.checkpoints();
    for (std::size_t i = all.size(); i > 0; --i) {
        if (all[i - 1].saved.best) return i - 1;
    }
    const auto& metrics = run.run().compile.metrics;
    const std::string log = "val_" + (metrics.empty() ? std::string("loss") : logName(metrics.front()));
    const auto direction = engine::spec::betterDirection(log);
    std::optional<std::size_t> best;
    double best_value = NAN;
    for (std::size_t i = 0; direction && i < all.size(); ++i) {
        double value = NAN;
        for (const auto& epoch : run.epochs()) {
            if (epoch.end.epoch == all[i].saved.epoch) value = epoch.log(log);
        }
        const bool is_better = *direction == engine::spec::Direction::kRising ? value > best_value : value < best_value;
        if (!std::isfinite(value) || (best && !is_better)) continue;
        best = i;
        best_value = value;
    }
    return best;
}

std::vector<Marker> checkpointMarks(const RunRecord& run) {
    std::vector<Marker> marks;
    const std::optional<std::size_t> best = bestCheckpoint(run);
    for (std::size_t i = 0; i < run.checkpoints().size(); ++i) {
        const auto& entry = run.checkpoints()[i];
        const bool is_best = best == i;
        const QString prefix = QString::fromStdString(entry.saved.prefix);
        const QString step = models::formatCount(entry.saved.step);
        QString tooltip = run.run().fit.steps > 0
                              ? MonitorMarks::tr("%1, step %2").arg(prefix, step)
                              : MonitorMarks::tr("%1, epoch %2, step %3").arg(prefix).arg(entry.saved.epoch + 1).arg(step);
        if (is_best) tooltip += QLatin1Char('\n') + MonitorMarks::tr("the best so far");
        marks.push_back({is_best ? Marker::Kind::kBestCheckpoint : Marker::Kind::kCheckpoint,
                         entry.saved.step,
                         unixNsOf(run, entry.time_s),
                         {},
                         tooltip,
                         prefix});
    }
    return marks;
}

std::vector<Marker> failureMarks(const RunRecord& run) {
    std::vector<Marker> marks;
    const TaskRecord* first = run.tasks().firstFailure();
    if (first == nullptr) return marks;
    for (const TaskRecord& task : run.tasks()) {
        if (!task.failure) continue;
        const bool noticed = &task != first && task.failure->exit_code >= 0;
        const QString name = QString::fromStdString(engine::spec::toString(task.id));
        const std::int64_t step = std::max<std::int64_t>(task.last_step, &task == first ? run.lastStep() : 0);
        marks.push_back({Marker::Kind::kFailure, step, task.failed_unix_ns,
                         (noticed ? MonitorMarks::tr("%1 ended") : MonitorMarks::tr("%1 lost")).arg(name),
                         MonitorMarks::tr("%1, %2 after the launch")
                             .arg(models::agentText(QString::fromStdString(task.failure->reason)),
                                  models::formatClock(run.secondsSinceCreation(task.failed_unix_ns))),
                         name});
    }
    // When marks lie on each other, the cause is the one to be read, also when another task noticed it before it had ended.
    const QString cause = QString::fromStdString(engine::spec::toString(first->id));
    const auto rank = [&](const Marker& marker) { return std::pair(marker.subject != cause, marker.time_unix_ns); };
    std::stable_sort(marks.begin(), marks.end(), [&](const Marker& a, const Marker& b) { return rank(a) < rank(b); });
    return marks;
}

}  // namespace ui::views
