// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/report_pdf.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <functional>
#include <numeric>

#include "engine/report/html_report.h"
#include "ui/charts/chart_picture.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

using engine::report::ReportTable;
using engine::report::RunData;
using theme::TextRole;

namespace {

constexpr int kDotsPerInch = 96;
constexpr QSize kPage{794, 1123};  // A4 at 96 dots per inch
constexpr double kMargin = 48, kRow = 18, kGap = 16, kChartHeight = 250;

// Fills pages from the top; asks for a new page when what comes next has no room. One page only where `new_page` is empty.
class PageFlow {
public:
    PageFlow(charts::ChartPainter& canvas, const theme::ThemeController& themes, std::function<void()> new_page)
        : canvas_(canvas), themes_(themes), new_page_(std::move(new_page)) {}

    bool need(double height) {
        if (y_ + height <= kPage.height() - kMargin) return true;
        if (!new_page_) full_ = true;
        if (full_) return false;
        new_page_();
        y_ = kMargin;
        return true;
    }
    void space(double height) { y_ += height; }
    void line(const QString& text, TextRole role, const QColor& color) {
        const QFont font = themes_.font(role);
        const QRectF wanted = QFontMetricsF(font).boundingRect(QRectF(0, 0, width(), 1000), Qt::TextWordWrap, text);
        if (!need(wanted.height())) return;
        QPainter& painter = canvas_.painter();
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QRectF(kMargin, y_, width(), wanted.height() + 2), Qt::TextWordWrap, text);
        y_ += wanted.height() + 4;
    }
    void charts(const std::vector<const charts::ChartCard*>& cards) {
        const double wide = (width() - 10) / 2;
        for (std::size_t i = 0; i < cards.size(); i += 2) {
            if (!need(kChartHeight)) return;
            canvas_.draw(*cards[i], themes_, QRectF(kMargin, y_, wide, kChartHeight));
            if (i + 1 < cards.size()) canvas_.draw(*cards[i + 1], themes_, QRectF(kMargin + wide + 10, y_, wide, kChartHeight));
            y_ += kChartHeight + 10;
        }
    }
    void table(const ReportTable& table) {
        const theme::Theme& t = themes_.theme();
        if (!need(24 + 3 * kRow)) return;
        y_ += kGap;
        line(QString::fromStdString(table.title), TextRole::kSection, t.text);
        const std::vector<double> widths = columnWidths(table);
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            if (!need(kRow)) return;
            double x = kMargin;
            QPainter& painter = canvas_.painter();
            for (std::size_t c = 0; c < widths.size(); ++c) {
                const bool numeric = c < table.numeric.size() && table.numeric[c];
                const QFont font = themes_.font(r == 0 ? TextRole::kTickStrong : (numeric ? TextRole::kMonoTick : TextRole::kTick));
                const QString text = c < table.rows[r].size() ? QString::fromStdString(table.rows[r][c]) : QString();
                painter.setFont(font);
                painter.setPen(r == 0 ? t.text2 : t.text);
                painter.drawText(QRectF(x + 4, y_, widths[c] - 8, kRow), Qt::AlignVCenter | (numeric ? Qt::AlignRight : Qt::AlignLeft),
                                 QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, widths[c] - 8));
                x += widths[c];
            }
            painter.setPen(QPen(t.border, 1));
            painter.drawLine(QPointF(kMargin, y_ + kRow), QPointF(kMargin + width(), y_ + kRow));
            y_ += kRow;
        }
    }

private:
    static double width() { return kPage.width() - 2 * kMargin; }
    // What each column needs, shrunk in proportion where all together need more than there is; the last text column takes the rest.
    std::vector<double> columnWidths(const ReportTable& table) const {
        const QFontMetricsF metrics(themes_.font(TextRole::kMonoTick));
        std::vector<double> widths(table.rows.front().size(), 0);
        for (const auto& row : table.rows) {
            for (std::size_t c = 0; c < std::min(row.size(), widths.size()); ++c)
                widths[c] = std::max(widths[c], metrics.horizontalAdvance(QString::fromStdString(row[c])) + 10);
        }
        const double sum = std::accumulate(widths.begin(), widths.end(), 0.0);
        if (sum > width()) {
            for (double& one : widths) one *= width() / sum;
        } else if (!widths.empty()) {
            widths.back() += width() - sum;
        }
        return widths;
    }

    charts::ChartPainter& canvas_;
    const theme::ThemeController& themes_;
    std::function<void()> new_page_;
    double y_ = kMargin;
    bool full_ = false;
};

void write(PageFlow& flow, const theme::Theme& t, const RunData& run, const std::vector<const charts::ChartCard*>& charts) {
    const auto& facts = run.facts;
    flow.line(QString::fromStdString(facts.name), TextRole::kDisplay, t.text);
    QStringList words{QStringLiteral("Run %1").arg(QString::fromStdString(facts.id)), QString::fromStdString(facts.state),
                      QStringLiteral("launched %1").arg(QString::fromStdString(engine::report::localTime(facts.created_unix_ns)))};
    if (facts.finished_unix_ns > 0) {
        const double seconds = static_cast<double>(facts.finished_unix_ns - facts.created_unix_ns) * 1e-9;
        words << QStringLiteral("took %1").arg(QString::fromStdString(engine::report::durationText(seconds)));
    }
    flow.line(words.join(QStringLiteral(" \u00b7 ")), TextRole::kBody, t.text2);
    if (!facts.detail.empty()) flow.line(QString::fromStdString(facts.detail), TextRole::kBody, t.text2);
    flow.space(kGap);
    flow.charts(charts);
    for (const ReportTable& table : engine::report::reportTables(run)) flow.table(table);
}

}  // namespace

QByteArray reportPdf(const RunData& run, const std::vector<const charts::ChartCard*>& charts) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kDotsPerInch);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF());
    writer.setCreator(QStringLiteral("Tandem"));
    writer.setTitle(QString::fromStdString(run.facts.name));
    const theme::ThemeController themes(theme::lightTheme());
    {
        charts::ChartPainter canvas(writer);
        PageFlow flow(canvas, themes, [&writer] { writer.newPage(); });
        write(flow, themes.theme(), run, charts);
    }
    return bytes;
}

QImage reportPage(const RunData& run, const std::vector<const charts::ChartCard*>& charts, int width) {
    const double scale = static_cast<double>(width) / kPage.width();
    QImage image(kPage * scale, QImage::Format_ARGB32_Premultiplied);
    const theme::ThemeController themes(theme::lightTheme());
    image.fill(themes.theme().surface);
    charts::ChartPainter canvas(image);
    canvas.painter().scale(scale, scale);
    PageFlow flow(canvas, themes, {});
    write(flow, themes.theme(), run, charts);
    return image;
}

}  // namespace ui::views
