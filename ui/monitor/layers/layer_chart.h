// SPDX-License-Identifier: GPL-3.0-or-later
// The charts that can be drawn of how a run's layers learn, by key: a curve a layer. The folder's header to read first.
#pragma once

#include <QString>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/charts/chart_types.h"

namespace ui::charts {
class ChartCard;
}
namespace ui::session {
class RunRecord;
}

namespace ui::views {

struct LayerChart {
    QString key;  // "layers/gradient_norm"
    QString title, y_name;
    QString short_title;      // of a small card
    std::string_view column;  // of engine::run::kLayerColumns
    charts::YScale scale = charts::YScale::kLinear;
    charts::NumberFormat format = charts::NumberFormat::kPlain;
    double factor = 1;  // of what is drawn
};

// Texts are translated when asked for.
std::vector<LayerChart> layerCharts();
bool isLayerChart(const QString& key);
// Returns the chart of that key; one without a column when there is none.
LayerChart layerChart(const QString& key);

// drawnLayers() are the layers that charts draw, in the order of the model. When there are more than kMostDrawnLayers, it leaves some out
// evenly; the first and the last stay.
inline constexpr std::size_t kMostDrawnLayers = 16;
std::vector<std::string> drawnLayers(const session::RunRecord& run);
// Returns the style of the layer at that place of drawnLayers(), which is the same in every chart.
charts::SeriesStyle layerStyle(const session::RunRecord& run, std::size_t place);

// Feeds one card with what is new of a run. GUI thread only.
class LayerChartFeed {
public:
    explicit LayerChartFeed(QString key) : key_(std::move(key)) {}
    // The next take() begins with a card without series.
    void reset();
    // Adds to the card what came since the last call, or all of it when other layers than before have values. The caller repaints the card.
    void take(charts::ChartCard& card, const session::RunRecord& run);

private:
    QString key_;
    bool begun_ = false;
    std::vector<std::pair<std::string, std::size_t>> layers_;  // of the series, in order, each with its place among drawnLayers()
    std::size_t row_ = 0;                                      // of the run's layer reports
};

}  // namespace ui::views
