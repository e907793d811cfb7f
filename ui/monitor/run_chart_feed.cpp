// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/run_chart_feed.h"

#include <algorithm>
#include <cmath>

#include "engine/run/event_file_run.h"
#include "engine/run/run_series.h"
#include "engine/spec/cluster/task_plan.h"
#include "ui/charts/chart_card.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

using charts::ChartCard;
using charts::NumberFormat;
using session::PointTable;
using session::TaskRecord;

namespace {

constexpr int kValidationColor = 1;

// Returns the rows that a task reported, whichever way it did.
const PointTable& rowsOf(const TaskRecord& task) {
    return task.own.size() >= task.whole.size() ? task.own : task.whole;
}

bool isMetric(std::string_view name) {
    return name != RunChartFeed::kLoss && name != RunChartFeed::kRate && name != RunChartFeed::kStaleness;
}

}  // namespace

RunChartFeed::RunChartFeed(const Charts& charts, const theme::ThemeController& themes, QObject* parent)
    : QObject(parent), charts_(charts), themes_(themes) {}

// Returns the run's own colour, unless the curve of a task that is drawn beside it has that one.
int RunChartFeed::colorBesideTasks(int color) const {
    constexpr int kColors = 8;
    const theme::Theme& t = themes_.theme();
    const auto& tasks = run_->tasks();
    const auto isTaken = [&](int one) {
        return std::any_of(tasks.begin(), tasks.end(), [&](const TaskRecord& task) { return t.taskColor(task.id) == t.seriesColor(one); });
    };
    if (tasks.size() < 2 || !isTaken(color)) return color;
    for (int other = 0; other < kColors; ++other) {
        if (!isTaken(other)) return other;
    }
    return color;
}

QString RunChartFeed::metricTitle() const {
    if (metric_name_ == "accuracy") return tr("Accuracy");
    QString title = QString::fromStdString(metric_name_);
    title.replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    return title;
}

void RunChartFeed::setTexts() {
    charts_.loss->setTexts(tr("Loss"), tr("loss"));
    charts_.metric->setTexts(metricTitle(), metricTitle().toLower());
    charts_.rate->setTexts(tr("Learning rate"), tr("learning rate"));
    charts_.throughput->setTexts(tr("Throughput"), tr("images / s"));
    if (run_ == nullptr) return;
    if (loss_train_ >= 0) charts_.loss->setSeriesName(loss_train_, tr("train"));
    if (metric_train_ >= 0) charts_.metric->setSeriesName(metric_train_, tr("train"));
    charts_.loss->setSeriesName(loss_validation_, tr("validation"));
    charts_.metric->setSeriesName(metric_validation_, tr("validation"));
    if (loss_parent_ >= 0) {
        for (const auto& [card, series] : {std::pair(charts_.loss, loss_parent_), {charts_.metric, metric_parent_}}) {
            card->setSeriesName(series, tr("%1, before the branch").arg(parent_->summary().name));
        }
    }
    charts_.rate->setSeriesName(rate_, tr("rate"));
    charts_.throughput->setSeriesName(total_, tr("total"));
}

void RunChartFeed::begin(const session::RunRecord* run, const session::RunRecord* parent, Workers workers) {
    run_ = run;
    parent_ = parent;
    loss_parent_ = metric_parent_ = -1;
    tasks_.clear();
    row_ = total_row_ = epoch_row_ = 0;
    rate_row_ = 1;
    rate_changes_.clear();
    total_meter_ = engine::run::RateMeter();
    loss_train_ = metric_train_ = -1;
    if (run_ == nullptr) return;

    const int color = run_->summary().color;
    if (workers == Workers::kMean) {
        loss_train_ = charts_.loss->addSeries({}, {.color = color, .live = true});
        metric_train_ = charts_.metric->addSeries({}, {.color = color, .live = true});
    }
    rate_ = charts_.rate->addSeries({}, {.color = color, .steps = true, .exact = true, .live = true, .format = NumberFormat::kRate});
    total_ = charts_.throughput->addSeries(
        {}, {.color = colorBesideTasks(color), .exact = true, .end_label = true, .live = true, .format = NumberFormat::kCount});
    addTasks(workers);
    const charts::SeriesStyle validation{
        .color = color == kValidationColor ? 0 : kValidationColor, .dashed = true, .hollow_points = true, .exact = true};
    loss_validation_ = charts_.loss->addSeries({}, validation);
    metric_validation_ = charts_.metric->addSeries({}, validation);
    if (parent_ == nullptr) return;
    const charts::SeriesStyle before{.color = parent_->summary().color, .second_dash = parent_->summary().color == color};
    loss_parent_ = charts_.loss->addSeries({}, before);
    metric_parent_ = charts_.metric->addSeries({}, before);
}

// Draws the parent's curves up to the branch, at once, when all of them are there. On axes of time they end where the branch begins, as if
// both had been one run.
void RunChartFeed::takeParent() {
    const std::int64_t behind = run_->history().resumedAtFirst();
    if (parent_ == nullptr || behind <= 0 || !charts_.loss->series(loss_parent_).empty()) return;
    const PointTable& table = parent_->global();
    const auto* losses = table.find(kLoss);
    const auto* metrics = table.find(metric_name_);
    const auto end = std::upper_bound(table.step.begin(), table.step.end(), static_cast<double>(behind));
    if (losses == nullptr || end == table.step.begin() || (end == table.step.end() && !parent_->hasAllEvents())) return;
    const auto count = static_cast<std::size_t>(end - table.step.begin());
    const std::int64_t shift = run_->createdUnixNs() - unixNsOf(*parent_, table.time_s[count - 1]);
    const auto put = [&](ChartCard* card, int series, const std::vector<double>* column, std::size_t i) {
        if (column == nullptr) return;
        card->series(series).append(static_cast<std::int64_t>(table.step[i]), unixNsOf(*parent_, table.time_s[i]) + shift,
                                    static_cast<float>((*column)[i]));
    };
    for (std::size_t i = 0; i < count; ++i) {
        put(charts_.loss, loss_parent_, losses, i);
        put(charts_.metric, metric_parent_, metrics, i);
    }
}

void RunChartFeed::addTasks(Workers workers) {
    const auto coordinator = engine::spec::coordinatorOf(run_->run());  // it trains nothing: its rows are the workers' means
    for (const TaskRecord& task : run_->tasks()) {
        TaskFeed feed;
        const QString mark = theme::taskMark(task.id);
        const bool odd = task.id.index % 2 == 1;
        if (task.id.type == "ps") {  // it has no steps of its own
            tasks_.push_back(feed);
            continue;
        }
        if (workers == Workers::kEach) {
            feed.loss = charts_.loss->addSeries(mark, {.task = task.id, .dashed = odd, .worker_dash = true, .live = true});
            feed.metric = charts_.metric->addSeries(mark, {.task = task.id, .dashed = odd, .worker_dash = true, .live = true});
        }
        if (run_->tasks().size() > 1 && task.id != coordinator) {
            feed.rate = charts_.throughput->addSeries(
                mark,
                {.task = task.id, .dashed = odd, .worker_dash = true, .exact = true, .end_label = true, .format = NumberFormat::kCount});
        }
        tasks_.push_back(feed);
    }
}

void RunChartFeed::feedTable(const PointTable& table, std::size_t& row, int loss, int metric, int rate, std::size_t& rows) {
    const auto* losses = table.find(kLoss);
    const auto* rates = table.find(kRate);
    const auto* metrics = table.find(metric_name_);
    const auto put = [&](ChartCard* card, int series, const std::vector<double>* column, std::size_t i) {
        if (series < 0 || column == nullptr) return;
        card->series(series).append(static_cast<std::int64_t>(table.step[i]), unixNsOf(*run_, table.time_s[i]),
                                    static_cast<float>((*column)[i]));
    };
    for (; row < table.size() && rows > 0; ++row, --rows) {
        put(charts_.loss, loss, losses, row);
        put(charts_.metric, metric, metrics, row);
        put(charts_.rate, rate, rates, row);
    }
}

void RunChartFeed::feedThroughput(const PointTable& table, std::size_t& row, engine::run::RateMeter& meter, int series, Examples examples,
                                  std::size_t& rows) {
    if (isOfEventFiles(run_->history().info())) return;  // which do not say how many examples a step had
    for (; row < table.size() && rows > 0; ++row, --rows) {
        if (row > 0 && run_->pausedBetween(table.time_s[row - 1], table.time_s[row])) meter.pause();
        const bool of_all = examples == Examples::kOfCluster;
        const auto rate = meter.add(table.time_s[row], of_all ? clusterExamples(run_->history(), table, row) : table.examples[row]);
        if (!rate || series < 0) continue;
        charts_.throughput->series(series).append(static_cast<std::int64_t>(table.step[row]), unixNsOf(*run_, table.time_s[row]),
                                                  static_cast<float>(*rate));
    }
    // A run that was over within a moment has its rate as a whole.
    if (row < table.size() || series < 0 || !charts_.throughput->series(series).empty() || !isFinal(run_->state())) return;
    if (const auto rest = meter.rest()) {
        charts_.throughput->series(series).append(static_cast<std::int64_t>(table.step.back()), unixNsOf(*run_, table.time_s.back()),
                                                  static_cast<float>(*rest));
    }
}

RunChartFeed::Taken RunChartFeed::takePoints(std::size_t& rows) {
    const PointTable& global = run_->global();
    // The first column that is neither loss nor learning rate names the metric.
    const auto named = std::find_if(global.names.begin(), global.names.end(), [](const std::string& name) { return isMetric(name); });
    if (named != global.names.end() && *named != metric_name_) {
        metric_name_ = *named;
        setTexts();
    }
    if (tasks_.size() != run_->tasks().size()) return Taken::kOtherTasks;

    takeParent();
    feedTable(global, row_, loss_train_, metric_train_, rate_, rows);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const TaskRecord& task = run_->tasks()[i];
        feedTable(task.own, tasks_[i].loss_row, tasks_[i].loss, tasks_[i].metric, -1, rows);
        feedThroughput(rowsOf(task), tasks_[i].rate_row, tasks_[i].meter, tasks_[i].rate, Examples::kOwn, rows);
    }
    feedThroughput(global, total_row_, total_meter_, total_, Examples::kOfCluster, rows);  // over the chief's clock
    return rows > 0 ? Taken::kPoints : Taken::kSomePoints;
}

// The changes are read from the curve itself, whoever made them.
bool RunChartFeed::takeRateChanges() {
    const models::Series& rate = charts_.rate->series(rate_);
    const PointTable& global = run_->global();
    if (rate_row_ > rate.size()) {
        rate_row_ = 1;
        rate_changes_.clear();
    }
    const std::size_t before = rate_changes_.size();
    for (; rate_row_ < rate.size(); ++rate_row_) {
        const auto point = rate.at(rate_row_);
        if (point.value == rate.at(rate_row_ - 1).value) continue;
        RateChange change{.step = point.step, .time_unix_ns = point.time_unix_ns, .rate = static_cast<double>(point.value)};
        const auto at = std::lower_bound(global.step.begin(), global.step.end(), static_cast<double>(point.step));
        if (at != global.step.end()) change.epoch = static_cast<int>(global.epoch[static_cast<std::size_t>(at - global.step.begin())]);
        rate_changes_.push_back(change);
    }
    return rate_changes_.size() != before;
}

void RunChartFeed::takeEpochs() {
    const auto& epochs = run_->epochs();
    for (; epoch_row_ < epochs.size(); ++epoch_row_) {
        const auto& epoch = epochs[epoch_row_];
        const auto put = [&](ChartCard* card, int series, const std::string& name) {
            const double value = epoch.log(name);
            if (std::isfinite(value)) card->series(series).append(epoch.end.step, unixNsOf(*run_, epoch.time_s), static_cast<float>(value));
        };
        put(charts_.loss, loss_validation_, "val_loss");
        put(charts_.metric, metric_validation_, "val_" + metric_name_);
    }
    charts_.loss->dataChanged();
    charts_.metric->dataChanged();
}

}  // namespace ui::views

#include "moc_run_chart_feed.cpp"
