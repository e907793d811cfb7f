// SPDX-License-Identifier: GPL-3.0-or-later
// The chart grid of Monitor: loss, metric, learning rate and throughput of one run, and whatever else it streams, fed as its points arrive.
#pragma once

#include <QStringList>
#include <QWidget>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/run/rate_meter.h"
#include "engine/run/run_series.h"
#include "ui/charts/chart_types.h"
#include "ui/monitor/layers/layer_chart.h"
#include "ui/monitor/run_chart_feed.h"

class QGridLayout;
class QMenu;

namespace engine::run {
struct PointTable;
struct TaskRecord;
}  // namespace engine::run
namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class HostHistory;
class RunRecord;
}  // namespace ui::session
namespace ui::charts {
class ChartCard;
class ChartGroup;
}  // namespace ui::charts

namespace ui::views {

// Shows one run or none; the run outlives the time it is shown. GUI thread only.
class MonitorCharts : public QWidget {
    Q_OBJECT
public:
    using Workers = RunChartFeed::Workers;

    explicit MonitorCharts(const theme::ThemeController& themes, QWidget* parent = nullptr);

    // `parent`: the run that it is a branch of; null: there is none.
    void setRun(const session::RunRecord* run, const session::RunRecord* parent = nullptr);
    // Sets where the loads of the hosts come from; `history` outlives this.
    void setHost(const session::HostHistory* history);
    void setWorkers(Workers workers);
    // False while every task reports whole batches only: then there is nothing to tell apart.
    bool hasEachWorker() const;
    // While `on`, the failure card above leaves room for loss and throughput only.
    void setShort(bool on);
    void retranslate();
    charts::ChartGroup& group() { return *group_; }
    // Returns where a moment of the run stands on the axis that is shown; nullopt while no chart has a point.
    std::optional<double> placeOf(std::int64_t step, std::int64_t time_unix_ns);
    const std::vector<charts::ChartCard*>& cards() const { return cards_; }
    // Returns the cards in the order of the grid.
    const std::vector<charts::ChartCard*>& order() const { return order_; }

    // Returns the charts that can be added: a key ("task/wait_us": that series of every task; "run/val_loss") with its title.
    std::vector<std::pair<QString, QString>> addable() const;
    void addChart(const QString& key);  // one that is there already gets the focus
    void removeChart(const QString& key);
    QStringList addedCharts() const;   // keys, in the order of the grid
    QStringList chartsToKeep() const;  // of these, those that are there for every run
    void setAddedCharts(const QStringList& keys);
    bool leaveFullSize();  // false: no chart has the whole place
    // Moves the card by that many places in the grid.
    void moveChart(charts::ChartCard* card, int places);

signals:
    void markerActivated(const ui::charts::Marker& marker, QPoint global);
    void addedChartsChanged();
    void chartMenuOpening(ui::charts::ChartCard* card, QMenu* menu);

public slots:
    void takePoints();
    void takeEpochs();
    void takeMarkers();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;  // from chart to chart in full size

private:
    // A chart that the user added: every streamed series that its key names.
    struct Added {
        struct Feed {
            engine::run::StreamedSeries source;
            int series = -1;
            std::size_t row = 0;
            engine::run::RateMeter meter = engine::run::RateMeter();
        };
        QString key;
        charts::ChartCard* card = nullptr;
        bool of_run = false;  // it goes with the run
        std::vector<Feed> feeds;
        // A chart of the host uses these instead: its series in order, and the number of the first load that is not drawn yet.
        std::vector<int> host_series{};
        std::uint64_t next_load = 0;
        // A chart of the layers uses this instead.
        LayerChartFeed layers{key};
    };
    void addCard(const QString& key, bool of_run);
    void takeAway(const QString& key);
    void adoptStaleness();
    bool isForeign() const;
    QStringList foreignColumns() const;
    void adoptColumns();
    void arrangeFilled();
    void nameSteps(charts::ChartCard& card) const;
    void rebuildSeries();
    void wireCard(charts::ChartCard* card);
    void takeAdded(Added& added, std::size_t& rows);
    void takeAllAdded();
    void goOnSoon();
    void rebuildAdded(Added& added);
    void takeHost(Added& added);
    void takeLayers(Added& added);
    bool hasHostLoads() const;
    void setTexts();
    void setTexts(charts::ChartCard& card, const QString& key) const;
    void arrange();
    QString titleOf(const QString& key) const;
    static QString unitOf(const std::string& unit);

    const theme::ThemeController& themes_;
    charts::ChartGroup* group_;
    QGridLayout* grid_;
    charts::ChartCard *loss_, *metric_, *rate_, *throughput_;
    std::vector<charts::ChartCard*> cards_;  // the four, then the added ones
    std::vector<charts::ChartCard*> order_;  // all of them, as they stand
    std::vector<Added> added_;
    charts::ChartCard* expanded_ = nullptr;
    charts::ChartCard* pinned_ = nullptr;
    const session::RunRecord *run_ = nullptr, *parent_ = nullptr;
    const session::HostHistory* host_ = nullptr;
    Workers workers_ = Workers::kMean;
    bool short_ = false;
    std::size_t known_columns_ = 0;  // of a run of event files: how much there was to look at when its charts were made
    std::vector<bool> filled_;       // which of the four have a point
    RunChartFeed* feed_;             // of the four
    bool goes_on_ = false;           // takePoints() comes again by itself: there are more points than one turn takes
};

}  // namespace ui::views
