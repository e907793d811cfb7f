// SPDX-License-Identifier: GPL-3.0-or-later
// Draws many dense curves fast: a curve that rises in x covers one span of each column of pixels, so no outline has to be made of it.
// Without a widget and without QCustomPlot; one thread at a time.
#pragma once

#include <QColor>
#include <QImage>
#include <span>
#include <vector>

namespace ui::charts {

struct CurvePen {
    QColor color;
    double width = 1;        // pixels
    double on = 0, off = 0;  // pixels of a dash and of the gap behind it, along x; off 0: no gaps
};

// Smooth at the edges like QPainter's, round at its ends and corners; dashes are measured along x.
class CurveRaster {
public:
    explicit CurveRaster(QSize pixels);  // of the image, at first transparent

    // Points in pixels of the image, x rising or equal; those outside the image count up to its edge.
    void draw(std::span<const QPointF> points, const CurvePen& pen);
    const QImage& image() const { return image_; }

private:
    struct Reach {
        float low, high;  // in y; none where low > high
    };
    void follow(std::span<const QPointF> points);
    void widen(double width);
    void fill(const CurvePen& pen);
    void fillColumn(int x, std::span<const Reach> parts, QRgb color);

    QImage image_;
    std::vector<Reach> line_, wide_;  // by part of a column
    std::vector<float> cover_;        // by row: how many parts of a column
};

}  // namespace ui::charts
