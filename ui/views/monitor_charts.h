// SPDX-License-Identifier: GPL-3.0-or-later
// The chart grid of Monitor: loss, metric, learning rate and throughput of one run, fed as its points arrive.
#pragma once

#include <QWidget>
#include <cstddef>
#include <vector>

#include "ui/charts/chart_types.h"
#include "ui/models/rate_meter.h"

class QGridLayout;

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
struct PointTable;
struct TaskRecord;
}
namespace ui::charts {
class ChartCard;
class ChartGroup;
}

namespace ui::views {

// Shows one run or none; the run outlives the time it is shown. GUI thread only.
class MonitorCharts : public QWidget {
    Q_OBJECT
public:
    enum class Workers { kMean, kEach };

    explicit MonitorCharts(const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setRun(const session::RunRecord* run);
    void setWorkers(Workers workers);
    // False while every task reports whole batches only: then there is nothing to tell apart.
    bool hasEachWorker() const;
    // With the failure card above there is room for loss and throughput only.
    void setShort(bool on);
    void retranslate();
    charts::ChartGroup& group() { return *group_; }
    const std::vector<charts::ChartCard*>& cards() const { return cards_; }

public slots:
    void takePoints();
    void takeEpochs();
    void takeMarkers();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;  // Esc leaves the full size

private:
    struct TaskFeed {
        std::size_t loss_row = 0, rate_row = 0;
        int loss = -1, metric = -1, rate = -1;      // series
        models::RateMeter meter;
    };
    void rebuildSeries();
    void setTexts();
    void feedTable(const session::PointTable& table, std::size_t& row, int loss, int metric, int rate);
    void feedThroughput(const session::PointTable& table, std::size_t& row, models::RateMeter& meter, int series, double share);
    void takeRateFlags();
    void arrange();
    std::int64_t unixNs(double time_s) const;
    QString metricTitle() const;

    const theme::ThemeController& themes_;
    charts::ChartGroup* group_;
    QGridLayout* grid_;
    charts::ChartCard *loss_, *metric_, *rate_, *throughput_;
    std::vector<charts::ChartCard*> cards_;
    charts::ChartCard* expanded_ = nullptr;
    charts::ChartCard* pinned_ = nullptr;
    const session::RunRecord* run_ = nullptr;
    Workers workers_ = Workers::kMean;
    bool short_ = false;
    std::string metric_name_ = "accuracy";

    int loss_train_ = -1, loss_validation_ = -1, metric_train_ = -1, metric_validation_ = -1, rate_series_ = -1, total_ = -1;
    std::size_t row_ = 0, total_row_ = 0, epoch_row_ = 0, flag_row_ = 1;
    std::vector<charts::Marker> rate_flags_, epoch_flags_;
    models::RateMeter total_meter_;
    std::vector<TaskFeed> tasks_;
};

}  // namespace ui::views
