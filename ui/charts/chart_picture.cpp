// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_picture.h"

#include <QBuffer>
#include <QImage>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "ui/charts/chart_card.h"
#include "ui/charts/chart_header.h"
#include "ui/charts/chart_plot.h"

namespace ui::charts {
namespace {

constexpr int kGap = 10, kHead = 34, kPdfDotsPerInch = 96;

QSize wholeSize(int charts, const PictureOptions& options) {
    const int columns = std::clamp(options.columns, 1, charts);
    const int rows = (charts + columns - 1) / columns;
    return {columns * options.size.width() + (columns - 1) * kGap, rows * options.size.height() + (rows - 1) * kGap};
}

void drawAll(QPaintDevice& device, double scale, const std::vector<const ChartCard*>& cards, const theme::ThemeController& theme,
             const PictureOptions& options) {
    ChartPainter painter(device);
    painter.painter().scale(scale, scale);
    const int columns = std::clamp(options.columns, 1, static_cast<int>(cards.size()));
    painter.painter().fillRect(QRect(QPoint(), wholeSize(static_cast<int>(cards.size()), options)), theme.theme().window);
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
        painter.draw(*cards[i], theme,
                     QRectF(column * (options.size.width() + kGap), row * (options.size.height() + kGap), options.size.width(),
                            options.size.height()));
    }
}

}  // namespace

struct ChartPainter::Painter {
    explicit Painter(QPaintDevice* device) : painter(device) {}
    QCPPainter painter;
};

ChartPainter::ChartPainter(QPaintDevice& device) : painter_(std::make_unique<Painter>(&device)) {
    painter_->painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    painter_->painter.setRenderHint(QPainter::Antialiasing);
}

ChartPainter::~ChartPainter() = default;

QPainter& ChartPainter::painter() {
    return painter_->painter;
}

void ChartPainter::draw(const ChartCard& card, const theme::ThemeController& theme, const QRectF& box) {
    const auto copy = card.snapshot(theme);
    QCPPainter& painter = painter_->painter;
    const theme::Theme& colors = theme.theme();
    painter.save();
    painter.translate(box.topLeft());
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(QRectF(0.5, 0.5, box.width() - 1, box.height() - 1), theme::kRadiusCard, theme::kRadiusCard);
    painter.save();
    copy->header().paintOn(painter, box.width() - 8);
    painter.restore();
    painter.translate(1, kHead);
    copy->plot().drawOn(painter, {static_cast<int>(box.width()) - 2, static_cast<int>(box.height()) - kHead - 1});
    painter.restore();
}

QByteArray chartPicture(const std::vector<const ChartCard*>& cards, const theme::ThemeController& theme, const PictureOptions& options) {
    if (cards.empty()) return {};
    const QSize whole = wholeSize(static_cast<int>(cards.size()), options);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    switch (options.format) {
        case PictureFormat::kPng: {
            QImage image(whole * options.scale, QImage::Format_ARGB32_Premultiplied);
            drawAll(image, options.scale, cards, theme, options);
            image.save(&buffer, "PNG");
            break;
        }
        case PictureFormat::kSvg: {
            QSvgGenerator generator;
            generator.setOutputDevice(&buffer);
            generator.setSize(whole);
            generator.setViewBox(QRect(QPoint(), whole));
            generator.setTitle(cards.size() == 1 ? cards.front()->title() : QStringLiteral("Tandem"));
            drawAll(generator, 1, cards, theme, options);
            break;
        }
        case PictureFormat::kPdf: {
            QPdfWriter writer(&buffer);
            writer.setResolution(kPdfDotsPerInch);
            writer.setPageSize(QPageSize(QSizeF(whole) * 72.0 / kPdfDotsPerInch, QPageSize::Point));
            writer.setPageMargins(QMarginsF());
            writer.setCreator(QStringLiteral("Tandem"));
            drawAll(writer, 1, cards, theme, options);
            break;
        }
    }
    return bytes;
}

}  // namespace ui::charts
