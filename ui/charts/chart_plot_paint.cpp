// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot draws over its curves: names of the axes, notes, marks, end labels, cursor; and its pens from the theme.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_plot.h"
#include "ui/models/numbers.h"

namespace ui::charts {

using models::Range;
using models::Series;
using theme::TextRole;

constexpr int kMostFlagRows = 3;
constexpr double kNoteLine = 17;

void applyTheme(QCustomPlot& plot, const theme::ThemeController& controller) {
    const theme::Theme& theme = controller.theme();
    const QPen axis_pen(theme.axis, 0);
    plot.setBackground(Qt::NoBrush);
    plot.axisRect()->setBackground(Qt::NoBrush);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickPen(axis_pen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelFont(controller.font(TextRole::kMonoTick));
        axis->setTickLabelColor(theme.text3);
        axis->setSubTicks(false);
        axis->setNumberFormat(QStringLiteral("g"));  // the labels are ours: 1e-3 is not to become a power
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setSubGridVisible(false);
        axis->setTickLengthIn(0);
        axis->setTickLabelPadding(6);
    }
    plot.xAxis->setBasePen(axis_pen);
    plot.xAxis->setTickLengthOut(4);
    plot.xAxis->grid()->setVisible(false);
    plot.yAxis->setBasePen(Qt::NoPen);
    plot.yAxis->setTickPen(Qt::NoPen);
    plot.yAxis->setTickLengthOut(0);
    plot.yAxis->grid()->setPen(QPen(theme.grid, 0));
}

void ChartPlot::drawFrame(QPainter& painter) {
    const theme::Theme& colors = theme_.theme();
    const QRect plot = plotRect();
    painter.setFont(theme_.font(TextRole::kTick));
    painter.setPen(colors.text2);
    QString x_name;
    switch (state_.x_axis) {
        case models::XAxis::kStep:
            x_name = state_.step_name.isEmpty() ? tr("step") : state_.step_name;
            break;
        case models::XAxis::kRelative:
            x_name = tr("time since launch");
            break;
        case models::XAxis::kWall:
            x_name = tr("time of day");
            break;
        case models::XAxis::kEpoch:
            x_name = tr("epoch");
            break;
    }
    painter.drawText(QRectF(plot.left(), plot.bottom() + 22, plot.width(), 17), Qt::AlignCenter, x_name);
    painter.save();
    painter.translate(14, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2.0, -8, plot.height(), 16), Qt::AlignCenter, state_.y_name);
    painter.restore();
}

void ChartPlot::drawNotes(QPainter& painter) {
    const theme::Theme& colors = theme_.theme();
    const QRectF plot = plotRect();
    painter.setFont(theme_.font(TextRole::kTick));
    painter.setPen(colors.text3);
    const QRectF foot(plot.left() + 6, plot.bottom() - 18, plot.width() - 12, 16);
    const auto note = [&](const QRectF& row, Qt::Alignment side, const QString& text) {
        const int flags = static_cast<int>(side | Qt::AlignVCenter);
        painter.fillRect(QFontMetricsF(painter.font()).boundingRect(row, flags, text).adjusted(-2, 0, 2, 0), colors.surface);  // over marks
        painter.drawText(row, flags, text);
    };
    const QString hidden = hiddenByScale();
    if (!hidden.isEmpty()) note(foot, Qt::AlignLeft, hidden);
    if (const QString ends = endsInNoNumber(); !ends.isEmpty())
        note(foot.translated(0, hidden.isEmpty() ? 0 : -kNoteLine), Qt::AlignLeft, ends);
    // These notes stand at the right, where falling and rising curves leave room.
    const Beyond beyond = beyondScale();
    if (!beyond.above.isEmpty()) {
        // Below the flags that stand where the note would.
        QRectF row = foot.translated(0, plot.top() + 6 - foot.top());
        const double text_width = QFontMetricsF(painter.font()).horizontalAdvance(beyond.above) + 4;
        const std::vector<Flag> all = flags();
        for (int tries = 0; tries < kMostFlagRows; ++tries) {
            const QRectF text(row.right() - text_width, row.top(), text_width, row.height());
            const auto covered = std::find_if(all.begin(), all.end(), [&](const Flag& flag) { return flag.rect.intersects(text); });
            if (covered == all.end()) break;
            row.moveTop(covered->rect.bottom() + 1);
        }
        note(row, Qt::AlignRight, beyond.above);
    }
    if (hidden.isEmpty() && !beyond.below.isEmpty()) note(foot, Qt::AlignRight, beyond.below);
}

void ChartPlot::drawMarks(QPainter& painter) {
    const theme::Theme& colors = theme_.theme();
    const QRectF plot = plotRect();
    for (const Marker& marker : state_.markers) {
        const double x = std::round(xAxis->coordToPixel(state_.markerX(marker))) + 0.5;
        if (x < plot.left() || x > plot.right() + 1) continue;
        if (isCheckpoint(marker)) {
            QPolygonF diamond;
            const double y = plot.bottom() + 0.5;
            diamond << QPointF(x - 4.5, y) << QPointF(x, y - 4.5) << QPointF(x + 4.5, y) << QPointF(x, y + 4.5);
            const QColor color = colors.seriesColor(state_.series.empty() ? 0 : state_.series.front().style.color);
            painter.setPen(QPen(color, 1.5));
            painter.setBrush(marker.kind == Marker::Kind::kBestCheckpoint ? color : colors.surface);
            painter.drawPolygon(diamond);
            continue;
        }
        const bool failure = marker.kind == Marker::Kind::kFailure;
        if (marker.kind == Marker::Kind::kRestart) {
            const auto of = static_cast<std::size_t>(marker.series);
            const bool own = marker.series >= 0 && of < state_.series.size();
            painter.setPen(QPen(own ? state_.series[of].style.colorIn(colors) : colors.text2, 1));
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
        QPen dash(faded(failure ? colors.err : colors.text2, failure ? 1.0 : 0.75), 1);
        dash.setDashPattern({3, 3});
        painter.setPen(dash);
        painter.drawLine(QPointF(x, plot.top() + 4), QPointF(x, plot.bottom()));
    }
    painter.setFont(theme_.font(TextRole::kTickMedium));
    for (const Flag& flag : flags()) {
        const bool failure = state_.markers[flag.markers.front()].kind == Marker::Kind::kFailure;
        painter.setPen(QPen(failure ? colors.err : colors.border_strong, 1));
        painter.setBrush(colors.sunken);
        painter.drawRoundedRect(flag.rect.adjusted(0.5, 0, -0.5, 0), 4, 4);
        painter.setPen(failure ? colors.err : colors.text2);
        painter.drawText(flag.rect, Qt::AlignCenter, flag.label);
    }
}

// Rows from above the plot down into its upper third; whatever was lost comes first.
std::vector<Flag> ChartPlot::flags() const {
    const QRectF plot = plotRect();
    std::vector<FlagWish> wishes;
    for (std::size_t i = 0; i < state_.markers.size(); ++i) {
        const Marker& marker = state_.markers[i];
        const double x = std::round(xAxis->coordToPixel(state_.markerX(marker))) + 0.5;
        if (isCheckpoint(marker) || x < plot.left() || x > plot.right() + 1) continue;
        wishes.push_back({i, x, marker.label, marker.kind == Marker::Kind::kFailure});
    }
    FlagRoom room{.left = plot.left(), .right = width() - 4.0, .top = plot.top() - 11.5};
    room.rows = std::clamp(1 + static_cast<int>(plot.height() / 3 / room.pitch), 1, kMostFlagRows);
    const QFontMetricsF metrics(theme_.font(TextRole::kTickMedium));
    return placeFlags(std::move(wishes), room, [&](const QString& label) { return metrics.horizontalAdvance(label) + 10; });
}

void ChartPlot::drawLive(QPainter& painter) {
    const theme::Theme& colors = theme_.theme();
    for (std::size_t i = 0; i < state_.series.size(); ++i) {
        const ChartSeries& one = state_.series[i];
        if (!one.style.live || one.points.empty()) continue;
        const auto last = one.points.size() - 1;
        const auto curve = one.style.exact ? Series::Curve::kRaw : Series::Curve::kSmoothed;
        const QPointF at = pixelOf(one.points.x(last, state_.x_axis), one.points.y(last, curve));
        if (!QRectF(plotRect()).adjusted(-2, -2, 2, 2).contains(at)) continue;
        const QColor color = one.style.colorIn(colors);
        painter.setPen(Qt::NoPen);
        if (state_.live) {
            painter.setBrush(faded(color, 0.22));
            painter.drawEllipse(at, 7, 7);
        }
        painter.setBrush(color);
        painter.drawEllipse(at, 3.4, 3.4);
    }
}

void ChartPlot::drawEndLabels(QPainter& painter) {
    const theme::Theme& colors = theme_.theme();
    struct Label {
        double y;
        const ChartSeries* series;
    };
    std::vector<Label> labels;
    for (const ChartSeries& one : state_.series) {
        if (!one.style.end_label || one.points.empty()) continue;
        const auto last = one.points.size() - 1;
        labels.push_back({yAxis->coordToPixel(one.points.y(last, one.style.exact ? Series::Curve::kRaw : Series::Curve::kSmoothed)), &one});
    }
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
    constexpr double kLine = 14;
    for (std::size_t i = 1; i < labels.size(); ++i) labels[i].y = std::max(labels[i].y, labels[i - 1].y + kLine);
    const QRectF plot = plotRect();
    painter.setFont(theme_.font(TextRole::kTickMedium));
    for (const Label& label : labels) {
        if (label.y < plot.top() || label.y > plot.bottom() + 4) continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(label.series->style.colorIn(colors));
        painter.drawEllipse(QPointF(plot.right() + 8, label.y), 3, 3);
        painter.setPen(colors.text);
        painter.drawText(QRectF(plot.right() + 14, label.y - 8, width() - plot.right() - 14, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         label.series->name);
    }
}

void ChartPlot::drawCursor(QPainter& painter) {
    if (!state_.cursor || state_.empty()) return;
    const theme::Theme& colors = theme_.theme();
    const QRectF plot = plotRect();
    const double x = std::round(xAxis->coordToPixel(*state_.cursor)) + 0.5;
    if (x < plot.left() || x > plot.right() + 1) return;
    painter.setPen(QPen(colors.text, 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    for (const ChartSeries& one : state_.series) {
        const auto index = one.points.indexAtOrBefore(*state_.cursor, state_.x_axis);
        if (!index) continue;
        const float value = one.points.y(*index, one.style.exact ? Series::Curve::kRaw : Series::Curve::kSmoothed);
        const double point_x = one.style.hollow_points ? one.points.x(*index, state_.x_axis) : *state_.cursor;
        const QPointF at = pixelOf(point_x, value);
        if (!plot.adjusted(-1, -1, 1, 1).contains(at)) continue;
        painter.setPen(QPen(colors.surface, 1.5));
        painter.setBrush(one.style.colorIn(colors));
        painter.drawEllipse(at, 4, 4);
    }
    // The x value on the axis; what it covers of the ticks is taken away whole.
    QString label = models::formatCount(std::llround(*state_.cursor));
    if (state_.x_axis == models::XAxis::kEpoch) label = QLocale().toString(*state_.cursor, 'f', 2);
    if (state_.x_axis == models::XAxis::kRelative) label = models::formatDuration(*state_.cursor);
    if (state_.x_axis == models::XAxis::kWall) {
        label = QDateTime::fromMSecsSinceEpoch(std::llround(*state_.cursor * 1000)).toString(QStringLiteral("HH:mm:ss"));
    }
    painter.setFont(theme_.font(TextRole::kMonoTick));
    const QFontMetricsF metrics(painter.font());
    QRectF chip(0, plot.bottom() + 5, metrics.horizontalAdvance(label) + 14, 18);
    chip.moveCenter({x, chip.center().y()});
    if (chip.right() > width() - 2) chip.moveRight(width() - 2);
    for (const models::Tick& tick : x_ticks_) {
        const double half = metrics.horizontalAdvance(tick.label) / 2 + 2;
        const QRectF covered(xAxis->coordToPixel(tick.position) - half, plot.bottom() + 6, 2 * half, 17);
        if (covered.intersects(chip.adjusted(-2, 0, 2, 0))) painter.fillRect(covered, colors.surface);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.text);
    painter.drawRoundedRect(chip, 4, 4);
    painter.setPen(colors.surface);
    painter.drawText(chip, Qt::AlignCenter, label);
}

void ChartPlot::drawSelection(QPainter& painter) {
    if (drag_ != Drag::kZoom) return;
    const theme::Theme& colors = theme_.theme();
    const QRect box = QRect(drag_start_, drag_now_).normalized() & plotRect();
    painter.setPen(QPen(colors.accent, 1));
    painter.setBrush(faded(colors.accent, 0.14));
    painter.drawRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5));
}

}  // namespace ui::charts
