// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/status_pill.h"

#include <QFontMetrics>

#include "ui/widgets/painting.h"

namespace ui::widgets {
namespace {

constexpr int kPillHeight = 22, kPillSide = 9, kMarkRoom = 14;

std::pair<QColor, QColor> colorsOf(const theme::Theme& t, PillTone tone) {  // ink, ground
    switch (tone) {
        case PillTone::kOk:
            return {t.ok, t.ok_tint};
        case PillTone::kWarn:
            return {t.warn, t.warn_tint};
        case PillTone::kError:
            return {t.err, t.err_tint};
        case PillTone::kAccent:
            return {t.accent, t.accent_tint};
        case PillTone::kNeutral:
            break;
    }
    return {t.text2, t.sunken};
}

}  // namespace

StatusPill::StatusPill(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void StatusPill::setState(PillTone tone, const QString& text, PillMark mark) {
    const bool resized = text != text_ || mark != mark_;
    tone_ = tone;
    text_ = text;
    mark_ = mark;
    setAccessibleName(text);
    setToolTip(text);
    setVisible(!text.isEmpty());
    if (resized) updateGeometry();
    update();
}

QSize StatusPill::sizeHint() const {
    const QFontMetrics metrics(themes_.font(theme::TextRole::kSmallMedium));
    return {metrics.horizontalAdvance(text_) + 2 * kPillSide + 1 + (mark_ == PillMark::kNone ? 0 : kMarkRoom), kPillHeight};
}

void StatusPill::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto [ink, ground] = colorsOf(themes_.theme(), tone_);
    paintBox(painter, rect(), kPillHeight / 2.0, ground, QColor());
    double left = kPillSide;
    if (mark_ == PillMark::kCheck) {
        themes_.paintIcon(painter, QStringLiteral("check"), QRectF(left - 2, (height() - 14) / 2.0, 14, 14), ink);
    } else if (mark_ != PillMark::kNone) {
        paintDot(painter, QPointF(left + 3.5, height() / 2.0), mark_ == PillMark::kDot ? 4 : 3.5, ink, mark_ == PillMark::kDot);
    }
    if (mark_ != PillMark::kNone) left += kMarkRoom;
    paintText(painter, QRectF(left, 0, width() - left, height()), text_, themes_.font(theme::TextRole::kSmallMedium), ink);
}

}  // namespace ui::widgets

#include "moc_status_pill.cpp"
