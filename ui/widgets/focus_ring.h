// SPDX-License-Identifier: GPL-3.0-or-later
// The mark of the button that has the keyboard: a ring of 2 px, 2 px outside, so that nothing changes its size.
#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

// Did the focus come by a key? Then it is marked.
bool byKeyboard(Qt::FocusReason reason);

// Puts what `part` holds behind `before` in the order of Tab, in the order in which it was made; returns the last of it. For parts that are
// made while their window is there: Qt has them at the window's end otherwise. Both are in the same window.
QWidget* continueTabOrder(QWidget* before, const QWidget& part);
// Returns what Tab stops at before `part`, by its place in the order; null when there is nothing.
QWidget* tabStopBefore(const QWidget& part);

// One a window; follows the focus among its buttons and hides for everything that marks itself. Takes no mouse and no focus.
class FocusRing : public QWidget {
    Q_OBJECT
public:
    FocusRing(const theme::ThemeController& themes, QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(QWidget* now);
    void leave();
    void place();

    const theme::ThemeController& themes_;
    QPointer<QWidget> window_, button_;
    std::vector<QPointer<QWidget>> watched_;  // the button and what moves it below the ring's parent
};

}  // namespace ui::widgets
