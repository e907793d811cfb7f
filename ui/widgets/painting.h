// SPDX-License-Identifier: GPL-3.0-or-later
// What painted widgets and delegates draw alike: rounded boxes on device pixels, task chips, dots, the ring between two tasks.
#pragma once

#include <QPainter>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

// A box with a 1 px edge (2 px when `edgeWidth` is 2) that stays sharp; either colour may be invalid to leave it out.
void paintBox(QPainter& painter, const QRectF& rect, double radius, const QColor& fill, const QColor& edge, double edgeWidth = 1);

// The letter chip of a task on its colour.
void paintTaskChip(QPainter& painter, const theme::ThemeController& themes, const QRectF& rect, const engine::spec::TaskId& task);

// Status dot: filled "it is so", hollow "not yet".
void paintDot(QPainter& painter, const QPointF& center, double radius, const QColor& color, bool filled = true);

// An arc from one point to the other, `lift` px up (negative) or down in its middle, with an arrow head there.
void paintArcArrow(QPainter& painter, const QPointF& from, const QPointF& to, double lift, const QColor& color);

// Paints two arcs between two points with an arrow head in the middle of each: bytes go round. `bulge` is the arcs' height.
void paintRing(QPainter& painter, const QPointF& left, const QPointF& right, double bulge, const QColor& color);

// Paints the focus ring outside `rect`: 2 px accent, 2 px away.
void paintFocusRing(QPainter& painter, const theme::Theme& theme, const QRectF& rect, double radius);

// Paints text in one line, elided when it has no room.
void paintText(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& color,
               Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter, Qt::TextElideMode elide = Qt::ElideRight);

}  // namespace ui::widgets
