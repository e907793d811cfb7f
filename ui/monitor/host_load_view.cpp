// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/host_load_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

#include "ui/models/finding_text.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using models::HostPoint;
using models::HostRow;
using theme::TextRole;

namespace {

constexpr int kLoadRow = 24, kCourse = 16;
constexpr double kGap = 10;
constexpr double kHole = 3;  // seconds without a reading: nobody looked, so no line leads over it

}  // namespace

HostLoadView::HostLoadView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("hostLoad"));
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void HostLoadView::setRows(std::vector<HostRow> rows) {
    if (rows == rows_) return;
    const bool resized = rows.size() != rows_.size();
    rows_ = std::move(rows);
    if (resized) updateGeometry();
    QStringList parts;
    for (const HostRow& row : rows_) parts << QStringLiteral("%1 %2").arg(row.name, row.value);
    setAccessibleName(parts.join(QStringLiteral(", ")));
    update();
}

QSize HostLoadView::sizeHint() const {
    return {260, kLoadRow * static_cast<int>(rows_.size())};
}

bool HostLoadView::event(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) widest_value_ = 0;
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int at = help->pos().y() / kLoadRow;
    if (at < 0 || at >= static_cast<int>(rows_.size())) return true;
    const HostRow& row = rows_[static_cast<std::size_t>(at)];
    QString text = models::withName(row.name, row.value);
    if (!row.details.isEmpty()) text += QLatin1Char('\n') + row.details;
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

// Paints the course filled from the foot, the newest at the right edge.
void HostLoadView::paintCourse(QPainter& painter, const QRectF& place, const HostRow& row) const {
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, place, 2, t.sunken, QColor());
    const auto at = [&](const HostPoint& point) {
        const double share = std::clamp(point.value / row.most, 0.0, 1.0);
        return QPointF(place.right() - point.age_s / models::HostLoadRows::kSpanS * place.width(),
                       place.bottom() - 1 - share * (place.height() - 2));
    };
    QColor fill = t.text2;
    fill.setAlphaF(0.16F);
    for (std::size_t first = 0; first < row.course.size();) {
        std::size_t end = first + 1;
        while (end < row.course.size() && row.course[end - 1].age_s - row.course[end].age_s <= kHole) ++end;
        QPainterPath line(at(row.course[first]));
        for (std::size_t i = first + 1; i < end; ++i) line.lineTo(at(row.course[i]));
        QPainterPath area = line;
        area.lineTo(at(row.course[end - 1]).x(), place.bottom());
        area.lineTo(at(row.course[first]).x(), place.bottom());
        painter.fillPath(area, fill);
        painter.setPen(QPen(t.text2, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(line);
        first = end;
    }
}

// The values have one width, so that the courses end on one line.
void HostLoadView::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont name_font = themes_.font(TextRole::kSmall), value_font = themes_.font(TextRole::kMonoTick);
    double names = 0;
    double& values = widest_value_;
    for (const HostRow& row : rows_) {
        names = std::max(names, QFontMetricsF(name_font).horizontalAdvance(row.name) + 2);
        values = std::max(values, QFontMetricsF(value_font).horizontalAdvance(row.value) + 2);
    }
    double top = 0;
    for (const HostRow& row : rows_) {
        widgets::paintText(painter, QRectF(0, top, names, kLoadRow), row.name, name_font, t.text2);
        widgets::paintText(painter, QRectF(width() - values, top, values, kLoadRow), row.value, value_font, t.text,
                           Qt::AlignRight | Qt::AlignVCenter);
        const QRectF course(names + kGap, top + (kLoadRow - kCourse) / 2.0, width() - names - values - 2 * kGap, kCourse);
        if (course.width() >= 24) paintCourse(painter, course, row);
        top += kLoadRow;
    }
}

}  // namespace ui::views

#include "moc_host_load_view.cpp"
