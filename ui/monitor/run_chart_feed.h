// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds a run's points to Monitor's four charts: their series, what of the run each has got so far, and where the learning rate changed.
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/rate_meter.h"
#include "ui/monitor/monitor_marks.h"

namespace engine::run {
struct PointTable;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
}
namespace ui::charts {
class ChartCard;
}

namespace ui::views {

// GUI thread only.
class RunChartFeed : public QObject {
    Q_OBJECT
public:
    static constexpr std::string_view kLoss = "loss", kRate = "learning_rate", kStaleness = "staleness";
    enum class Workers { kMean, kEach };
    enum class Taken { kPoints, kSomePoints, kOtherTasks };
    // How many rows one turn of the event loop takes for all charts together: a run of millions of points is drawn in many turns, and the
    // window goes on between them.
    static constexpr std::size_t kMostRows = 100'000;
    struct Charts {
        charts::ChartCard *loss, *metric, *rate, *throughput;
    };

    // The charts outlive it.
    RunChartFeed(const Charts& charts, const theme::ThemeController& themes, QObject* parent);

    // Makes the series of that run, which outlives the time it is shown, in charts without any; null: there is none to feed. `parent`: the
    // run that it is a branch of, drawn up to where it began; null: there is none.
    void begin(const session::RunRecord* run, const session::RunRecord* parent, Workers workers);
    // Draws the points that came since the last call, `rows` at most, which it takes away from `rows`; kSomePoints: there are more.
    // kOtherTasks: nothing was taken, because the run has other tasks now than it began with.
    Taken takePoints(std::size_t& rows);
    void takeEpochs();
    // Reads the run's rate changes; true when there are more than before.
    bool takeRateChanges();
    const std::vector<RateChange>& rateChanges() const { return rate_changes_; }
    void setTexts();
    // Returns the column that the metric's chart shows.
    const std::string& metric() const { return metric_name_; }

private:
    void takeParent();
    struct TaskFeed {
        std::size_t loss_row = 0, rate_row = 0;
        int loss = -1, metric = -1, rate = -1;  // series
        engine::run::RateMeter meter;
    };
    void addTasks(Workers workers);
    void feedTable(const engine::run::PointTable& table, std::size_t& row, int loss, int metric, int rate, std::size_t& rows);
    enum class Examples { kOwn, kOfCluster };
    void feedThroughput(const engine::run::PointTable& table, std::size_t& row, engine::run::RateMeter& meter, int series,
                        Examples examples, std::size_t& rows);
    QString metricTitle() const;
    int colorBesideTasks(int color) const;

    const Charts charts_;
    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    const session::RunRecord* parent_ = nullptr;
    int loss_parent_ = -1, metric_parent_ = -1;  // series
    std::string metric_name_ = "accuracy";
    int loss_train_ = -1, loss_validation_ = -1, metric_train_ = -1, metric_validation_ = -1, rate_ = -1, total_ = -1;  // series
    std::size_t row_ = 0, total_row_ = 0, epoch_row_ = 0, rate_row_ = 1;
    std::vector<RateChange> rate_changes_;
    engine::run::RateMeter total_meter_;
    std::vector<TaskFeed> tasks_;
};

}  // namespace ui::views
