// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/rate_curve.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/charts/ticks.h"
#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;
using widgets::paintText;

namespace {

constexpr double kLeft = 52, kRight = 10, kTop = 22, kBottom = 34;
// A fall by so much is read on a logarithmic axis; one to next to nothing is not.
constexpr double kLeastFall = 30, kMostFall = 1e4;

}  // namespace

RateCurve::RateCurve(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("rateCurve"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void RateCurve::setRates(std::vector<double> rates, double epochs) {
    rates_ = std::move(rates);
    epochs_ = std::max(epochs, 1e-9);
    setAccessibleName(tr("Learning rate by epoch"));
    setAccessibleDescription(rates_.empty()
                                 ? tr("No curve: the settings are not complete")
                                 : tr("from %1 to %2").arg(models::formatRate(rates_.front()), models::formatRate(rates_.back())));
    update();
}

void RateCurve::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
    const QRectF plot(kLeft, kTop, width() - kLeft - kRight, height() - kTop - kBottom);
    const QFont tick = themes_.font(TextRole::kMonoTick), name = themes_.font(TextRole::kTick);
    paintText(painter, QRectF(10, 4, width() - 20, 16), tr("learning rate"), name, t.text2);
    if (rates_.empty()) {
        paintText(painter, plot, tr("appears with complete settings"), themes_.font(TextRole::kSmall), t.text3, Qt::AlignCenter);
        return;
    }
    const auto [low, high] = std::minmax_element(rates_.begin(), rates_.end());
    const bool logarithmic = *low > 0 && *high / *low >= kLeastFall && *high / *low <= kMostFall;
    models::Range range = logarithmic ? models::Range{*low * 0.7, *high * 1.4} : models::Range{0, *high > 0 ? *high * 1.1 : 1};
    const auto height_of = [&](double rate) {
        const double share = logarithmic ? std::log(rate / range.lower) / std::log(range.upper / range.lower)
                                         : (rate - range.lower) / (range.upper - range.lower);
        return plot.bottom() - share * plot.height();
    };
    for (const models::Tick& mark : logarithmic ? models::logTicks(range, 4) : models::linearTicks(range, 4)) {
        const double y = std::floor(height_of(mark.position)) + 0.5;
        if (y < plot.top() - 1 || y > plot.bottom() + 1) continue;
        painter.setPen(QPen(t.grid, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        paintText(painter, QRectF(2, y - 8, kLeft - 8, 16), models::formatRate(mark.position), tick, t.text2,
                  Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.setPen(QPen(t.axis, 1));
    const double axis = std::floor(plot.bottom()) + 0.5;
    painter.drawLine(QPointF(plot.left(), axis), QPointF(plot.right(), axis));
    for (const models::Tick& mark : models::countTicks({0, epochs_}, 5)) {
        const double x = plot.left() + mark.position / epochs_ * plot.width();
        if (x > plot.right() + 1) continue;
        painter.setPen(QPen(t.axis, 1));
        painter.drawLine(QPointF(x, axis), QPointF(x, axis + 4));
        paintText(painter, QRectF(std::min(x - 24, width() - 50.0), axis + 4, 48, 14), mark.label, tick, t.text2, Qt::AlignCenter);
    }
    paintText(painter, QRectF(plot.left(), height() - 17, plot.width(), 15), tr("epoch"), name, t.text2, Qt::AlignCenter);
    QPainterPath path;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
        const double x = plot.left() + plot.width() * static_cast<double>(i) / static_cast<double>(rates_.size() - 1);
        const double y = height_of(rates_[i]);
        if (i == 0) {
            path.moveTo(x, y);
        } else {
            path.lineTo(x, height_of(rates_[i - 1]));  // held until the next step
            path.lineTo(x, y);
        }
    }
    painter.setPen(QPen(t.seriesColor(0), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

}  // namespace ui::views

#include "moc_rate_curve.cpp"
