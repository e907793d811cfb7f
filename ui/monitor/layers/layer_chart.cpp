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

constexpr int kLayerColors = 8;

QString layerChartWord(const char* source) {
    return QCoreApplication::translate("LayerChart", source);
}

using Placed = std::pair<std::string, std::size_t>;

// Returns the drawn layers that have that value in some report.
std::vector<Placed> layersWith(const session::RunRecord& run, std::string_view column) {
    std::vector<Placed> found;
    const std::vector<std::string> names = drawnLayers(run);
    const auto& entries = run.weightReports().layers();
    for (std::size_t place = 0; place < names.size(); ++place) {
        const bool any = std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
            const auto* measure = entry.find(names[place]);
            return measure != nullptr && !std::isnan(engine::run::layerValue(*measure, column));
        });
        if (any) found.emplace_back(names[place], place);
    }
    return found;
}

}  // namespace

std::vector<LayerChart> layerCharts() {
    return {{.key = QStringLiteral("layers/gradient_norm"),
             .title = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "Gradient norm by layer")),
             .y_name = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "gradient norm")),
             .short_title = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "Gradient norm")),
             .column = "gradient_norm",
             .scale = YScale::kLog},
            {.key = QStringLiteral("layers/update_ratio"),
             .title = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "Update to weight by layer")),
             .y_name = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "update / weight")),
             .short_title = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "Update to weight")),
             .column = "update_ratio",
             .scale = YScale::kLog,
             .format = NumberFormat::kRate},
            {.key = QStringLiteral("layers/dead_share"),
             .title = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "Dead units by layer")),
             .y_name = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "dead units, %")),
             .short_title = layerChartWord(QT_TRANSLATE_NOOP("LayerChart", "Dead units, %")),
             .column = "dead_share",
             .factor = 100}};
}

std::vector<std::string> drawnLayers(const session::RunRecord& run) {
    std::vector<std::string> names = run.weightReports().layerNames();
    if (names.size() <= kMostDrawnLayers) return names;
    std::vector<std::string> some;
    some.reserve(kMostDrawnLayers);
    for (std::size_t i = 0; i < kMostDrawnLayers; ++i) some.push_back(names[i * (names.size() - 1) / (kMostDrawnLayers - 1)]);
    return some;
}

charts::SeriesStyle layerStyle(const session::RunRecord& run, std::size_t place) {
    return {.color = (run.summary().color + static_cast<int>(place)) % kLayerColors,
            .exact = true,
            .second_dash = place >= kLayerColors,
            .format = NumberFormat::kPlain};
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
    std::vector<Placed> layers = layersWith(run, chart.column);
    if (!begun_ || layers != layers_ || row_ > entries.size()) {
        card.clearSeries();
        card.axes().setOrigin(run.createdUnixNs());
        layers_ = std::move(layers);
        row_ = 0;
        begun_ = true;
        for (const auto& [name, place] : layers_) {
            charts::SeriesStyle style = layerStyle(run, place);
            style.live = true;
            style.format = chart.format;
            card.addSeries(QString::fromStdString(name), style);
        }
    }
    for (; row_ < entries.size(); ++row_) {
        const auto& entry = entries[row_];
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const auto* measure = entry.find(layers_[i].first);
            const double value = measure == nullptr ? std::nan("") : engine::run::layerValue(*measure, chart.column) * chart.factor;
            if (!std::isfinite(value)) continue;
            card.series(static_cast<int>(i)).append(entry.report.step, unixNsOf(run, entry.time_s), static_cast<float>(value));
        }
    }
}

}  // namespace ui::views
