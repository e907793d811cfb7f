// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/layers/layer_chart.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/run/run_series.h"
#include "ui/charts/chart_card.h"
#include "ui/monitor/monitor_marks.h"
#include "ui/session/runs/run_record.h"

namespace ui::views {

using charts::NumberFormat;
using charts::YScale;

namespace {

constexpr int kColors = 8;

QString text(const char* source) {
    return QCoreApplication::translate("LayerChart", source);
}

// Layers that have that value in some report, in the order of the model.
std::vector<std::string> layersWith(const session::RunRecord& run, std::string_view column) {
    std::vector<std::string> names;
    for (const std::string& name : run.weightReports().layerNames()) {
        for (const auto& entry : run.weightReports().layers()) {
            const auto* measure = entry.find(name);
            if (measure == nullptr || std::isnan(engine::run::layerValue(*measure, column))) continue;
            names.push_back(name);
            break;
        }
    }
    if (names.size() <= LayerChartFeed::kMostLayers) return names;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < LayerChartFeed::kMostLayers; ++i)
        some.push_back(names[i * (names.size() - 1) / (LayerChartFeed::kMostLayers - 1)]);
    return some;
}

}  // namespace

std::vector<LayerChart> layerCharts() {
    return {{.key = QStringLiteral("layers/gradient_norm"),
             .title = text(QT_TRANSLATE_NOOP("LayerChart", "Gradient norm by layer")),
             .y_name = text(QT_TRANSLATE_NOOP("LayerChart", "gradient norm")),
             .column = "gradient_norm",
             .scale = YScale::kLog},
            {.key = QStringLiteral("layers/update_ratio"),
             .title = text(QT_TRANSLATE_NOOP("LayerChart", "Update to weight by layer")),
             .y_name = text(QT_TRANSLATE_NOOP("LayerChart", "update / weight")),
             .column = "update_ratio",
             .scale = YScale::kLog,
             .format = NumberFormat::kRate},
            {.key = QStringLiteral("layers/dead_share"),
             .title = text(QT_TRANSLATE_NOOP("LayerChart", "Dead units by layer")),
             .y_name = text(QT_TRANSLATE_NOOP("LayerChart", "dead units, %")),
             .column = "dead_share",
             .factor = 100}};
}

bool isLayerChart(const QString& key) {
    return key.startsWith(QLatin1String("layers/"));
}

LayerChart layerChart(const QString& key) {
    for (LayerChart& chart : layerCharts()) {
        if (chart.key == key) return chart;
    }
    return {};
}

void LayerChartFeed::reset() {
    begun_ = false;
    layers_.clear();
    row_ = 0;
}

void LayerChartFeed::take(charts::ChartCard& card, const session::RunRecord& run) {
    const LayerChart chart = layerChart(key_);
    const auto& entries = run.weightReports().layers();
    if (begun_ && row_ == entries.size()) return;
    std::vector<std::string> layers = layersWith(run, chart.column);
    if (!begun_ || layers != layers_ || row_ > entries.size()) {
        card.clearSeries();
        card.axes().setOrigin(run.createdUnixNs());
        layers_ = std::move(layers);
        row_ = 0;
        begun_ = true;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const int color = (run.summary().color + static_cast<int>(i)) % kColors;
            card.addSeries(QString::fromStdString(layers_[i]),
                           {.color = color, .exact = true, .second_dash = i >= kColors, .live = i == 0, .format = chart.format});
        }
    }
    for (; row_ < entries.size(); ++row_) {
        const auto& entry = entries[row_];
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const auto* measure = entry.find(layers_[i]);
            const double value = measure == nullptr ? std::nan("") : engine::run::layerValue(*measure, chart.column) * chart.factor;
            if (!std::isfinite(value)) continue;
            card.series(static_cast<int>(i)).append(entry.report.step, unixNsOf(run, entry.time_s), static_cast<float>(value));
        }
    }
}

}  // namespace ui::views
