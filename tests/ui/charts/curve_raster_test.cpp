// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_raster.h"

#include <gtest/gtest.h>

#include <QPainter>
#include <cmath>
#include <limits>

namespace ui::charts {
namespace {

QImage drawn(QSize size, const QVector<QPointF>& points, const CurvePen& pen) {
    return rasterized(size, std::vector<RasterCurve>{{points, pen}});
}

double inkOf(const QImage& image) {
    double ink = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) ink += qAlpha(image.pixel(x, y)) / 255.0;
    }
    return ink;
}

TEST(CurveRaster, CoversTheRowsOfALevelLine) {
    const QImage image = drawn({10, 10}, {{0, 5}, {10, 5}}, {.color = Qt::red, .width = 2});
    for (int y = 0; y < 10; ++y) EXPECT_EQ(qAlpha(image.pixel(5, y)), y == 4 || y == 5 ? 255 : 0) << y;
    EXPECT_EQ(image.pixelColor(5, 4), QColor(Qt::red));
    const QImage between = drawn({10, 10}, {{0, 5.5}, {10, 5.5}}, {.color = Qt::red, .width = 2});
    EXPECT_NEAR(qAlpha(between.pixel(5, 4)), 128, 1);
    EXPECT_EQ(qAlpha(between.pixel(5, 5)), 255);
    EXPECT_NEAR(qAlpha(between.pixel(5, 6)), 128, 1);
}

TEST(CurveRaster, AJumpIsAsWideAsThePen) {
    const QImage image = drawn({20, 40}, {{0, 35}, {10, 35}, {10, 5}, {20, 5}}, {.color = Qt::black, .width = 2});
    double across = 0;
    for (int x = 0; x < 20; ++x) across += qAlpha(image.pixel(x, 20)) / 255.0;
    EXPECT_NEAR(across, 2, 0.5);
}

// The same curve by QPainter: about as much ink, and nowhere far from it.
TEST(CurveRaster, LooksAsQPaintersOutline) {
    QVector<QPointF> points;
    for (int x = -3; x < 210; ++x) points.emplace_back(x, 50 + 30 * std::sin(x * 0.11));
    const CurvePen pen{.color = QColor(30, 90, 200), .width = 2};
    const QImage ours = drawn({200, 100}, points, pen);
    QImage theirs(200, 100, QImage::Format_ARGB32_Premultiplied);
    theirs.fill(0);
    {
        QPainter painter(&theirs);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(pen.color, pen.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.drawPolyline(points);
    }
    EXPECT_NEAR(inkOf(ours) / inkOf(theirs), 1, 0.12);
    for (int y = 0; y < 100; ++y) {
        for (int x = 1; x < 199; ++x) {
            if (qAlpha(theirs.pixel(x, y)) == 255) {
                EXPECT_GT(qAlpha(ours.pixel(x, y)), 120) << x << ' ' << y;
            }
        }
    }
}

TEST(CurveRaster, DashesAlongX) {
    const QImage image = drawn({40, 10}, {{0, 5}, {40, 5}}, {.color = Qt::black, .width = 2, .on = 6, .off = 4});
    for (int x = 0; x < 40; ++x) EXPECT_EQ(qAlpha(image.pixel(x, 5)) > 0, x % 10 < 6) << x;
}

TEST(CurveRaster, LaysOneColourOverAnother) {
    const QVector<QPointF> level{{0, 5}, {10, 5}};
    const std::vector<RasterCurve> curves{{level, {.color = Qt::red, .width = 4}}, {level, {.color = QColor(0, 0, 255, 128), .width = 4}}};
    const QColor color = rasterized({10, 10}, curves).pixelColor(5, 5);
    EXPECT_EQ(color.alpha(), 255);
    EXPECT_NEAR(color.red(), 127, 2);
    EXPECT_NEAR(color.blue(), 128, 2);
}

// Strips are drawn each for itself; nothing may show where two of them meet.
TEST(CurveRaster, IsTheSameWhereverThePictureBegins) {
    constexpr int kShift = 37, kWidth = 300, kHeight = 60;
    QVector<QPointF> points, shifted;
    for (int x = -5; x < kWidth + kShift + 5; ++x) {
        points.append({x + 0.25, 30 + 25 * std::sin(x * 1.7) * std::sin(x * 0.01)});
        shifted.append(points.last() - QPointF(kShift, 0));
    }
    const CurvePen pen{.color = QColor(30, 90, 200, 120), .width = 7};
    const QImage whole = drawn({kWidth + kShift, kHeight}, points, pen), part = drawn({kWidth, kHeight}, shifted, pen);
    EXPECT_EQ(whole.copy(kShift + 5, 0, kWidth - 10, kHeight), part.copy(5, 0, kWidth - 10, kHeight));
}

TEST(CurveRaster, StaysInsideThePicture) {
    constexpr double kFar = 1e30;
    const QImage image =
        drawn({10, 10}, {{-kFar, kFar}, {-5, -kFar}, {2, 3}, {2, kFar}, {5, -kFar}, {kFar, 0}}, {.color = Qt::black, .width = 3});
    EXPECT_EQ(image.size(), QSize(10, 10));
    EXPECT_GT(inkOf(image), 0);
    EXPECT_EQ(inkOf(drawn({10, 10}, {{20, 5}, {30, 5}}, {.color = Qt::black, .width = 3})), 0);
    EXPECT_EQ(inkOf(drawn({10, 10}, {}, {.color = Qt::black})), 0);
}

}  // namespace
}  // namespace ui::charts
