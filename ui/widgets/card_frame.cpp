// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card_frame.h"

#include "ui/widgets/painting.h"

namespace ui::widgets {

CardFrame::CardFrame(const theme::ThemeController& themes, FrameKind kind, QWidget* parent)
    : QWidget(parent), themes_(themes), kind_(kind) {
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void CardFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    switch (kind_) {
        case FrameKind::kCard:
            paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
            break;
        case FrameKind::kWell:
            paintBox(painter, rect(), theme::kRadiusControl, t.sunken, QColor());
            break;
        case FrameKind::kRail:
            painter.fillRect(rect(), t.rail);
            break;
        case FrameKind::kPlain:
            painter.fillRect(rect(), t.window);
            break;
        case FrameKind::kDockRight:
            painter.fillRect(rect(), t.surface);
            painter.fillRect(QRect(0, 0, 1, height()), t.border);
            break;
        case FrameKind::kDockLeft:
            painter.fillRect(rect(), t.surface);
            painter.fillRect(QRect(width() - 1, 0, 1, height()), t.border);
            break;
        case FrameKind::kDashed: {
            painter.setRenderHint(QPainter::Antialiasing);
            QPen pen(t.border_strong, 1);
            pen.setDashPattern({4, 3});
            painter.setPen(pen);
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::kRadiusCard, theme::kRadiusCard);
            break;
        }
    }
}

}  // namespace ui::widgets

#include "moc_card_frame.cpp"
