// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/switch_button.h"

#include "ui/widgets/painting.h"

namespace ui::widgets {

SwitchButton::SwitchButton(const theme::ThemeController& themes, QWidget* parent) : QAbstractButton(parent), themes_(themes) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void SwitchButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    const QRectF track(width() - 34, (height() - 18) / 2.0, 32, 18);
    const QColor fill = !isEnabled() ? t.sunken : isChecked() ? t.accent_fill : t.surface;
    paintBox(painter, track, 9, fill, isChecked() && isEnabled() ? t.accent_fill : t.control);
    const QColor knob = !isEnabled() ? t.text3 : isChecked() ? t.on_accent : t.control;
    paintDot(painter, QPointF(isChecked() ? track.right() - 9 : track.left() + 9, track.center().y()), isChecked() ? 6 : 5, knob);
    if (hasFocus()) paintBox(painter, track.adjusted(-2, -2, 2, 2), 11, QColor(), t.accent, 2);
}

}  // namespace ui::widgets

#include "moc_switch_button.cpp"
