// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/focus_ring.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPushButton>
#include <QToolButton>

#include "ui/widgets/painting.h"

namespace ui::widgets {
namespace {

constexpr int kOutside = 4;  // 2 px of gap, 2 px of ring

bool isButton(const QWidget* widget) {
    return qobject_cast<const QPushButton*>(widget) != nullptr || qobject_cast<const QToolButton*>(widget) != nullptr;
}

}  // namespace

bool byKeyboard(Qt::FocusReason reason) {
    return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

namespace {

bool takesTab(const QWidget& widget) {
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.focusProxy() == nullptr;
}

}  // namespace

QWidget* continueTabOrder(QWidget* before, const QWidget& part) {
    for (QWidget* next : part.findChildren<QWidget*>()) {
        if (!takesTab(*next) || next->window() != part.window()) continue;  // a list that drops down is a window of its own
        QWidget::setTabOrder(before, next);
        before = next;
    }
    return before;
}

QWidget* tabStopBefore(const QWidget& part) {
    QWidget* at = part.previousInFocusChain();
    while (at != nullptr && at != &part && !takesTab(*at)) at = at->previousInFocusChain();
    return at == &part ? nullptr : at;
}

FocusRing::FocusRing(const theme::ThemeController& themes, QWidget* window) : QWidget(window), themes_(themes), window_(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void FocusRing::leave() {
    for (const auto& widget : watched_) {
        if (widget) widget->removeEventFilter(this);
    }
    watched_.clear();
    button_ = nullptr;
    setParent(window_);  // a parent that goes would take it along
    hide();
}

void FocusRing::follow(QWidget* now) {
    leave();
    // While a mouse button is down, the focus came by a click: buttons show the ring for the keyboard alone.
    const bool mine =
        now != nullptr && window_ && now->window() == window_ && isButton(now) && QApplication::mouseButtons() == Qt::NoButton;
    if (!mine) return;
    button_ = now;
    place();
    show();
}

// Puts the ring in the nearest parent that has room for it, so that no edge cuts it off; but not outside of what scrolls.
void FocusRing::place() {
    const auto ringIn = [this](QWidget* parent) {
        return QRect(button_->mapTo(parent, QPoint()), button_->size()).adjusted(-kOutside, -kOutside, kOutside, kOutside);
    };
    std::vector<QPointer<QWidget>> watched{button_};
    QWidget* parent = button_->parentWidget();
    while (!parent->rect().contains(ringIn(parent)) && !parent->isWindow()) {
        if (qobject_cast<QAbstractScrollArea*>(parent->parentWidget()) != nullptr) break;
        watched.emplace_back(parent);
        parent = parent->parentWidget();
    }
    if (watched != watched_) {
        for (const auto& widget : watched_) {
            if (widget) widget->removeEventFilter(this);
        }
        watched_ = std::move(watched);
        for (const auto& widget : watched_) widget->installEventFilter(this);
    }
    const bool moves = parentWidget() != parent;
    const bool was_shown = isVisible();
    if (moves) setParent(parent);
    setGeometry(ringIn(parent));
    raise();
    if (moves && was_shown) show();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    const bool moved = type == QEvent::Move || type == QEvent::Resize || type == QEvent::ParentChange;
    if (button_ && moved) place();
    if (watched == button_ && type == QEvent::Hide) hide();
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintBox(painter, rect(), theme::kRadiusControl + 2, QColor(), themes_.theme().accent, 2);
}

}  // namespace ui::widgets

#include "moc_focus_ring.cpp"
