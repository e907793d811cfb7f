// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/mode_bar.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/widgets/painting.h"

namespace ui::widgets {
namespace {

constexpr int kTall = 56, kShort = 52, kTop = 6, kShortWindow = 740;

}  // namespace

ModeBar::ModeBar(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("modeBar");
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ModeBar::setModes(const QStringList& icons) {
    modes_.clear();
    for (const QString& icon : icons) modes_.push_back({icon, {}, {}, {}});
    updateGeometry();
}

void ModeBar::setTexts(const QStringList& labels, const QStringList& toolTips) {
    for (std::size_t i = 0; i < modes_.size(); ++i) {
        modes_[i].label = labels.value(static_cast<qsizetype>(i));
        modes_[i].tool_tip = toolTips.value(static_cast<qsizetype>(i));
    }
    update();
}

void ModeBar::setCurrent(int index) {
    if (index == current_ || index < 0 || index >= static_cast<int>(modes_.size())) return;
    current_ = index;
    setAccessibleDescription(modes_[static_cast<std::size_t>(index)].label);
    update();
    emit currentChanged(index);
}

void ModeBar::setDot(int index, std::optional<QColor> color) {
    modes_[static_cast<std::size_t>(index)].dot = color;
    update(modeRect(index));
}

int ModeBar::modeHeight() const {
    return window()->height() < kShortWindow ? kShort : kTall;
}
QRect ModeBar::modeRect(int index) const {
    return {0, kTop + index * modeHeight(), width(), modeHeight()};
}
QSize ModeBar::sizeHint() const {
    return {theme::kModeBarWidth, kTop + static_cast<int>(modes_.size()) * kTall};
}
QSize ModeBar::minimumSizeHint() const {
    return {theme::kModeBarWidth, kTop + static_cast<int>(modes_.size()) * kShort};
}

int ModeBar::modeAt(const QPoint& position) const {
    for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
        if (modeRect(i).contains(position)) return i;
    }
    return -1;
}

void ModeBar::setHovered(int index) {
    if (index == hovered_) return;
    hovered_ = index;
    update();
}

bool ModeBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int at = modeAt(help->pos());
    QToolTip::showText(help->globalPos(), at < 0 ? QString() : modes_[static_cast<std::size_t>(at)].tool_tip, this);
    return true;
}

void ModeBar::mousePressEvent(QMouseEvent* event) {
    setCurrent(modeAt(event->pos()));
}
void ModeBar::mouseMoveEvent(QMouseEvent* event) {
    setHovered(modeAt(event->pos()));
}
void ModeBar::leaveEvent(QEvent*) {
    setHovered(-1);
}

void ModeBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down) return setCurrent(current_ + 1);
    if (event->key() == Qt::Key_Up) return setCurrent(current_ - 1);
    QWidget::keyPressEvent(event);
}

void ModeBar::paintMode(QPainter& painter, int index) const {
    const theme::Theme& t = themes_.theme();
    const ModeItem& mode = modes_[static_cast<std::size_t>(index)];
    const QRect area = modeRect(index);
    const bool chosen = index == current_;
    const QRect ground = area.adjusted(6, 2, -6, -2);
    if (chosen) paintBox(painter, ground, theme::kRadiusControl, t.accent_tint, QColor());
    if (!chosen && index == hovered_) paintBox(painter, ground, theme::kRadiusControl, t.mixed(t.rail, 4), QColor());
    if (chosen) paintBox(painter, QRectF(0, ground.top() + 8, 3, ground.height() - 16), 1.5, t.accent_fill, QColor());
    const QColor ink = chosen ? t.accent : t.text2;
    const QRectF icon(area.center().x() - 10.5, area.top() + 8, 22, 22);
    themes_.paintIcon(painter, mode.icon, icon, ink);
    if (mode.dot) {
        paintDot(painter, icon.topRight() + QPointF(0, 3), 6, chosen ? t.accent_tint : t.rail);
        paintDot(painter, icon.topRight() + QPointF(0, 3), 4.5, *mode.dot);
    }
    const auto role = chosen ? theme::TextRole::kTickStrong : theme::TextRole::kTickMedium;
    paintText(painter, QRectF(area.left() + 2, area.bottom() - 23, area.width() - 4, 16), mode.label, themes_.font(role), ink,
              Qt::AlignCenter);
    if (chosen && hasFocus()) paintBox(painter, ground, theme::kRadiusControl, QColor(), t.accent, 2);
}

void ModeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (int i = 0; i < static_cast<int>(modes_.size()); ++i) paintMode(painter, i);
}

}  // namespace ui::widgets

#include "moc_mode_bar.cpp"
