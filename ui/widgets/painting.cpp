// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/painting.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainterPath>

#include "ui/widgets/painted_text.h"

namespace ui::widgets {
namespace {

std::function<void(const PaintedText&)>& textObserver() {
    static std::function<void(const PaintedText&)> observer;
    return observer;
}

}  // namespace

void observePaintedText(std::function<void(const PaintedText&)> observer) {
    textObserver() = std::move(observer);
}

void paintBox(QPainter& painter, const QRectF& rect, double radius, const QColor& fill, const QColor& edge, double edgeWidth) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double inset = edge.isValid() ? edgeWidth / 2 : 0;
    painter.setPen(edge.isValid() ? QPen(edge, edgeWidth) : QPen(Qt::NoPen));
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset);
    painter.restore();
}

void paintTaskChip(QPainter& painter, const theme::ThemeController& themes, const QRectF& rect, const engine::spec::TaskId& task) {
    const QColor fill = themes.theme().taskColor(task);
    paintBox(painter, rect, theme::kRadiusSmall, fill, QColor());
    QFont font = themes.font(rect.height() >= 28 ? theme::TextRole::kStrong : theme::TextRole::kTickStrong);
    paintText(painter, rect, theme::taskMark(task), font, themes.theme().onFill(fill), Qt::AlignCenter);
}

void paintDot(QPainter& painter, const QPointF& center, double radius, const QColor& color, bool filled) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(filled ? QPen(Qt::NoPen) : QPen(color, 1.5));
    painter.setBrush(filled ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawEllipse(center, radius, radius);
    painter.restore();
}

void paintArcArrow(QPainter& painter, const QPointF& from, const QPointF& to, double lift, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF control(0, lift * 4 / 3);  // a cubic's middle lies at 3/4 of its controls
    QPainterPath arc(from);
    arc.cubicTo(from + (to - from) * 0.3 + control, from + (to - from) * 0.7 + control, to);
    painter.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(arc);
    const QPointF tip = arc.pointAtPercent(0.5);
    const double way = to.x() >= from.x() ? 1 : -1;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({tip + QPointF(6 * way, 0), tip + QPointF(-5 * way, -5), tip + QPointF(-5 * way, 5)}));
    painter.restore();
}

void paintRing(QPainter& painter, const QPointF& left, const QPointF& right, double bulge, const QColor& color) {
    paintArcArrow(painter, left - QPointF(0, 2), right - QPointF(0, 2), -bulge, color);
    paintArcArrow(painter, right + QPointF(0, 2), left + QPointF(0, 2), bulge, color);
}

void paintFocusRing(QPainter& painter, const theme::Theme& theme, const QRectF& rect, double radius) {
    paintBox(painter, rect.adjusted(-4, -4, 4, 4), radius + 4, QColor(), theme.accent, 2);
}

void paintText(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& color, Qt::Alignment alignment,
               Qt::TextElideMode elide) {
    painter.setFont(font);
    painter.setPen(color);
    const QFontMetricsF metrics(font, painter.device());
    const int flags = static_cast<int>(alignment | Qt::TextSingleLine);
    const QString shown = metrics.elidedText(text, elide, rect.width() + 0.5);
    painter.drawText(rect, flags, shown);
    if (!textObserver() || shown.isEmpty()) return;
    QRectF ink = painter.deviceTransform().mapRect(metrics.boundingRect(rect, flags, shown));
    if (const QRegion clip = painter.paintEngine()->systemClip(); !clip.isEmpty()) ink &= clip.boundingRect();
    if (!ink.isEmpty()) textObserver()({text, ink, color, shown != text});
}

}  // namespace ui::widgets
