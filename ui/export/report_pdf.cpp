// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report_pdf.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/report/html_report.h"
#include "ui/charts/chart_picture.h"
#include "ui/export/report_words.h"
#include "ui/parts/languages.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

using engine::report::ReportTable;
using engine::report::RunData;
using theme::TextRole;

namespace {

constexpr int kDotsPerInch = 96;
constexpr QSize kPage{794, 1123};  // A4 at 96 dots per inch
constexpr double kMargin = 48, kRow = 18, kGap = 16, kChartHeight = 250, kCellMargin = 4;

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
        const QFont shown = font(role);
        const QRectF wanted = QFontMetricsF(shown).boundingRect(QRectF(0, 0, width(), 1000), Qt::TextWordWrap, text);
        if (!need(wanted.height())) return;
        QPainter& painter = canvas_.painter();
        painter.setFont(shown);
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
            const double height = r == 0 ? headHeight(table, widths) : kRow;
            if (!need(height)) return;
            double x = kMargin;
            QPainter& painter = canvas_.painter();
            for (std::size_t c = 0; c < widths.size(); ++c) {
                const QFont shown = cellFont(table, r, c);
                const QRectF cell(x + kCellMargin, y_, widths[c] - 2 * kCellMargin, height);
                const QString text = c < table.rows[r].size() ? QString::fromStdString(table.rows[r][c]) : QString();
                const int across = isNumeric(table, c) ? Qt::AlignRight : Qt::AlignLeft;
                painter.setFont(shown);
                painter.setPen(r == 0 ? t.text2 : t.text);
                if (r == 0)
                    painter.drawText(cell, Qt::AlignBottom | across | Qt::TextWordWrap, text);
                else
                    painter.drawText(cell, Qt::AlignVCenter | across, QFontMetricsF(shown).elidedText(text, Qt::ElideMiddle, cell.width()));
                x += widths[c];
            }
            painter.setPen(QPen(t.border, 1));
            painter.drawLine(QPointF(kMargin, y_ + height), QPointF(kMargin + width(), y_ + height));
            y_ += height;
        }
    }

private:
    static double width() { return kPage.width() - 2 * kMargin; }
    static bool isNumeric(const ReportTable& table, std::size_t column) { return column < table.numeric.size() && table.numeric[column]; }
    QFont cellFont(const ReportTable& table, std::size_t row, std::size_t column) const {
        return font(row == 0 ? TextRole::kTickStrong : (isNumeric(table, column) ? TextRole::kMonoTick : TextRole::kTick));
    }
    // Words of a head stand below each other where they have no room beside each other.
    double headHeight(const ReportTable& table, const std::vector<double>& widths) const {
        double height = kRow;
        for (std::size_t c = 0; c < widths.size(); ++c) {
            const QRectF room(0, 0, widths[c] - 2 * kCellMargin, 1000);
            const QString text = QString::fromStdString(table.rows[0][c]);
            height = std::max(height, QFontMetricsF(cellFont(table, 0, c)).boundingRect(room, Qt::TextWordWrap, text).height() + 4);
        }
        return height;
    }
    // Returns the width of each column: what its texts need, and the longest word of its head. When all together need more than there is,
    // the widest give way first: a long sentence in one leaves numbers and addresses whole. A last column of words takes what is left over;
    // numbers stay beside what they belong to.
    std::vector<double> columnWidths(const ReportTable& table) const {
        std::vector<double> widths(table.rows.front().size(), 0);
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            for (std::size_t c = 0; c < std::min(table.rows[r].size(), widths.size()); ++c) {
                const QFontMetricsF metrics(cellFont(table, r, c));
                const QString text = QString::fromStdString(table.rows[r][c]);
                for (const QString& part : r == 0 ? text.split(QLatin1Char(' ')) : QStringList{text})
                    widths[c] = std::max(widths[c], std::ceil(metrics.horizontalAdvance(part)) + 2 * kCellMargin + 1);
            }
        }
        if (widths.empty()) return widths;
        std::vector<double> rising = widths;
        std::sort(rising.begin(), rising.end());
        double left = width();
        for (std::size_t c = 0; c < rising.size(); ++c) {
            const double share = left / static_cast<double>(rising.size() - c);
            if (rising[c] > share) {
                for (double& one : widths) one = std::min(one, share);
                return widths;
            }
            left -= rising[c];
        }
        if (!isNumeric(table, widths.size() - 1)) widths.back() += left;
        return widths;
    }
    // Returns the font without the alternates that it has for signs between digits and capitals: a reader who copies from the page gets the
    // signs themselves.
    QFont font(TextRole role) const {
        QFont plain = themes_.font(role);
        plain.setStyleStrategy(static_cast<QFont::StyleStrategy>(plain.styleStrategy() | QFont::PreferNoShaping));
        return plain;
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
    const engine::report::ReportLanguage language = reportLanguage();
    QStringList words;
    for (const std::string& part : engine::report::reportHead(run, language)) words << QString::fromStdString(part);
    flow.line(words.join(QStringLiteral(" \u00b7 ")), TextRole::kBody, t.text2);
    const auto sentence = [&](const std::string& text) {
        if (!text.empty()) flow.line(QString::fromStdString(text), TextRole::kBody, t.text2);
    };
    sentence(facts.detail.empty() ? facts.detail : language.word(facts.detail));
    sentence(engine::report::bestSentence(run, language));
    flow.space(kGap);
    flow.charts(charts);
    for (const ReportTable& table : engine::report::reportTables(run, language)) flow.table(table);
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
    theme::ThemeController themes(theme::lightTheme());
    themes.setLanguage(languageInForce());
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
    theme::ThemeController themes(theme::lightTheme());
    themes.setLanguage(languageInForce());
    image.fill(themes.theme().surface);
    charts::ChartPainter canvas(image);
    canvas.painter().scale(scale, scale);
    PageFlow flow(canvas, themes, {});
    write(flow, themes.theme(), run, charts);
    return image;
}

}  // namespace ui::views
