// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/monitor_charts.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/models/numbers.h"
#include "ui/session/run_record.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

using charts::ChartCard;
using charts::Marker;
using charts::NumberFormat;
using session::PointTable;
using session::TaskRecord;

namespace {

constexpr int kThreeColumnsFrom = 1400;  // of the grid: a window of about 1700
constexpr int kValidationColor = 1;
constexpr std::string_view kLoss = "loss", kRate = "learning_rate";

// The rows a task reported, whichever way it did.
const PointTable& rowsOf(const TaskRecord& task) { return task.own.size() >= task.whole.size() ? task.own : task.whole; }

bool isMetric(std::string_view name) { return name != kLoss && name != kRate; }

}  // namespace

MonitorCharts::MonitorCharts(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    group_ = new charts::ChartGroup(this);
    grid_ = new QGridLayout(this);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(theme::kSpace3);
    loss_ = new ChartCard(QStringLiteral("chartLoss"), themes, this);
    metric_ = new ChartCard(QStringLiteral("chartMetric"), themes, this);
    rate_ = new ChartCard(QStringLiteral("chartLearningRate"), themes, this);
    throughput_ = new ChartCard(QStringLiteral("chartThroughput"), themes, this);
    cards_ = {loss_, metric_, rate_, throughput_};
    rate_->setYScale(charts::YScale::kLog);
    for (ChartCard* card : cards_) {
        group_->add(*card);
        connect(card, &ChartCard::expandWanted, this, [this, card] {
            expanded_ = expanded_ == card ? nullptr : card;
            arrange();
        });
        connect(card, &ChartCard::pinToggled, this, [this, card](bool on) {
            pinned_ = on ? card : (pinned_ == card ? nullptr : pinned_);
            arrange();
        });
    }
    setTexts();
    arrange();
}

void MonitorCharts::setRun(const session::RunRecord* run) {
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = run;
    rebuildSeries();
    if (run_ == nullptr) return;
    using session::RunRecord;
    connect(run_, &RunRecord::pointsArrived, this, &MonitorCharts::takePoints);
    connect(run_, &RunRecord::epochsChanged, this, &MonitorCharts::takeEpochs);
    for (const auto signal : {&RunRecord::checkpointsChanged, &RunRecord::controlsChanged, &RunRecord::stateChanged}) {
        connect(run_, signal, this, &MonitorCharts::takeMarkers);
    }
}

void MonitorCharts::setWorkers(Workers workers) {
    if (workers == workers_) return;
    workers_ = workers;
    rebuildSeries();
}

bool MonitorCharts::hasEachWorker() const {
    return run_ != nullptr && run_->tasks().size() > 1 &&
           std::any_of(run_->tasks().begin(), run_->tasks().end(), [](const TaskRecord& task) { return task.own.find(kLoss) != nullptr; });
}

void MonitorCharts::setShort(bool on) {
    if (on == short_) return;
    short_ = on;
    arrange();
}

QString MonitorCharts::metricTitle() const {
    if (metric_name_ == "accuracy") return tr("Accuracy");
    QString title = QString::fromStdString(metric_name_);
    title.replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    return title;
}

void MonitorCharts::setTexts() {
    loss_->setTexts(tr("Loss"), tr("loss"));
    metric_->setTexts(metricTitle(), metricTitle().toLower());
    rate_->setTexts(tr("Learning rate"), tr("learning rate"));
    throughput_->setTexts(tr("Throughput"), tr("images / s"));
    if (run_ == nullptr) return;
    if (loss_train_ >= 0) loss_->setSeriesName(loss_train_, tr("train"));
    if (metric_train_ >= 0) metric_->setSeriesName(metric_train_, tr("train"));
    loss_->setSeriesName(loss_validation_, tr("validation"));
    metric_->setSeriesName(metric_validation_, tr("validation"));
    rate_->setSeriesName(rate_series_, tr("rate"));
    throughput_->setSeriesName(total_, tr("total"));
}

void MonitorCharts::retranslate() {
    setTexts();
    for (ChartCard* card : cards_) card->retranslate();
}

void MonitorCharts::rebuildSeries() {
    for (ChartCard* card : cards_) card->clearSeries();
    tasks_.clear();
    row_ = total_row_ = epoch_row_ = 0;
    flag_row_ = 1;
    rate_flags_.clear();
    epoch_flags_.clear();
    total_meter_ = models::RateMeter();
    loss_train_ = metric_train_ = -1;
    if (run_ == nullptr) return;

    const int color = run_->summary().color;
    const bool each = workers_ == Workers::kEach && hasEachWorker();
    if (!each) {
        loss_train_ = loss_->addSeries({}, {.color = color, .live = true});
        metric_train_ = metric_->addSeries({}, {.color = color, .live = true});
    }
    rate_series_ = rate_->addSeries({}, {.color = color, .steps = true, .exact = true, .live = true, .format = NumberFormat::kRate});
    total_ = throughput_->addSeries({}, {.color = color, .exact = true, .end_label = true, .live = true, .format = NumberFormat::kCount});
    for (const TaskRecord& task : run_->tasks()) {
        TaskFeed feed;
        const QString mark = theme::taskMark(task.id);
        const bool odd = task.id.index % 2 == 1;
        if (each) {
            feed.loss = loss_->addSeries(mark, {.task = task.id, .dashed = odd, .worker_dash = true, .live = true});
            feed.metric = metric_->addSeries(mark, {.task = task.id, .dashed = odd, .worker_dash = true, .live = true});
        }
        if (run_->tasks().size() > 1) {
            feed.rate = throughput_->addSeries(mark, {.task = task.id, .dashed = odd, .worker_dash = true, .exact = true,
                                                      .end_label = true, .format = NumberFormat::kCount});
        }
        tasks_.push_back(feed);
    }
    const charts::SeriesStyle validation{.color = color == kValidationColor ? 0 : kValidationColor, .dashed = true, .hollow_points = true,
                                         .exact = true};
    loss_validation_ = loss_->addSeries({}, validation);
    metric_validation_ = metric_->addSeries({}, validation);
    for (ChartCard* card : cards_) card->setOrigin(run_->createdUnixNs());
    setTexts();
    takePoints();
    takeEpochs();
    takeMarkers();
}

std::int64_t MonitorCharts::unixNs(double time_s) const {
    return run_->createdUnixNs() + (std::isfinite(time_s) ? static_cast<std::int64_t>(std::llround(time_s * 1e9)) : 0);
}

void MonitorCharts::feedTable(const PointTable& table, std::size_t& row, int loss, int metric, int rate) {
    const auto* losses = table.find(kLoss);
    const auto* rates = table.find(kRate);
    const auto* metrics = table.find(metric_name_);
    const auto put = [&](ChartCard* card, int series, const std::vector<double>* column, std::size_t i) {
        if (series < 0 || column == nullptr) return;
        card->series(series).append(static_cast<std::int64_t>(table.step[i]), unixNs(table.time_s[i]), static_cast<float>((*column)[i]));
    };
    for (; row < table.size(); ++row) {
        put(loss_, loss, losses, row);
        put(metric_, metric, metrics, row);
        put(rate_, rate, rates, row);
    }
}

void MonitorCharts::feedThroughput(const PointTable& table, std::size_t& row, models::RateMeter& meter, int series, double share) {
    for (; row < table.size(); ++row) {
        const auto rate = meter.add(table.time_s[row], table.examples[row] * share);
        if (!rate || series < 0) continue;
        throughput_->series(series).append(static_cast<std::int64_t>(table.step[row]), unixNs(table.time_s[row]), static_cast<float>(*rate));
    }
}

void MonitorCharts::takePoints() {
    if (run_ == nullptr) return;
    const PointTable& global = run_->global();
    // The first column that is neither loss nor learning rate names the metric.
    const auto named = std::find_if(global.names.begin(), global.names.end(), [](const std::string& name) { return isMetric(name); });
    if (named != global.names.end() && *named != metric_name_) {
        metric_name_ = *named;
        setTexts();
    }
    // Tasks appear later than the run when their number was not known; their series then are made anew.
    if (tasks_.size() != run_->tasks().size()) return rebuildSeries();

    feedTable(global, row_, loss_train_, metric_train_, rate_series_);
    double examples = 0;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const TaskRecord& task = run_->tasks()[i];
        const PointTable& rows = rowsOf(task);
        if (rows.size() > 0) examples += rows.examples.back();
        feedTable(task.own, tasks_[i].loss_row, tasks_[i].loss, tasks_[i].metric, -1);
        feedThroughput(rows, tasks_[i].rate_row, tasks_[i].meter, tasks_[i].rate, 1);
    }
    // All replicas take a step together: the whole cluster's examples a step over the chief's clock.
    const double own = global.size() > 0 ? global.examples.back() : 0;
    feedThroughput(global, total_row_, total_meter_, total_, own > 0 ? std::max(1.0, examples / own) : 1);
    for (ChartCard* card : cards_) {
        card->setLive(run_->phase() == session::RunPhase::kTraining);
        card->dataChanged();
    }
    takeRateFlags();
}

// Where the learning rate changed, whoever changed it: read from the curve itself.
void MonitorCharts::takeRateFlags() {
    const models::Series& rate = rate_->series(rate_series_);
    const PointTable& global = run_->global();
    if (flag_row_ > rate.size()) {
        flag_row_ = 1;
        rate_flags_.clear();
        epoch_flags_.clear();
    }
    const std::size_t before = rate_flags_.size();
    for (; flag_row_ < rate.size(); ++flag_row_) {
        const auto point = rate.at(flag_row_);
        if (point.value == rate.at(flag_row_ - 1).value) continue;
        const QString text = models::formatRate(static_cast<double>(point.value));
        Marker mark{Marker::Kind::kFlag, point.step, point.time_unix_ns, text,
                    tr("learning rate %1 from step %2").arg(text, models::formatCount(point.step))};
        rate_flags_.push_back(mark);
        const auto at = std::lower_bound(global.step.begin(), global.step.end(), static_cast<double>(point.step));
        if (at != global.step.end()) {
            mark.label = tr("epoch %1").arg(static_cast<int>(global.epoch[static_cast<std::size_t>(at - global.step.begin())]) + 1);
        }
        epoch_flags_.push_back(mark);
    }
    if (rate_flags_.size() != before) takeMarkers();
}

void MonitorCharts::takeEpochs() {
    if (run_ == nullptr) return;
    const auto& epochs = run_->epochs();
    for (; epoch_row_ < epochs.size(); ++epoch_row_) {
        const auto& epoch = epochs[epoch_row_];
        const auto put = [&](ChartCard* card, int series, const std::string& name) {
            const double value = epoch.log(name);
            if (std::isfinite(value)) card->series(series).append(epoch.end.step, unixNs(epoch.time_s), static_cast<float>(value));
        };
        put(loss_, loss_validation_, "val_loss");
        put(metric_, metric_validation_, "val_" + metric_name_);
    }
    loss_->dataChanged();
    metric_->dataChanged();
}

void MonitorCharts::takeMarkers() {
    if (run_ == nullptr) return;
    std::vector<Marker> checkpoints;
    std::size_t best = 0;
    for (std::size_t i = 0; i < run_->checkpoints().size(); ++i) {
        if (run_->checkpoints()[i].saved.best) best = i;
    }
    for (std::size_t i = 0; i < run_->checkpoints().size(); ++i) {
        const auto& entry = run_->checkpoints()[i];
        const bool is_best = entry.saved.best && i == best;
        checkpoints.push_back({is_best ? Marker::Kind::kBestCheckpoint : Marker::Kind::kCheckpoint, entry.saved.step, unixNs(entry.time_s), {},
                               tr("%1, epoch %2, step %3").arg(QString::fromStdString(entry.saved.prefix)).arg(entry.saved.epoch + 1)
                                   .arg(models::formatCount(entry.saved.step))});
    }
    // A schedule by the step changes all the time: no flags then.
    constexpr std::size_t kMostFlags = 24;
    const bool few = rate_flags_.size() <= kMostFlags;
    const std::vector<Marker> flags = few ? rate_flags_ : std::vector<Marker>();
    const std::vector<Marker> epochs = few ? epoch_flags_ : std::vector<Marker>();
    std::vector<Marker> failures;
    if (const TaskRecord* failed = run_->firstFailure()) {
        const std::int64_t step = std::max<std::int64_t>(failed->last_step, run_->lastStep());
        failures.push_back({Marker::Kind::kFailure, step, failed->failed_unix_ns, tr("%1 lost").arg(QString::fromStdString(engine::spec::toString(failed->id))),
                            failed->failure ? QString::fromStdString(failed->failure->reason) : failed->detail});
    }
    const auto joined = [](std::initializer_list<const std::vector<Marker>*> lists) {
        std::vector<Marker> all;
        for (const auto* list : lists) all.insert(all.end(), list->begin(), list->end());
        return all;
    };
    loss_->setMarkers(joined({&flags, &failures, &checkpoints}));
    metric_->setMarkers(joined({&flags, &failures, &checkpoints}));
    rate_->setMarkers(joined({&epochs, &failures}));
    throughput_->setMarkers(failures);
    for (ChartCard* card : cards_) card->setLive(run_->phase() == session::RunPhase::kTraining);
}

void MonitorCharts::arrange() {
    while (QLayoutItem* item = grid_->takeAt(0)) delete item;
    std::vector<ChartCard*> shown = cards_;
    if (short_) shown = {loss_, throughput_};
    if (expanded_ != nullptr) shown = {expanded_};
    if (pinned_ != nullptr) std::stable_partition(shown.begin(), shown.end(), [this](ChartCard* card) { return card == pinned_; });
    for (ChartCard* card : cards_) card->setVisible(std::find(shown.begin(), shown.end(), card) != shown.end());
    const int columns = shown.size() == 1 ? 1 : (width() >= kThreeColumnsFrom && shown.size() > 2 ? 3 : 2);
    for (std::size_t i = 0; i < shown.size(); ++i) grid_->addWidget(shown[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
    for (int column = 0; column < 3; ++column) grid_->setColumnStretch(column, column < columns ? 1 : 0);
    const int rows = (static_cast<int>(shown.size()) + columns - 1) / columns;
    for (int row = 0; row < 4; ++row) grid_->setRowStretch(row, row < rows ? 1 : 0);
}

void MonitorCharts::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || expanded_ == nullptr) return QWidget::keyPressEvent(event);
    expanded_ = nullptr;
    arrange();
}

void MonitorCharts::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace ui::views
