// SPDX-License-Identifier: GPL-3.0-or-later
// A section of Monitor's dock that shows how the layers of a run learn: what goes wrong in them, in words; gradient norms, update ratios
// and dead units as small charts with a curve for each layer, which share the cursor of Monitor's charts.
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "engine/run/layer_anomalies.h"
#include "ui/monitor/layers/layer_chart.h"

namespace ui::charts {
class ChartGroup;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class FindingList;

// The section is hidden while nothing was measured of the run (fit.histogram_freq). GUI thread only.
class LayerView : public QWidget {
    Q_OBJECT
public:
    explicit LayerView(const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setRun(const session::RunRecord* run);
    // Its charts share cursor and zoom with the others of the group, which outlives them.
    void join(charts::ChartGroup& group);
    void retranslate();
    // Returns the anomalies that the list shows, in its order.
    const std::vector<engine::run::LayerAnomaly>& anomalies() const { return anomalies_; }

signals:
    void stepWanted(std::int64_t step);  // where one of them begins
    void chartWanted(QString key);       // of layerCharts(), in full

private:
    struct Small {
        charts::ChartCard* card;
        LayerChartFeed feed;
    };
    void refresh();
    void refreshAnomalies();
    void refreshLegend();
    void begin();  // with charts that show nothing yet

    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    engine::run::AnomalyWatch watch_;
    std::vector<engine::run::LayerAnomaly> anomalies_;
    widgets::TextLabel *title_, *step_, *fine_, *legend_;
    FindingList* list_;
    std::vector<Small> charts_;
};

}  // namespace ui::views
