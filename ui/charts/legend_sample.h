// SPDX-License-Identifier: GPL-3.0-or-later
// The line sample beside a series' name. Private to ui/charts.
#pragma once

#include <QPainter>

#include "ui/charts/chart_types.h"

namespace ui::charts {

// Paints line, dash and point of the series so that they fill `rect`. The painter is antialiased; its pen and brush change.
inline void paintLegendSample(QPainter& painter, const QRectF& rect, const SeriesStyle& style, const theme::Theme& colors) {
    const QColor color = style.colorIn(colors);
    QPen pen(color, 2);
    pen.setCapStyle(Qt::FlatCap);
    if (style.dashed) pen.setDashPattern(QList<qreal>{2.5, 1.5});
    if (style.second_dash) pen.setDashPattern(QList<qreal>{3, 1, 1, 1});
    painter.setPen(pen);
    const double y = rect.center().y();
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    if (style.hollow_points) {
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(colors.surface);
        painter.drawEllipse(rect.center(), 3, 3);
    }
}

}  // namespace ui::charts
