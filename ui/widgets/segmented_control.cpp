// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segmented_control.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/widgets/painting.h"

namespace ui::widgets {
namespace {

constexpr int kSegmentHeight = 28, kInset = 3, kSegmentSide = 12, kCompactSide = 8;

}  // namespace

SegmentedControl::SegmentedControl(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void SegmentedControl::setEntries(const QStringList& texts) {
    entries_.resize(static_cast<std::size_t>(texts.size()));
    for (qsizetype i = 0; i < texts.size(); ++i) entries_[static_cast<std::size_t>(i)].text = texts[i];
    updateGeometry();
    update();
}

void SegmentedControl::setCompact(bool compact) {
    compact_ = compact;
    updateGeometry();
    update();
}

void SegmentedControl::setObstacle(int index, const QString& reason) {
    entries_[static_cast<std::size_t>(index)].obstacle = reason;
    update();
}

void SegmentedControl::setCurrent(int index) {
    if (index == current_ || index < 0 || index >= static_cast<int>(entries_.size())) return;
    current_ = index;
    setAccessibleDescription(entry(index));
    update();
    emit currentChanged(index);
}

int SegmentedControl::entryWidth(const Entry& entry) const {
    return QFontMetrics(themes_.font(theme::TextRole::kSmallMedium)).horizontalAdvance(entry.text) +
           2 * (compact_ ? kCompactSide : kSegmentSide);
}

QRect SegmentedControl::entryRect(int index) const {
    int left = kInset;
    for (int i = 0; i < index; ++i) left += entryWidth(entries_[static_cast<std::size_t>(i)]);
    return {left, kInset, entryWidth(entries_[static_cast<std::size_t>(index)]), height() - 2 * kInset};
}

QSize SegmentedControl::sizeHint() const {
    int width = 2 * kInset;
    for (const Entry& entry : entries_) width += entryWidth(entry);
    return {width, kSegmentHeight};
}

int SegmentedControl::entryAt(const QPoint& position) const {
    for (int i = 0; i < static_cast<int>(entries_.size()); ++i) {
        if (entryRect(i).contains(position)) return i;
    }
    return -1;
}

bool SegmentedControl::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int at = entryAt(help->pos());
    QToolTip::showText(help->globalPos(), at < 0 ? QString() : entries_[static_cast<std::size_t>(at)].obstacle, this);
    return true;
}

void SegmentedControl::mousePressEvent(QMouseEvent* event) {
    const int at = entryAt(event->pos());
    if (at >= 0 && entries_[static_cast<std::size_t>(at)].obstacle.isEmpty()) setCurrent(at);
}

void SegmentedControl::keyPressEvent(QKeyEvent* event) {
    const int way = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (way == 0) return QWidget::keyPressEvent(event);
    for (int at = current_ + way; at >= 0 && at < static_cast<int>(entries_.size()); at += way) {
        if (entries_[static_cast<std::size_t>(at)].obstacle.isEmpty()) return setCurrent(at);
    }
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    paintBox(painter, rect(), theme::kRadiusControl, t.sunken, hasFocus() ? t.accent : t.control, hasFocus() ? 2 : 1);
    for (int i = 0; i < static_cast<int>(entries_.size()); ++i) {
        const Entry& entry = entries_[static_cast<std::size_t>(i)];
        const bool chosen = i == current_;
        if (chosen) paintBox(painter, entryRect(i), theme::kRadiusSmall, t.surface, t.control);
        const QColor ink = !entry.obstacle.isEmpty() ? t.text3 : chosen ? t.text : t.text2;
        paintText(painter, entryRect(i), entry.text, themes_.font(theme::TextRole::kSmallMedium), ink, Qt::AlignCenter);
    }
}

}  // namespace ui::widgets

#include "moc_segmented_control.cpp"
