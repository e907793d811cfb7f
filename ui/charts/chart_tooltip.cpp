// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_tooltip.h"

#include <QPainter>
#include <QStringList>
#include <array>

#include "ui/charts/chart_plot.h"
#include "ui/charts/legend_sample.h"
#include "ui/models/numbers.h"

namespace ui::charts {

using theme::TextRole;

namespace {

constexpr int kShadow = 8;  // room around the box for its shadow
constexpr int kPadding = 10, kHeadHeight = 24, kTooltipRow = 20, kColumnGap = 14, kCursorDistance = 14;
constexpr std::size_t kValueColumns = 4, kLeastColumns = 2;

using Cells = std::array<QString, kValueColumns>;

Cells cellsOf(const ChartState& state, const ChartSeries& one) {
    Cells cells;
    cells.fill(QString(QChar(models::kMissing)));
    const auto index = one.points.indexAtOrBefore(*state.cursor, state.x_axis);
    if (!index) return cells;
    const models::SeriesPoint point = one.points.at(*index);
    if (!one.style.exact) cells[0] = formatValue(one.style.format, point.smoothed);
    cells[1] = formatValue(one.style.format, point.value);
    cells[2] = models::formatCount(point.step);
    cells[3] = models::formatDuration(one.points.x(*index, models::XAxis::kRelative));
    return cells;
}

struct Layout {
    double name = 0;
    std::array<double, kValueColumns> columns{};
    double width = 0;
};

Layout layoutOf(const ChartState& state, const theme::ThemeController& theme, const Cells& heads, std::size_t columns) {
    const QFontMetricsF small(theme.font(TextRole::kSmall));
    const QFontMetricsF mono(theme.font(TextRole::kMonoMedium));
    Layout layout;
    layout.name = small.horizontalAdvance(ChartTooltip::tr("Series"));
    for (std::size_t c = 0; c < columns; ++c) layout.columns[c] = small.horizontalAdvance(heads[c]);
    for (const ChartSeries& one : state.series) {
        layout.name = std::max(layout.name, small.horizontalAdvance(one.name));
        if (!state.cursor) continue;
        const Cells cells = cellsOf(state, one);
        for (std::size_t c = 0; c < columns; ++c) layout.columns[c] = std::max(layout.columns[c], mono.horizontalAdvance(cells[c]));
    }
    layout.width = 2 * kPadding + 22 + layout.name;
    for (std::size_t c = 0; c < columns; ++c) layout.width += kColumnGap + layout.columns[c];
    return layout;
}

Cells headCells() {
    return {ChartTooltip::tr("Smoothed"), ChartTooltip::tr("Value"), ChartTooltip::tr("Step"), ChartTooltip::tr("Time")};
}

}  // namespace

ChartTooltip::ChartTooltip(const ChartState& state, const theme::ThemeController& theme, QWidget* parent)
    : QWidget(parent), state_(state), theme_(theme) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

QSize ChartTooltip::sizeHint() const {
    const Layout layout = layoutOf(state_, theme_, headCells(), columns_);
    const int rows = static_cast<int>(state_.series.size());
    return {static_cast<int>(std::ceil(layout.width)) + 2 * kShadow, kHeadHeight + rows * kTooltipRow + 8 + 2 * kShadow};
}

void ChartTooltip::showAt(QPointF anchor, const QRect& bounds) {
    if (!state_.cursor || state_.empty()) {
        hide();
        return;
    }
    columns_ = kValueColumns;
    while (columns_ > kLeastColumns && sizeHint().width() - 2 * kShadow > bounds.width()) --columns_;
    const QSize size = sizeHint();
    double x = anchor.x() + kCursorDistance - kShadow;
    if (x + size.width() - kShadow > bounds.right()) x = anchor.x() - kCursorDistance + kShadow - size.width();
    if (x < bounds.left() - kShadow) x = std::max<double>(bounds.left() - kShadow, bounds.right() + kShadow - size.width());
    double y = bounds.top() + 12 - kShadow;
    if (y + size.height() > bounds.bottom() + kShadow) y = bounds.bottom() + kShadow - size.height();
    setGeometry(QRect(QPoint(static_cast<int>(x), static_cast<int>(y)), size));
    show();
    raise();
    update();
}

void ChartTooltip::paintEvent(QPaintEvent*) {
    if (!state_.cursor) return;
    const theme::Theme& colors = theme_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(kShadow + 0.5, kShadow + 0.5, -kShadow - 0.5, -kShadow - 0.5);
    // y 2, blur 6, 12 %: rounded rectangles that fade outwards.
    painter.setPen(Qt::NoPen);
    for (int i = 6; i > 0; --i) {
        QColor shade = colors.shadow;
        shade.setAlphaF(0.12F / 6);
        painter.setBrush(shade);
        painter.drawRoundedRect(box.adjusted(-i, -i + 2, i, i + 2), 6 + i, 6 + i);
    }
    painter.setPen(QPen(colors.border_strong, 1));
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(box, 6, 6);

    const Cells heads = headCells();
    const Layout layout = layoutOf(state_, theme_, heads, columns_);
    const auto drawRow = [&](double y, const QString& name, const Cells& cells, bool head) {
        double x = box.left() + kPadding + 22;
        painter.setFont(theme_.font(TextRole::kSmall));
        painter.setPen(head ? colors.text2 : colors.text);
        painter.drawText(QRectF(x, y, layout.name + 2, kTooltipRow), Qt::AlignLeft | Qt::AlignVCenter, name);
        x += layout.name;
        for (std::size_t c = 0; c < columns_; ++c) {
            x += kColumnGap;
            if (!head) {
                painter.setFont(theme_.font(c == 0 ? TextRole::kMonoMedium : TextRole::kMono));
                painter.setPen(c == 0 ? colors.text : colors.text2);
            }
            painter.drawText(QRectF(x - 2, y, layout.columns[c] + 2, kTooltipRow), Qt::AlignRight | Qt::AlignVCenter, cells[c]);
            x += layout.columns[c];
        }
    };
    drawRow(box.top() + 4, tr("Series"), heads, true);
    double y = box.top() + kHeadHeight;
    for (const ChartSeries& one : state_.series) {
        paintLegendSample(painter, QRectF(box.left() + kPadding, y + kTooltipRow / 2.0 - 5, 12, 10), one.style, colors);
        drawRow(y, one.name, cellsOf(state_, one), false);
        y += kTooltipRow;
    }
}

}  // namespace ui::charts

#include "moc_chart_tooltip.cpp"
