// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as pictures: lines and text stay lines and text in SVG and PDF.
#pragma once

#include <QByteArray>
#include <QRectF>
#include <QSize>
#include <memory>
#include <vector>

class QPaintDevice;
class QPainter;

namespace ui::theme {
class ThemeController;
}

namespace ui::charts {

class ChartCard;

// Paints charts on any device beside whatever else is painted there. Ends with its lifetime; the device outlives it. GUI thread.
class ChartPainter {
public:
    explicit ChartPainter(QPaintDevice& device);
    ~ChartPainter();
    QPainter& painter();
    // Draws the chart as a card in `box`, in the units of the painter.
    void draw(const ChartCard& card, const theme::ThemeController& theme, const QRectF& box);

private:
    struct Painter;
    std::unique_ptr<Painter> painter_;
};

enum class PictureFormat { kPng, kSvg, kPdf };

struct PictureOptions {
    PictureFormat format = PictureFormat::kPng;
    QSize size{960, 540};  // of one chart, in logical pixels
    int columns = 1;       // several charts stand side by side
    double scale = 2;      // of PNG: device pixels a logical one
};

// Returns the whole content of a file with one picture of all `cards`, row by row; empty when there is no card.
QByteArray chartPicture(const std::vector<const ChartCard*>& cards, const theme::ThemeController& theme, const PictureOptions& options);

}  // namespace ui::charts
