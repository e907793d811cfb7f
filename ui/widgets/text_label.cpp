// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_label.h"

#include <QPainter>

namespace ui::widgets {

QColor inkColor(const theme::Theme& theme, Ink ink) {
    switch (ink) {
        case Ink::kText:
            return theme.text;
        case Ink::kText2:
            return theme.text2;
        case Ink::kText3:
            return theme.text3;
        case Ink::kAccent:
            return theme.accent;
        case Ink::kOk:
            return theme.ok;
        case Ink::kWarn:
            return theme.warn;
        case Ink::kError:
            return theme.err;
    }
    return theme.text;
}

TextLabel::TextLabel(const theme::ThemeController& themes, theme::TextRole role, Ink ink, QWidget* parent)
    : QLabel(parent), themes_(themes), role_(role), ink_(ink) {
    setTextFormat(Qt::PlainText);
    setForegroundRole(QPalette::WindowText);  // on a ground of the Base role too
    connect(&themes, &theme::ThemeController::themeChanged, this, &TextLabel::restyle);
    restyle();
}

void TextLabel::restyle() {
    setFont(themes_.font(role_));
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, inkColor(themes_.theme(), ink_));
    setPalette(colors);
}

void TextLabel::setInk(Ink ink) {
    if (ink == ink_) return;
    ink_ = ink;
    restyle();
}

void TextLabel::setElided(bool on) {
    elided_ = on;
    updateGeometry();
}

QSize TextLabel::minimumSizeHint() const {
    const QSize hint = QLabel::minimumSizeHint();
    return elided_ ? QSize(fontMetrics().averageCharWidth() * 4, hint.height()) : hint;
}

// Returns true where every line of the wrapped text has room in a label of that width.
bool TextLabel::wrapsInto(int width) const {
    const QMargins margins = contentsMargins();
    const QRect room(0, 0, width - margins.left() - margins.right(), QWIDGETSIZE_MAX);
    return room.width() > 0 && fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).width() <= room.width();
}

int TextLabel::heightForWidth(int width) const {
    return elided_ && wordWrap() && !wrapsInto(width) ? QLabel::minimumSizeHint().height() : QLabel::heightForWidth(width);
}

// Texts change without notice, so the tooltip follows when the label is painted. What the owner set as the tooltip since then stays a part
// of it.
void TextLabel::keepToolTip(bool is_whole) {
    if (toolTip() != own_tip_) hint_ = toolTip();
    own_tip_ = is_whole ? hint_ : hint_.isEmpty() ? text() : text() + QLatin1Char('\n') + hint_;
    if (own_tip_ != toolTip()) setToolTip(own_tip_);
}

void TextLabel::paintEvent(QPaintEvent* event) {
    if (!elided_) return QLabel::paintEvent(event);
    if (wordWrap()) {
        const bool wraps = wrapsInto(width());
        keepToolTip(wraps);
        if (wraps) return QLabel::paintEvent(event);
    } else {
        keepToolTip(fontMetrics().horizontalAdvance(text()) <= contentsRect().width());
    }
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.setFont(font());
    const QRect area = contentsRect();
    painter.drawText(area, static_cast<int>(alignment() | Qt::TextSingleLine),
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, area.width()));
}

}  // namespace ui::widgets

#include "moc_text_label.cpp"
