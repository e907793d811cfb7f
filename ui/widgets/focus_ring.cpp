// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/focus_ring.h"

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

FocusRing::FocusRing(const theme::ThemeController& themes, QWidget* window) : QWidget(window), themes_(themes), window_(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void FocusRing::follow(QWidget* now) {
    if (button_) button_->removeEventFilter(this);
    // With the mouse down the focus came by a click: buttons show the keyboard's alone.
    const bool mine =
        now != nullptr && window_ && now->window() == window_ && isButton(now) && QApplication::mouseButtons() == Qt::NoButton;
    button_ = mine ? now : nullptr;
    if (!button_) {
        setParent(window_);  // a parent that goes would take it along
        return hide();
    }
    button_->installEventFilter(this);
    setParent(button_->parentWidget());
    place();
    show();
}

void FocusRing::place() {
    setGeometry(button_->geometry().adjusted(-kOutside, -kOutside, kOutside, kOutside));
    raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    if (watched == button_) {
        if (event->type() == QEvent::Move || event->type() == QEvent::Resize) place();
        if (event->type() == QEvent::Hide) hide();
        if (event->type() == QEvent::ParentChange) setParent(button_->parentWidget());
    }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintBox(painter, rect(), theme::kRadiusControl + 2, QColor(), themes_.theme().accent, 2);
}

}  // namespace ui::widgets
