// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/weight_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/numbers.h"
#include "ui/parts/still_combo.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::DistributionEntry;
using session::VariableHistory;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr std::size_t kMostLayers = 12;
constexpr int kScaleFoot = 18, kTile = 22, kLargestTile = 40, kTileGap = 4, kMostTileRows = 4;
constexpr double kPeak = 0.45;  // of the height, for the highest bump

QString shortNumber(double value) {
    return std::isfinite(value) ? QLocale().toString(value, 'g', 3) : QString(QChar(models::kMissing));
}

}  // namespace

HistogramStack::HistogramStack(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("histogramStack"));
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void HistogramStack::setHistory(const VariableHistory* history, int color) {
    history_ = history == nullptr ? nullptr : std::make_shared<const VariableHistory>(*history);
    color_ = color;
    const bool any = history_ != nullptr && !history_->entries.empty();
    setAccessibleName(any ? tr("Histogram of %1").arg(QString::fromStdString(history_->name)) : tr("Histogram"));
    if (any) {
        const DistributionEntry& last = history_->entries.back();
        setAccessibleDescription(tr("epoch %1: from %2 to %3, mean %4")
                                     .arg(static_cast<int>(last.epoch) + 1)
                                     .arg(shortNumber(last.minimum), shortNumber(last.maximum), shortNumber(last.mean)));
    }
    update();
}

void HistogramStack::paintEvent(QPaintEvent*) {
    if (history_ == nullptr || history_->entries.empty()) return;
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // Evenly chosen epochs, the newest among them.
    const auto& all = history_->entries;
    std::vector<const DistributionEntry*> shown;
    const std::size_t count = std::min(all.size(), kMostLayers);
    for (std::size_t i = 0; i < count; ++i)
        shown.push_back(&all[all.size() - 1 - (count - 1 - i) * (all.size() - 1) / std::max<std::size_t>(1, count - 1)]);
    double low = shown.front()->minimum, high = shown.front()->maximum, densest = 0;
    for (const DistributionEntry* one : shown) {
        low = std::min(low, one->minimum);
        high = std::max(high, one->maximum);
        for (std::size_t b = 0; b < one->counts.size(); ++b) {
            const double width = one->limits[b + 1] - one->limits[b];
            if (width > 0) densest = std::max(densest, static_cast<double>(one->counts[b]) / width);
        }
    }
    const QRectF plot(0, 4, width(), height() - kScaleFoot - 4);
    if (!(high > low) || !(densest > 0)) {
        widgets::paintText(painter, plot, tr("all values are %1").arg(shortNumber(low)), themes_.font(TextRole::kSmall), t.text2,
                           Qt::AlignCenter);
        return;
    }
    const double peak = plot.height() * (shown.size() > 1 ? kPeak : 0.9);
    const double fall = shown.size() > 1 ? (plot.height() - peak) / static_cast<double>(shown.size() - 1) : 0;
    const auto xOf = [&](double value) { return plot.left() + (value - low) / (high - low) * plot.width(); };
    const QColor color = t.seriesColor(color_);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const DistributionEntry& one = *shown[i];
        const double base = plot.top() + peak + fall * static_cast<double>(i);
        QPainterPath path(QPointF(xOf(one.minimum), base));
        for (std::size_t b = 0; b < one.counts.size(); ++b) {
            const double width = one.limits[b + 1] - one.limits[b];
            const double density = width > 0 ? static_cast<double>(one.counts[b]) / width : 0;
            path.lineTo(xOf((one.limits[b] + one.limits[b + 1]) / 2), base - density / densest * peak);
        }
        path.lineTo(xOf(one.maximum), base);
        const bool newest = i + 1 == shown.size();
        QColor fill = t.surface;
        QColor line = color;
        if (!newest) line.setAlphaF(0.35F + 0.4F * static_cast<float>(i) / static_cast<float>(shown.size()));
        painter.setBrush(fill);
        painter.setPen(Qt::NoPen);
        painter.drawPath(path);
        QColor tint = color;
        tint.setAlphaF(newest ? 0.28F : 0.12F);
        painter.setBrush(tint);
        painter.setPen(QPen(line, newest ? 2 : 1));
        painter.drawPath(path);
    }
    const QFont font = themes_.font(TextRole::kMonoTick);
    const QRectF foot(0, height() - kScaleFoot, width(), kScaleFoot);
    widgets::paintText(painter, foot, shortNumber(low), font, t.text3);
    widgets::paintText(painter, foot, shortNumber(high), font, t.text3, Qt::AlignRight | Qt::AlignVCenter);
    if (low < 0 && high > 0 && xOf(0) > 60 && xOf(0) < width() - 60)
        widgets::paintText(painter, QRectF(xOf(0) - 20, foot.top(), 40, kScaleFoot), QStringLiteral("0"), font, t.text3, Qt::AlignCenter);
}

FilterPicturesView::FilterPicturesView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("filterPictures"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FilterPicturesView::setRun(const session::RunRecord* run) {
    pictures_.clear();
    if (run != nullptr && !run->weightReports().filters().empty()) {
        const auto& filters = run->weightReports().filters().back().filters;
        const std::size_t pixels = static_cast<std::size_t>(filters.height) * static_cast<std::size_t>(filters.width);
        const std::size_t each = pixels * static_cast<std::size_t>(filters.channels);
        for (std::int32_t n = 0; n < filters.count && (static_cast<std::size_t>(n) + 1) * each <= filters.values.size(); ++n) {
            const float* values = filters.values.data() + static_cast<std::size_t>(n) * each;
            float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
            for (const float* value = values; value != values + each; ++value) {
                if (!std::isfinite(*value)) continue;
                low = std::min(low, *value);
                high = std::max(high, *value);
            }
            const float range = std::max(high - low, 1e-12F);
            QImage picture(filters.width, filters.height, QImage::Format_RGB32);
            for (std::size_t p = 0; p < pixels; ++p) {
                const auto level = [&](std::size_t channel) {
                    const std::size_t at = p * static_cast<std::size_t>(filters.channels) + (filters.channels == 3 ? channel : 0);
                    return std::isfinite(values[at]) ? static_cast<int>(std::lround(255 * (values[at] - low) / range)) : 0;
                };
                picture.setPixel(static_cast<int>(p) % filters.width, static_cast<int>(p) / filters.width,
                                 qRgb(level(0), level(1), level(2)));
            }
            pictures_.push_back(std::move(picture));
        }
        setAccessibleName(tr("%n kernel(s) of %1", nullptr, static_cast<int>(pictures_.size())).arg(QString::fromStdString(filters.name)));
    }
    setFixedHeight(heightForWidth(width()));
    update();
}

// The side of a tile is as large as a picture needs, so that the pixels of a dense layer's image are still seen.
int FilterPicturesView::tile() const {
    return pictures_.empty() ? kTile : std::clamp(pictures_.front().width() + 4, kTile, kLargestTile);
}

int FilterPicturesView::heightForWidth(int width) const {
    const int columns = std::max(1, (width + kTileGap) / (tile() + kTileGap));
    const int rows = (static_cast<int>(pictures_.size()) + columns - 1) / columns;
    return std::min(rows, kMostTileRows) * (tile() + kTileGap);
}

QSize FilterPicturesView::sizeHint() const {
    return {260, heightForWidth(260)};
}

void FilterPicturesView::resizeEvent(QResizeEvent*) {
    setFixedHeight(heightForWidth(width()));
}

void FilterPicturesView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const int side = tile(), columns = std::max(1, (width() + kTileGap) / (side + kTileGap));
    for (std::size_t i = 0; i < pictures_.size(); ++i) {
        const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
        if (row >= kMostTileRows) return;
        painter.drawImage(QRect(column * (side + kTileGap), row * (side + kTileGap), side, side), pictures_[i]);
    }
}

WeightView::WeightView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("weightView"));
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    epoch_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    facts_ = new TextLabel(themes, TextRole::kMono, Ink::kText2, this);
    facts_->setElided(true);
    facts_->setObjectName(QStringLiteral("weightFacts"));
    filters_title_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    which_ = new widgets::SegmentedControl(themes, this);
    which_->setObjectName(QStringLiteral("weightWhich"));
    which_->setEntries({QString(), QString()});
    variable_ = new StillCombo(this);
    variable_->setObjectName(QStringLiteral("weightVariable"));
    variable_->setProperty("compact", true);
    variable_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    histograms_ = new HistogramStack(themes, this);
    filters_ = new FilterPicturesView(themes, this);
    auto* head = new QHBoxLayout;
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(epoch_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, theme::kSpace2, 0, 0);
    column->setSpacing(theme::kSpace2);
    column->addLayout(head);
    column->addWidget(which_);
    column->addWidget(variable_);
    column->addWidget(histograms_);
    column->addWidget(facts_);
    column->addWidget(filters_title_);
    column->addWidget(filters_);
    connect(which_, &widgets::SegmentedControl::currentChanged, this, &WeightView::refresh);
    connect(variable_, &QComboBox::currentIndexChanged, this, &WeightView::refresh);
    retranslate();
}

void WeightView::setRun(const session::RunRecord* run) {
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = run;
    if (run_ != nullptr) connect(run_, &session::RunRecord::weightsArrived, this, &WeightView::refresh);
    refresh();
}

void WeightView::retranslate() {
    title_->setText(tr("Weights"));
    which_->setEntries({tr("Weights"), tr("Gradients")});
    which_->setAccessibleName(tr("Weights or gradients"));
    variable_->setAccessibleName(tr("Variable"));
    filters_title_->setText(tr("First kernels"));
    refresh();
}

const VariableHistory* WeightView::chosen() const {
    if (run_ == nullptr) return nullptr;
    const auto& list = which_->current() == 1 ? run_->weightReports().gradients() : run_->weightReports().weights();
    const auto at = std::find_if(list.begin(), list.end(),
                                 [&](const VariableHistory& one) { return one.name == variable_->currentText().toStdString(); });
    return at == list.end() ? nullptr : &*at;
}

void WeightView::fillVariables() {
    QStringList names, shown;
    for (const VariableHistory& one : run_->weightReports().weights()) names << QString::fromStdString(one.name);
    for (int i = 0; i < variable_->count(); ++i) shown << variable_->itemText(i);
    if (shown == names) return;
    const QSignalBlocker blocker(variable_);
    const QString before = variable_->currentText();
    variable_->clear();
    variable_->addItems(names);
    variable_->setCurrentIndex(std::max(0, variable_->findText(before)));
}

void WeightView::refresh() {
    const bool any = run_ != nullptr && !run_->weightReports().weights().empty();
    setVisible(any);
    if (!any) {
        histograms_->setHistory(nullptr, 0);
        return;
    }
    fillVariables();
    const VariableHistory* history = chosen();
    histograms_->setHistory(history, run_->summary().color);
    filters_->setRun(run_);
    filters_title_->setVisible(!run_->weightReports().filters().empty());
    filters_->setVisible(!run_->weightReports().filters().empty());
    if (history == nullptr || history->entries.empty()) {
        facts_->setText(tr("no batch was seen yet"));
        epoch_->clear();
        return;
    }
    const DistributionEntry& last = history->entries.back();
    epoch_->setText(tr("epoch %1").arg(static_cast<int>(last.epoch) + 1));
    QStringList facts;
    if (last.not_finite == 0 || last.norm > 0) {  // else there is nothing that these are of
        facts << tr("norm %1 · mean %2 ± %3").arg(shortNumber(last.norm), shortNumber(last.mean), shortNumber(last.deviation));
    }
    if (last.not_finite > 0) {
        facts << tr("%n not finite", nullptr, static_cast<int>(std::min<std::int64_t>(last.not_finite, 1'000'000'000)));
    }
    facts_->setText(facts.join(QStringLiteral(" \u00b7 ")));
}

}  // namespace ui::views

#include "moc_weight_view.cpp"
