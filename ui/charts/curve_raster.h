// SPDX-License-Identifier: GPL-3.0-or-later
// Draws many dense curves fast: a curve that rises in x covers one span of each column of pixels, so no outline has to be made of it. It
// needs neither a widget nor QCustomPlot.
#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QSize>
#include <QVector>
#include <span>

namespace ui::charts {

struct CurvePen {
    QColor color;
    double width = 1;        // pixels
    double on = 0, off = 0;  // pixels of a dash and of the gap behind it, along x; off 0: no gaps
};

struct RasterCurve {
    QVector<QPointF> points;  // in pixels of the image, x rising or equal; those outside the image count up to its edge
    CurvePen pen;
};

// Returns the curves in their order, over each other, on a transparent ground: smooth at the edges like QPainter's, round at their ends and
// corners; dashes are measured along x. Any thread; several strips of the image are drawn at a time, by helpers().
QImage rasterized(QSize pixels, std::span<const RasterCurve> curves);

}  // namespace ui::charts
