// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/layers/layer_view.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/charts/chart_header.h"
#include "ui/models/numbers.h"
#include "ui/monitor/layers/anomaly_text.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/parts/finding_list.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using charts::ChartCard;
using engine::run::AnomalyKind;
using engine::run::LayerAnomaly;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kChartHeight = 176, kLeastChartWidth = 160;

}  // namespace

LayerView::LayerView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("layerView"));
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    step_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    step_->setObjectName(QStringLiteral("layerStep"));
    step_->setElided(true);
    fine_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    fine_->setObjectName(QStringLiteral("layersFine"));
    fine_->setWordWrap(true);
    list_ = new FindingList(themes, this);
    list_->setObjectName(QStringLiteral("anomalyList"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, theme::kSpace2, 0, 0);
    column->setSpacing(theme::kSpace2);
    column->addLayout(apart(title_, step_));
    column->addWidget(fine_);
    column->addWidget(list_);
    legend_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    legend_->setObjectName(QStringLiteral("layerLegend"));
    legend_->setTextFormat(Qt::RichText);
    legend_->setWordWrap(true);
    column->addWidget(legend_);
    connect(&themes, &theme::ThemeController::themeChanged, this, &LayerView::refreshLegend);
    for (const LayerChart& chart : layerCharts()) {
        auto* card = new ChartCard(QStringLiteral("small_") + chart.key.section(QLatin1Char('/'), 1), themes, this);
        card->setFixedHeight(kChartHeight);
        card->setMinimumWidth(kLeastChartWidth);
        card->axes().setYScale(chart.scale);
        card->header().pinButton().setEnabled(false);
        connect(card, &ChartCard::expandWanted, this, [this, key = chart.key] { emit chartWanted(key); });
        column->addWidget(card);
        charts_.push_back({card, LayerChartFeed(chart.key)});
    }
    connect(list_, &FindingList::fixWanted, this, [this](int row) { emit stepWanted(anomalies_[static_cast<std::size_t>(row)].step); });
    retranslate();
}

void LayerView::join(charts::ChartGroup& group) {
    for (const Small& one : charts_) group.add(*one.card);
}

void LayerView::setRun(const session::RunRecord* run) {
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = run;
    begin();
    if (run_ == nullptr) return;
    connect(run_, &session::RunRecord::weightsArrived, this, &LayerView::refresh);
    connect(run_, &session::RunRecord::stateChanged, this, &LayerView::refresh);
    connect(run_, &session::RunRecord::superseded, this, &LayerView::begin);
}

void LayerView::begin() {
    watch_ = {};
    for (Small& one : charts_) {
        one.card->clearSeries();
        one.feed.reset();
    }
    refresh();
}

void LayerView::retranslate() {
    title_->setText(tr("Layers"));
    fine_->setText(tr("Every layer learns: nothing out of the ordinary."));
    list_->setAccessibleName(tr("What goes wrong in the layers"));
    const std::vector<LayerChart> texts = layerCharts();
    for (std::size_t i = 0; i < charts_.size(); ++i) {
        charts_[i].card->setTexts(texts[i].short_title, {});
        charts_[i].card->retranslate();
    }
    refresh();
}

// The section has one legend for all cards: a small card has no room for its own.
void LayerView::refreshLegend() {
    if (run_ == nullptr) return;
    const std::vector<std::string> layers = drawnLayers(*run_);
    QStringList words;
    for (std::size_t place = 0; place < layers.size(); ++place) {
        const charts::SeriesStyle style = layerStyle(*run_, place);
        const QString sample = style.second_dash ? QStringLiteral("\u254c") : QStringLiteral("\u2501");
        words << QStringLiteral("<span style=\"color:%1\">%2</span>&nbsp;%3")
                     .arg(style.colorIn(themes_.theme()).name(), sample,
                          QString::fromStdString(layers[place]).toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
    }
    legend_->setText(words.join(QStringLiteral("&nbsp;&nbsp; ")));
}

void LayerView::refreshAnomalies() {
    anomalies_ = watch_.look(run_->weightReports().layers());
    std::vector<models::CheckRow> rows;
    for (const LayerAnomaly& one : anomalies_) {
        const bool severe = one.kind == AnomalyKind::kNotFinite || one.kind == AnomalyKind::kExplosion;
        models::CheckRow row;
        row.state = severe && one.goes_on ? models::CheckState::kError : models::CheckState::kWarning;
        row.title = anomalySentence(one);
        row.fix = tr("Show step %1").arg(models::formatCount(one.step));
        rows.push_back(std::move(row));
    }
    fine_->setVisible(anomalies_.empty());
    list_->setVisible(!anomalies_.empty());
    list_->setRows(std::move(rows));
}

void LayerView::refresh() {
    const bool any = run_ != nullptr && !run_->weightReports().layers().empty();
    setVisible(any);
    if (!any) {
        anomalies_.clear();
        return;
    }
    const auto& last = run_->weightReports().layers().back().report;
    step_->setText(last.samples > 0 ? tr("step %1 · %2 samples").arg(models::formatCount(last.step), models::formatCount(last.samples))
                                    : tr("step %1").arg(models::formatCount(last.step)));
    step_->setToolTip(
        tr("Measured in steps 1, 2, 5, 10, 20, 50, 100, then in every hundredth up to 1,000 and every 500th; dead units over that many "
           "samples"));
    refreshAnomalies();
    refreshLegend();
    for (Small& one : charts_) {
        one.feed.take(*one.card, *run_);
        one.card->setVisible(one.card->seriesCount() > 0);
        one.card->axes().setStepsPerEpoch(static_cast<double>(run_->stepsPerEpoch()), static_cast<double>(run_->epochsPassedOver()));
        one.card->setLive(run_->state() == session::RunState::kTraining);
        one.card->dataChanged();
    }
}

}  // namespace ui::views

#include "moc_layer_view.cpp"
