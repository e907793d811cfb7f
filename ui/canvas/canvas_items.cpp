// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_items.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/models/numbers.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/painting.h"

namespace ui::canvas {

using theme::TextRole;
using widgets::paintBox;
using widgets::paintText;

namespace {

struct CanvasItems {
    Q_DECLARE_TR_FUNCTIONS(CanvasItems)
};

constexpr double kSquare = 38, kMapMiddle = 250, kMapStart = 190;
constexpr double kDimmed = 0.55, kArrowHead = 8;

}  // namespace

void NodeItem::setSelectedNode(bool on, bool focused) {
    if (on == selected_ && focused == focused_) return;
    selected_ = on;
    focused_ = focused;
    update();
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const theme::Theme& t = themes_.theme();
    painter->setRenderHint(QPainter::Antialiasing);
    if (node_.dimmed) painter->setOpacity(kDimmed);
    const QRectF box(0, 0, kNodeWidth, kNodeHeight);
    if (node_.kind == CanvasNode::Kind::kCompile) {
        paintBox(*painter, box, theme::kRadiusCard, t.sunken, QColor());
        QPen dash(selected_ ? t.accent : t.control, selected_ ? 2 : 1);
        dash.setDashPattern({4, 3});
        painter->setPen(dash);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), theme::kRadiusCard, theme::kRadiusCard);
    } else {
        // y 1, blur 4, 8 %
        painter->setPen(Qt::NoPen);
        for (int i = 4; i > 0; --i) {
            QColor shade = t.shadow;
            shade.setAlphaF(0.08F / 3);
            painter->setBrush(shade);
            painter->drawRoundedRect(box.adjusted(-i * 0.5, -i * 0.5 + 1, i * 0.5, i * 0.5 + 1), theme::kRadiusCard + i * 0.5,
                                     theme::kRadiusCard + i * 0.5);
        }
        const QColor edge = node_.wrong ? t.err : node_.warned ? t.warn : (selected_ ? t.accent : t.border_strong);
        const bool marked = node_.wrong || node_.warned;
        if (selected_ && !marked) {
            QColor halo = t.accent;
            halo.setAlphaF(focused_ ? 0.35F : 0.2F);
            paintBox(*painter, box.adjusted(-3, -3, 3, 3), theme::kRadiusCard + 3, QColor(), halo, 3);
        }
        paintBox(*painter, box, theme::kRadiusCard, t.surface, edge, marked || selected_ ? 2 : 1);
    }
    paintSquare(*painter);
    painter->setOpacity(1);  // what a dimmed node says is faint by its ink: it stays readable
    paintTexts(*painter);
    if (node_.wrong || node_.warned) {
        const QColor fill = node_.wrong ? t.err : t.warn;
        painter->setOpacity(1);  // the layers before it dim the node, not its mistake
        painter->setPen(QPen(t.window, 2));
        painter->setBrush(fill);
        painter->drawEllipse(QPointF(kNodeWidth - 1, 1), 10, 10);
        paintText(*painter, QRectF(kNodeWidth - 11, -9, 20, 20), QStringLiteral("!"), themes_.font(TextRole::kStrong), t.onFill(fill),
                  Qt::AlignCenter);
    }
}

void NodeItem::paintSquare(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    const QRectF square(8, (kNodeHeight - kSquare) / 2, kSquare, kSquare);
    const QRectF icon(square.center().x() - 9, square.center().y() - 9, 18, 18);
    if (node_.kind == CanvasNode::Kind::kCompile) {
        themes_.paintIcon(painter, node_.icon, icon, t.text2);
        return;
    }
    const QColor fill = node_.kind == CanvasNode::Kind::kInput ? t.category_data : t.categoryColor(node_.category);
    paintBox(painter, square, theme::kRadiusControl, fill, QColor());
    themes_.paintIcon(painter, node_.icon, icon, t.onFill(fill));
}

void NodeItem::paintTexts(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    const bool counted = node_.kind == CanvasNode::Kind::kLayer;
    const QColor ink = node_.dimmed ? t.text3 : t.text, ink2 = node_.dimmed ? t.text3 : t.text2;
    const double left = 58, right = kNodeWidth - 14;
    const QFont strong = themes_.font(TextRole::kStrong);
    const QString number = node_.parameters < 0 ? QString(QChar(models::kMissing)) : models::formatCount(node_.parameters);
    const QFont mono = themes_.font(TextRole::kMono);
    const double number_room = counted ? QFontMetricsF(mono).horizontalAdvance(number) + 12 : 0;
    const double bar_room = counted && node_.parameters > 0 ? 92 : 0;
    // The type comes first; the name has what it leaves, where that is enough for a few letters.
    constexpr double kBetween = 6, kLeastName = 24;
    const double room = right - number_room - left;
    const double type_width = std::min(QFontMetricsF(strong).horizontalAdvance(node_.type) + 2, room);
    const double name_room = room - type_width - kBetween;
    paintText(painter, QRectF(left, 8, type_width, 19), node_.type, strong, ink);
    if (name_room >= kLeastName) paintText(painter, QRectF(left + type_width + kBetween, 8, name_room, 19), node_.name, mono, ink2);
    paintText(painter, QRectF(left, 28, right - left - bar_room, 18), node_.settings, themes_.font(TextRole::kSmall), ink2);
    if (!counted) return;
    paintText(painter, QRectF(right - number_room, 8, number_room, 19), number, mono, node_.parameters > 0 ? ink : ink2,
              Qt::AlignRight | Qt::AlignVCenter);
    if (node_.parameters <= 0) return;
    const QRectF bar(right - 78, 35, 78, 4);
    paintBox(painter, bar, 2, t.sunken, QColor());
    const double length = std::clamp(bar.width() * node_.share, 2.0, bar.width());
    paintBox(painter, QRectF(bar.right() - length, bar.top(), length, 4), 2, t.categoryColor(node_.category), QColor());
}

void EdgeItem::setHovered(bool on) {
    if (on == hovered_) return;
    hovered_ = on;
    update();
}

// Returns the middle of the arrow, or as far above its head as the text needs.
double EdgeItem::labelMiddle() const {
    return std::min(length_ / 2, length_ - kArrowHead - 9);
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const theme::Theme& t = themes_.theme();
    painter->setRenderHint(QPainter::Antialiasing);
    const double middle = labelMiddle();
    painter->setPen(QPen(t.control, 1.5));
    painter->drawLine(QPointF(0, 0), QPointF(0, std::max(2.0, middle - 10)));
    painter->drawLine(QPointF(0, std::min(length_ - 6, middle + 10)), QPointF(0, length_ - 5));
    painter->setPen(Qt::NoPen);
    painter->setBrush(t.control);
    painter->drawPolygon(QPolygonF({QPointF(0, length_ - 1), QPointF(-4.5, length_ - kArrowHead), QPointF(4.5, length_ - kArrowHead)}));

    const QFont mono = themes_.font(TextRole::kMono);
    const QString text = edge_.known ? models::formatShape(edge_.shape) : QStringLiteral("?");
    const double half = QFontMetricsF(mono).horizontalAdvance(text) / 2 + 2;
    paintText(*painter, QRectF(-half, middle - 9, 2 * half, 18), text, mono, edge_.wrong ? t.err : (edge_.known ? t.text : t.text3),
              Qt::AlignCenter);
    if (edge_.invites) {
        paintText(*painter, QRectF(half + 12, middle - 10, kNodeWidth, 20), CanvasItems::tr("Add the first layer (A, then C)"),
                  themes_.font(TextRole::kSmall), t.text2);
    }
    if (hovered_ || edge_.invites) {
        const QPointF plus(std::min(kPlusOffset, -half - 16), middle);
        painter->setPen(QPen(t.accent, 1.5));
        painter->setBrush(t.surface);
        painter->drawEllipse(plus, kPlusRadius - 1, kPlusRadius - 1);
        painter->drawLine(plus - QPointF(4, 0), plus + QPointF(4, 0));
        painter->drawLine(plus - QPointF(0, 4), plus + QPointF(0, 4));
    }
    if (map_ && edge_.known && !edge_.shape.empty()) paintMap(*painter, half + 10);
}

// Paints the feature map to scale: rows and columns as the front, channels as the depth; one row of numbers as a striped bar.
void EdgeItem::paintMap(QPainter& painter, double label_end) const {
    const theme::Theme& t = themes_.theme();
    const double y = labelMiddle();
    QPen dots(t.axis, 1);
    dots.setDashPattern({1, 2});
    painter.setPen(dots);
    painter.drawLine(QPointF(label_end, y), QPointF(kMapStart, y));
    const QColor color = edge_.from_input ? t.category_data : t.categoryColor(edge_.category);
    QColor line = t.window;
    line.setAlphaF(0.55F);
    painter.setPen(QPen(line, 1));
    if (edge_.shape.size() < 3) {
        const double size = static_cast<double>(edge_.shape.back());
        const double length = std::clamp(8 * std::log2(size + 1), 12.0, 96.0);
        const QRectF bar(kMapMiddle - length / 2, y - 4.5, length, 9);
        painter.fillRect(bar, color);
        for (double x = bar.left() + 4; x < bar.right(); x += 4) painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()));
        return;
    }
    const double rows = static_cast<double>(edge_.shape[0]), columns = static_cast<double>(edge_.shape[1]),
                 channels = static_cast<double>(edge_.shape[2]);
    const double largest = std::max({rows, columns, 1.0});
    const double front = std::clamp(7 * std::sqrt(largest), 10.0, 38.0);
    const double width = std::max(6.0, front * columns / largest), height = std::max(6.0, front * rows / largest);
    const double depth = std::clamp(3.4 * std::log2(channels + 1), 2.0, 26.0);
    const QRectF face(kMapMiddle - (width + depth) / 2, y - height / 2 + depth * 0.25, width, height);
    const QPointF shift(depth, -depth * 0.5);
    painter.setBrush(color.lighter(118));
    painter.drawPolygon(QPolygonF({face.topLeft(), face.topRight(), face.topRight() + shift, face.topLeft() + shift}));
    painter.setBrush(color.darker(135));
    painter.drawPolygon(QPolygonF({face.topRight(), face.bottomRight(), face.bottomRight() + shift, face.topRight() + shift}));
    painter.setBrush(color);
    painter.drawRect(face);
    const double cell = std::max(4.0, width / 5);
    for (double x = face.left() + cell; x < face.right() - 1; x += cell)
        painter.drawLine(QPointF(x, face.top()), QPointF(x, face.bottom()));
    for (double row = face.top() + cell; row < face.bottom() - 1; row += cell)
        painter.drawLine(QPointF(face.left(), row), QPointF(face.right(), row));
}

}  // namespace ui::canvas
