// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_charts.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/run/event_file_run.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/models/numbers.h"
#include "ui/monitor/host_chart.h"
#include "ui/monitor/monitor_marks.h"
#include "ui/session/host/host_history.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

using charts::ChartCard;
using charts::Marker;
using charts::NumberFormat;
using session::PointTable;
using session::TaskRecord;

namespace {

constexpr int kThreeColumnsFrom = 1280;  // of the grid: a window of 1700
constexpr int kFewCharts = 4, kLeastRowHeight = 226;
constexpr double kBytesOfMegabyte = 1 << 20, kMillisecond = 1e3;
constexpr int kChartColors = 8;
constexpr std::ptrdiff_t kOwnCards = 4;

bool isOf(const engine::run::StreamedSeries& series, bool each, const std::string& name) {
    if (!series.task || !each) return series.task.has_value() == each && series.name == name;
    return series.name == toString(*series.task) + "/" + name;
}

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
    feed_ = new RunChartFeed({.loss = loss_, .metric = metric_, .rate = rate_, .throughput = throughput_}, themes, this);
    rate_->axes().setYScale(charts::YScale::kLog);
    order_ = cards_;
    for (ChartCard* card : cards_) wireCard(card);
    setTexts();
    arrange();
}

// Every series counts in the same way; the first one that has points is asked.
std::optional<double> MonitorCharts::placeOf(std::int64_t step, std::int64_t time_unix_ns) {
    for (charts::ChartCard* card : order_) {
        for (int i = 0; i < card->seriesCount(); ++i) {
            const models::Series& series = card->series(i);
            if (!series.empty()) return series.xOf(step, time_unix_ns, group_->xAxis());
        }
    }
    return std::nullopt;
}

void MonitorCharts::wireCard(ChartCard* card) {
    group_->add(*card);
    connect(card, &ChartCard::expandWanted, this, [this, card] {
        expanded_ = expanded_ == card ? nullptr : card;
        card->setFullSize(expanded_ == card);
        arrange();
    });
    connect(card, &ChartCard::pinToggled, this, [this, card](bool on) {
        pinned_ = on ? card : (pinned_ == card ? nullptr : pinned_);
        arrange();
    });
    connect(card, &ChartCard::moveWanted, this, [this, card](int places) { moveChart(card, places); });
    connect(card, &ChartCard::markerActivated, this, &MonitorCharts::markerActivated);
    connect(card, &ChartCard::menuOpening, this, [this, card](QMenu* menu) { emit chartMenuOpening(card, menu); });
}

QString MonitorCharts::titleOf(const QString& key) const {
    if (isHostChart(key)) return hostChart(key).title;
    if (isLayerChart(key)) return layerChart(key).title;
    const QString name = key.section(QLatin1Char('/'), 1);
    const bool each = key.startsWith(QLatin1String("task/"));
    if (name == QLatin1String("input_us")) return tr("Input time");
    if (name == QLatin1String("compute_us")) return tr("Compute time");
    if (name == QLatin1String("wait_us")) return tr("Waiting time");
    if (name == QLatin1String("reduce_us")) return tr("Reduce time");
    if (name == QLatin1String("apply_us")) return tr("Apply time");
    if (name == QLatin1String("cpu_cores")) return tr("Processor of each task");
    if (name == QLatin1String("memory_bytes")) return tr("Memory of each task");
    if (name == QLatin1String("weights_norm")) return tr("Norm of the weights");
    if (name == QLatin1String("gradients_norm")) return tr("Norm of the gradients");
    if (name == QLatin1String("staleness")) return each ? tr("Staleness of each worker") : tr("Staleness");
    if (name == QLatin1String("updates_per_s")) return tr("Updates of each ps");
    if (name == QLatin1String("pulled_bytes_per_s")) return tr("Variables pulled from each ps");
    if (name == QLatin1String("pushed_bytes_per_s")) return tr("Gradients pushed to each ps");
    if (name == QLatin1String("throughput")) return each ? tr("Throughput of each task") : tr("Throughput");
    return each && !isForeign() ? tr("%1 of each task").arg(name) : name;
}

void MonitorCharts::setTexts(ChartCard& card, const QString& key) const {
    card.setTexts(titleOf(key), isHostChart(key)    ? hostChart(key).unit
                                : isLayerChart(key) ? layerChart(key).y_name
                                                    : titleOf(key).toLower());
}

QString MonitorCharts::unitOf(const std::string& unit) {
    if (unit == "us") return tr("ms");
    if (unit == "bytes") return tr("MB");
    if (unit == "cores") return tr("cores");
    if (unit == "images/s") return tr("images / s");
    if (unit == "bytes/s") return tr("MB / s");
    if (unit == "updates/s") return tr("updates / s");
    return {};
}

std::vector<std::pair<QString, QString>> MonitorCharts::addable() const {
    std::vector<std::pair<QString, QString>> keys;
    if (run_ == nullptr) return keys;
    for (const engine::run::StreamedSeries& series : engine::run::streamedSeries(run_->history())) {
        if (series.source == engine::run::StreamedSeries::Source::kLayer) continue;  // all layers share a chart
        QString name = QString::fromStdString(series.name);
        if (series.task) name = name.section(QLatin1Char('/'), 1);
        const QString key = (series.task ? QStringLiteral("task/") : QStringLiteral("run/")) + name;
        if (std::none_of(keys.begin(), keys.end(), [&](const auto& one) { return one.first == key; })) keys.emplace_back(key, titleOf(key));
    }
    if (!run_->weightReports().layers().empty()) {
        for (const LayerChart& chart : layerCharts()) keys.emplace_back(chart.key, chart.title);
    }
    if (hasHostLoads()) {
        const bool gpus = !host_->newest()->gpus.empty();
        for (const HostChart& chart : hostCharts()) {
            if (gpus || !chart.of_gpus) keys.emplace_back(chart.key, chart.title);
        }
    }
    return keys;
}

void MonitorCharts::addChart(const QString& key) {
    const auto there = std::find_if(added_.begin(), added_.end(), [&](const Added& one) { return one.key == key; });
    if (there != added_.end()) {
        there->card->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    addCard(key, false);
    emit addedChartsChanged();
}

void MonitorCharts::addCard(const QString& key, bool of_run) {
    auto* card = new ChartCard(QStringLiteral("chartAdded%1").arg(added_.size() + 1), themes_, this);
    card->setRemovable(true);
    card->axes().setOrigin(run_ != nullptr ? run_->createdUnixNs() : 0);
    nameSteps(*card);
    setTexts(*card, key);
    if (isLayerChart(key)) card->axes().setYScale(layerChart(key).scale);
    wireCard(card);
    connect(card, &ChartCard::removeWanted, this, [this, key] { removeChart(key); });
    cards_.push_back(card);
    // A chart that belongs to the run stands before the learning rate, as the loss does.
    order_.insert(of_run ? std::find(order_.begin(), order_.end(), rate_) : order_.end(), card);
    added_.push_back({.key = key, .card = card, .of_run = of_run, .feeds = {}});
    std::size_t rows = RunChartFeed::kMostRows;
    takeAdded(added_.back(), rows);
    if (rows == 0) goOnSoon();
    takeMarkers();
    arrange();
}

void MonitorCharts::removeChart(const QString& key) {
    takeAway(key);
    order_.back()->setFocus(Qt::OtherFocusReason);
    emit addedChartsChanged();
}

void MonitorCharts::takeAway(const QString& key) {
    const auto at = std::find_if(added_.begin(), added_.end(), [&](const Added& one) { return one.key == key; });
    if (at == added_.end()) return;
    ChartCard* card = at->card;
    added_.erase(at);
    std::erase(cards_, card);
    std::erase(order_, card);
    if (expanded_ == card) expanded_ = nullptr;
    if (pinned_ == card) pinned_ = nullptr;
    card->hide();
    card->deleteLater();
    arrange();
}

// A run with parameter servers has the curves of its workers' staleness from the start.
void MonitorCharts::adoptStaleness() {
    static const QString kKey = QStringLiteral("task/staleness");
    const bool wanted = run_ != nullptr && engine::run::countsStepsOfAll(run_->history());
    const auto at = std::find_if(added_.begin(), added_.end(), [](const Added& one) { return one.key == kKey; });
    if (wanted && at == added_.end()) addCard(kKey, true);
    if (!wanted && at != added_.end() && at->of_run) takeAway(kKey);
}

bool MonitorCharts::isForeign() const {
    return run_ != nullptr && isOfEventFiles(run_->history().info());
}

// Returns the keys of charts for what a run of event files has beside loss, metric and learning rate.
QStringList MonitorCharts::foreignColumns() const {
    constexpr qsizetype kMostCharts = 24;
    using Series = engine::run::StreamedSeries;
    QStringList keys;
    const std::string& metric = feed_->metric();
    for (const Series& series : engine::run::streamedSeries(run_->history())) {
        const std::string& name = series.column;
        const bool is_log = series.source == Series::Source::kEpochLog && name.starts_with("val_");
        if (series.source != Series::Source::kColumn && !is_log) continue;
        if (!series.task && (name == RunChartFeed::kLoss || name == RunChartFeed::kRate || name == metric)) continue;
        if (is_log && (name == "val_loss" || name == "val_" + metric)) continue;
        const QString of_run = QStringLiteral("run/") + QString::fromStdString(name);
        if (series.task) keys.removeAll(of_run);  // its steps turned out to be others
        keys << (series.task ? QStringLiteral("task/") + QString::fromStdString(name) : of_run);
    }
    return keys.mid(0, kMostCharts);
}

// A run of event files has a chart of each of its tags, up to a number; others can be added.
void MonitorCharts::adoptColumns() {
    std::size_t columns = 0;
    if (isForeign()) {
        columns =
            1 + run_->global().names.size() + run_->tasks().size() + (run_->epochs().empty() ? 0 : run_->epochs().back().end.logs.size());
    }
    if (columns == known_columns_) return;
    known_columns_ = columns;
    const QStringList wanted = isForeign() ? foreignColumns() : QStringList();
    QStringList gone;
    for (const Added& one : added_) {
        if (one.of_run && one.key != QLatin1String("task/staleness") && !wanted.contains(one.key)) gone << one.key;
    }
    for (const QString& key : gone) takeAway(key);
    for (const QString& key : wanted) {
        if (std::none_of(added_.begin(), added_.end(), [&](const Added& one) { return one.key == key; })) addCard(key, true);
    }
}

// Each task of a run with parameter servers counts the steps of all.
void MonitorCharts::nameSteps(ChartCard& card) const {
    const bool of_all = run_ != nullptr && engine::run::countsStepsOfAll(run_->history());
    card.axes().setStepName(of_all ? tr("global step") : QString());
}

QStringList MonitorCharts::addedCharts() const {
    QStringList keys;
    for (const ChartCard* card : order_) {
        for (const Added& one : added_) {
            if (one.card == card) keys << one.key;
        }
    }
    return keys;
}

QStringList MonitorCharts::chartsToKeep() const {
    QStringList keys = addedCharts();
    for (const Added& one : added_) {
        if (one.of_run) keys.removeAll(one.key);
    }
    return keys;
}

void MonitorCharts::setAddedCharts(const QStringList& keys) {
    for (const QString& key : chartsToKeep()) {
        if (!keys.contains(key)) removeChart(key);
    }
    for (const QString& key : keys) addChart(key);
}

void MonitorCharts::moveChart(ChartCard* card, int places) {
    const auto at = std::find(order_.begin(), order_.end(), card);
    if (at == order_.end()) return;
    const auto from = at - order_.begin();
    const auto to = std::clamp<std::ptrdiff_t>(from + places, 0, static_cast<std::ptrdiff_t>(order_.size()) - 1);
    if (to == from) return;
    order_.erase(at);
    order_.insert(order_.begin() + to, card);
    arrange();
    emit addedChartsChanged();
}

void MonitorCharts::rebuildAdded(Added& added) {
    added.card->clearSeries();
    added.feeds.clear();
    if (run_ == nullptr) return;
    const bool each = added.key.startsWith(QLatin1String("task/"));
    const std::string name = added.key.section(QLatin1Char('/'), 1).toStdString();
    added.card->axes().setOrigin(run_->createdUnixNs());
    for (const engine::run::StreamedSeries& series : engine::run::streamedSeries(run_->history())) {
        if (!isOf(series, each, name)) continue;
        charts::SeriesStyle style{.color = run_->summary().color, .live = true, .format = NumberFormat::kPlain};
        const bool rate = series.column == RunChartFeed::kRate;
        if (series.unit == "images/s") style.format = NumberFormat::kCount;
        if (rate) style.format = NumberFormat::kRate;
        if (series.unit.empty() && !rate && name.find("norm") == std::string::npos) style.format = NumberFormat::kMetric;
        style.exact = !series.unit.empty() || rate || series.source == engine::run::StreamedSeries::Source::kEpochLog ||
                      series.source == engine::run::StreamedSeries::Source::kNorm;
        style.steps = rate;
        if (series.column == RunChartFeed::kStaleness) style.format = NumberFormat::kCount;
        if (series.source == engine::run::StreamedSeries::Source::kEpochLog) style.hollow_points = true;
        if (series.task && !isForeign()) {
            style.task = series.task;
            style.dashed = style.worker_dash = series.task->index % 2 == 1;
            style.end_label = true;
        }
        const QString label = isForeign()   ? titleOf(added.key)
                              : series.task ? theme::taskMark(*series.task)
                                            : QString::fromStdString(series.name);
        added.feeds.push_back({.source = series, .series = added.card->addSeries(label, style)});
        const QString unit = unitOf(series.unit);
        added.card->setTexts(titleOf(added.key), unit.isEmpty() ? titleOf(added.key).toLower() : unit);
    }
}

// Takes what is new for each added chart, as far as one turn goes.
void MonitorCharts::takeAllAdded() {
    std::size_t rows = RunChartFeed::kMostRows;
    for (Added& added : added_) takeAdded(added, rows);
    if (rows == 0) goOnSoon();
}

void MonitorCharts::goOnSoon() {
    if (std::exchange(goes_on_, true)) return;
    QTimer::singleShot(0, this, [this] {
        goes_on_ = false;
        takePoints();
    });
}

void MonitorCharts::takeAdded(Added& added, std::size_t& rows) {
    using Source = engine::run::StreamedSeries::Source;
    if (run_ == nullptr) return;
    if (isHostChart(added.key)) return takeHost(added);
    if (isLayerChart(added.key)) return takeLayers(added);
    std::size_t known = 0;
    const bool each = added.key.startsWith(QLatin1String("task/"));
    const std::string name = added.key.section(QLatin1Char('/'), 1).toStdString();
    if (added.feeds.empty() || (each && added.feeds.size() < run_->tasks().size())) {
        for (const engine::run::StreamedSeries& series : engine::run::streamedSeries(run_->history())) {
            known += isOf(series, each, name);
        }
        if (known != added.feeds.size()) rebuildAdded(added);
    }
    for (Added::Feed& feed : added.feeds) {
        models::Series& out = added.card->series(feed.series);
        const auto put = [&](double step, double time_s, double value) {
            const double divisor =
                feed.source.unit.starts_with("bytes") ? kBytesOfMegabyte : (feed.source.unit == "us" ? kMillisecond : 1.0);
            // Heartbeats go on while the step stands still: the newest of a step counts.
            out.append(static_cast<std::int64_t>(step), unixNsOf(*run_, time_s), static_cast<float>(value / divisor));
        };
        if (feed.source.source == Source::kEpochLog) {
            for (; feed.row < run_->epochs().size(); ++feed.row) {
                const auto& epoch = run_->epochs()[feed.row];
                put(static_cast<double>(epoch.end.step), epoch.time_s, epoch.log(feed.source.column));
            }
            continue;
        }
        if (feed.source.source == Source::kNorm) {
            for (; feed.row < run_->weightReports().norms().size(); ++feed.row) {
                const auto& norm = run_->weightReports().norms()[feed.row];
                put(norm.step, norm.time_s, feed.source.column == "weights_norm" ? norm.weights : norm.gradients);
            }
            continue;
        }
        if (feed.source.source == Source::kLayer) {
            for (; feed.row < run_->weightReports().layers().size(); ++feed.row) {
                const auto& entry = run_->weightReports().layers()[feed.row];
                const auto* layer = entry.find(feed.source.layer);
                if (layer == nullptr) continue;
                put(static_cast<double>(entry.report.step), entry.time_s, engine::run::layerValue(*layer, feed.source.column));
            }
            continue;
        }
        const PointTable* table = engine::run::tableOf(run_->history(), feed.source);
        if (table == nullptr) continue;
        if (feed.source.source == Source::kColumn) {
            const auto* values = table->find(feed.source.column);
            for (; values != nullptr && feed.row < table->size() && rows > 0; ++feed.row, --rows)
                put(table->step[feed.row], table->time_s[feed.row], (*values)[feed.row]);
            continue;
        }
        const bool of_all = feed.source.source == Source::kTotalThroughput;
        for (; feed.row < table->size() && rows > 0; ++feed.row, --rows) {
            if (feed.row > 0 && run_->pausedBetween(table->time_s[feed.row - 1], table->time_s[feed.row])) feed.meter.pause();
            const double examples = of_all ? engine::run::clusterExamples(run_->history(), *table, feed.row) : table->examples[feed.row];
            if (const auto rate = feed.meter.add(table->time_s[feed.row], examples))
                put(table->step[feed.row], table->time_s[feed.row], *rate);
        }
        const auto rest = feed.row < table->size() ? std::nullopt : feed.meter.rest();
        if (rest && out.empty() && isFinal(run_->state())) put(table->step.back(), table->time_s.back(), *rest);
    }
    added.card->setLive(run_->state() == session::RunState::kTraining);
    added.card->dataChanged();
}

bool MonitorCharts::hasHostLoads() const {
    return host_ != nullptr && run_ != nullptr && host_->newest() != nullptr && host_->newest()->time_unix_ns >= run_->createdUnixNs() &&
           (run_->finishedUnixNs() == 0 || host_->loads().front().time_unix_ns <= run_->finishedUnixNs());
}

// A load is drawn once the run's points of its moment are known: they say at which step it was.
void MonitorCharts::takeHost(Added& added) {
    if (host_ == nullptr) return;
    const HostChart chart = hostChart(added.key);
    if (added.host_series.empty()) {
        added.next_load = 0;
        added.card->axes().setOrigin(run_->createdUnixNs());
        for (std::size_t i = 0; i < chart.lines.size(); ++i) {
            const charts::SeriesStyle style{.color = (run_->summary().color + static_cast<int>(i)) % kChartColors,
                                            .dashed = i == 1,
                                            .exact = true,
                                            .second_dash = i > 1,
                                            .live = i == 0,
                                            .format = NumberFormat::kPlain};
            added.host_series.push_back(added.card->addSeries(chart.lines[i].name, style));
        }
        added.card->setTexts(chart.title, chart.unit);
    }
    const bool over = isFinal(run_->state());
    const std::int64_t last = over ? run_->finishedUnixNs() : run_->lastEventUnixNs();
    const std::uint64_t first_number = host_->firstNumber();
    std::uint64_t number = std::max(added.next_load, first_number);
    for (; number < first_number + host_->loads().size(); ++number) {
        const engine::spec::HostLoad& load = host_->loads()[static_cast<std::size_t>(number - first_number)];
        if (load.time_unix_ns > last) break;
        if (load.time_unix_ns < run_->createdUnixNs()) continue;
        const std::int64_t step = stepAt(*run_, load.time_unix_ns);
        for (std::size_t i = 0; i < chart.lines.size(); ++i)
            added.card->series(added.host_series[i]).append(step, load.time_unix_ns, static_cast<float>(chart.lines[i].value(load)));
    }
    added.next_load = number;
    added.card->setLive(run_->state() == session::RunState::kTraining);
    added.card->dataChanged();
}

void MonitorCharts::takeLayers(Added& added) {
    added.layers.take(*added.card, *run_);
    added.card->setLive(run_->state() == session::RunState::kTraining);
    added.card->dataChanged();
}

void MonitorCharts::setHost(const session::HostHistory* history) {
    if (host_ != nullptr) disconnect(host_, nullptr, this, nullptr);
    host_ = history;
    if (host_ == nullptr) return;
    connect(host_, &session::HostHistory::changed, this, [this] {
        for (Added& added : added_) {
            if (run_ != nullptr && isHostChart(added.key)) takeHost(added);
        }
    });
}

void MonitorCharts::setRun(const session::RunRecord* run, const session::RunRecord* parent) {
    for (const session::RunRecord* before : {run_, parent_}) {
        if (before != nullptr) disconnect(before, nullptr, this, nullptr);
    }
    run_ = run;
    parent_ = parent;
    adoptStaleness();
    known_columns_ = std::numeric_limits<std::size_t>::max();
    rebuildSeries();
    if (run_ == nullptr) return adoptColumns();
    using session::RunRecord;
    if (parent_ != nullptr) {
        connect(parent_, &RunRecord::pointsArrived, this, &MonitorCharts::takePoints);
        connect(parent_, &RunRecord::stateChanged, this, &MonitorCharts::takePoints);
    }
    connect(run_, &RunRecord::superseded, this, &MonitorCharts::rebuildSeries);
    connect(run_, &RunRecord::pointsArrived, this, &MonitorCharts::takePoints);
    connect(run_, &RunRecord::stateChanged, this, &MonitorCharts::takePoints);
    connect(run_, &RunRecord::epochsChanged, this, &MonitorCharts::takeEpochs);
    for (const auto signal : {&RunRecord::tasksChanged, &RunRecord::weightsArrived}) {
        connect(run_, signal, this, [this] { takeAllAdded(); });
    }
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
           std::any_of(run_->tasks().begin(), run_->tasks().end(),
                       [](const TaskRecord& task) { return task.own.find(RunChartFeed::kLoss) != nullptr; });
}

void MonitorCharts::setShort(bool on) {
    if (on == short_) return;
    short_ = on;
    arrange();
}

void MonitorCharts::setTexts() {
    feed_->setTexts();
    for (Added& added : added_) {
        if (isHostChart(added.key)) {
            const HostChart chart = hostChart(added.key);
            added.card->setTexts(chart.title, chart.unit);
            for (std::size_t i = 0; i < added.host_series.size(); ++i) added.card->setSeriesName(added.host_series[i], chart.lines[i].name);
            continue;
        }
        if (isLayerChart(added.key)) {
            setTexts(*added.card, added.key);
            continue;
        }
        const QString unit = added.feeds.empty() ? QString() : unitOf(added.feeds.front().source.unit);
        added.card->setTexts(titleOf(added.key), unit.isEmpty() ? titleOf(added.key).toLower() : unit);
    }
}

void MonitorCharts::retranslate() {
    setTexts();
    takeMarkers();
    for (ChartCard* card : cards_) {
        nameSteps(*card);
        card->retranslate();
    }
}

void MonitorCharts::rebuildSeries() {
    for (ChartCard* card : cards_) card->clearSeries();
    for (Added& added : added_) {
        added.feeds.clear();
        added.host_series.clear();
        added.layers.reset();
    }
    feed_->begin(run_, parent_, hasEachWorker() ? workers_ : Workers::kMean);
    if (run_ == nullptr) return;
    for (ChartCard* card : cards_) {
        card->axes().setOrigin(run_->createdUnixNs());
        nameSteps(*card);
        card->axes().setStepsPerEpoch(static_cast<double>(run_->stepsPerEpoch()), static_cast<double>(run_->epochsPassedOver()));
    }
    setTexts();
    takePoints();
    takeEpochs();
    takeMarkers();
}

void MonitorCharts::takePoints() {
    if (run_ == nullptr) return;
    // Tasks appear later than the run when their number was not known; their series then are made anew.
    std::size_t rows = RunChartFeed::kMostRows;
    if (feed_->takePoints(rows) == RunChartFeed::Taken::kOtherTasks) return rebuildSeries();
    adoptColumns();
    for (Added& added : added_) takeAdded(added, rows);
    if (rows == 0) goOnSoon();
    const QString nothing = isFinal(run_->state()) ? tr("this run has told none") : QString();
    for (ChartCard* card : cards_) {
        card->setEmptyText(nothing);
        card->axes().setStepsPerEpoch(static_cast<double>(run_->stepsPerEpoch()), static_cast<double>(run_->epochsPassedOver()));
        card->setLive(run_->state() == session::RunState::kTraining);
        card->dataChanged();
    }
    if (feed_->takeRateChanges()) takeMarkers();
    arrangeFilled();
}

// The four charts of a run of event files are there as far as it tells of them.
void MonitorCharts::arrangeFilled() {
    std::vector<bool> filled;
    for (std::size_t i = 0; isForeign() && i < static_cast<std::size_t>(kOwnCards); ++i) filled.push_back(!cards_[i]->isEmpty());
    if (filled == filled_) return;
    filled_ = std::move(filled);
    arrange();
}

void MonitorCharts::takeEpochs() {
    if (run_ == nullptr) return;
    adoptColumns();
    takeAllAdded();
    feed_->takeEpochs();
    arrangeFilled();
}

void MonitorCharts::takeMarkers() {
    if (run_ == nullptr) return;
    const std::vector<Marker> rates = rateMarks(*run_, feed_->rateChanges(), RateLabel::kRate),
                              epochs = rateMarks(*run_, feed_->rateChanges(), RateLabel::kEpoch), failures = failureMarks(*run_),
                              controls = controlMarks(*run_), checkpoints = checkpointMarks(*run_);
    const auto joined = [](std::initializer_list<const std::vector<Marker>*> lists) {
        std::vector<Marker> all;
        for (const auto* list : lists) all.insert(all.end(), list->begin(), list->end());
        return all;
    };
    loss_->setMarkers(joined({&failures, &rates, &controls, &checkpoints}));
    metric_->setMarkers(joined({&failures, &rates, &controls, &checkpoints}));
    rate_->setMarkers(joined({&failures, &epochs, &controls}));
    throughput_->setMarkers(joined({&failures, &controls}));
    for (Added& added : added_) added.card->setMarkers(joined({&failures, &controls}));
    for (ChartCard* card : cards_) {
        card->axes().setPauses(pausesOf(*run_));
        card->setLive(run_->state() == session::RunState::kTraining);
    }
}

void MonitorCharts::arrange() {
    while (QLayoutItem* item = grid_->takeAt(0)) delete item;
    std::vector<ChartCard*> shown = order_;
    const bool has_any = !added_.empty() || std::find(filled_.begin(), filled_.end(), true) != filled_.end();
    if (!filled_.empty() && has_any) {
        std::erase_if(shown, [this](ChartCard* card) {
            const auto at = std::find(cards_.begin(), cards_.begin() + kOwnCards, card) - cards_.begin();
            return at < kOwnCards && !filled_[static_cast<std::size_t>(at)];
        });
    }
    if (short_) shown = {loss_, throughput_};
    if (expanded_ != nullptr) shown = {expanded_};
    if (pinned_ != nullptr) std::stable_partition(shown.begin(), shown.end(), [this](ChartCard* card) { return card == pinned_; });
    for (ChartCard* card : cards_) card->setVisible(std::find(shown.begin(), shown.end(), card) != shown.end());
    const int columns = shown.size() == 1 ? 1 : (width() >= kThreeColumnsFrom && shown.size() > 2 ? 3 : 2);
    for (std::size_t i = 0; i < shown.size(); ++i) grid_->addWidget(shown[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
    for (int column = 0; column < 3; ++column) grid_->setColumnStretch(column, column < columns ? 1 : 0);
    const int rows = (static_cast<int>(shown.size()) + columns - 1) / columns;
    const bool scrolls = shown.size() > static_cast<std::size_t>(columns > 2 ? 6 : kFewCharts);
    setMinimumHeight(scrolls ? rows * kLeastRowHeight + (rows - 1) * theme::kSpace3 : 0);
    for (int row = 0; row < std::max(rows, grid_->rowCount()); ++row) grid_->setRowStretch(row, row < rows ? 1 : 0);
}

void MonitorCharts::keyPressEvent(QKeyEvent* event) {
    if (expanded_ == nullptr) return QWidget::keyPressEvent(event);
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (sideways && event->modifiers() == Qt::NoModifier) {
        // The keys move from chart to chart in full size.
        const auto count = static_cast<std::ptrdiff_t>(order_.size());
        const auto at = std::find(order_.begin(), order_.end(), expanded_) - order_.begin();
        expanded_->setFullSize(false);
        expanded_ = order_[static_cast<std::size_t>((at + (event->key() == Qt::Key_Left ? count - 1 : 1)) % count)];
        expanded_->setFullSize(true);
        arrange();
        return expanded_->setFocus(Qt::ShortcutFocusReason);
    }
    QWidget::keyPressEvent(event);
}

bool MonitorCharts::leaveFullSize() {
    if (expanded_ == nullptr) return false;
    expanded_->setFullSize(false);
    expanded_ = nullptr;
    arrange();
    return true;
}

void MonitorCharts::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace ui::views

#include "moc_monitor_charts.cpp"
