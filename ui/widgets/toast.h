// SPDX-License-Identifier: GPL-3.0-or-later
// A short word at the foot of the window that takes no focus and goes by itself: done, saved, undone. One at a time.
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>

#include "ui/theme/theme_controller.h"

class QLabel;
class QPushButton;
class QGraphicsOpacityEffect;
class QPropertyAnimation;

namespace ui::widgets {

enum class ToastTone { kOk, kError, kInfo };

class Toast : public QWidget {
    Q_OBJECT
public:
    // Lies over `host`, which it follows in size.
    Toast(const theme::ThemeController& themes, QWidget* host);
    // `action` may be empty; errors stay until closed or replaced.
    void say(ToastTone tone, const QString& text, const QString& action = {}, std::function<void()> act = {});
    // Hides the toast because what it says is no longer true.
    void withdraw();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
    void fade(double to);

    const theme::ThemeController& themes_;
    ToastTone tone_ = ToastTone::kInfo;
    QLabel* text_;
    QPushButton* action_;
    QPushButton* close_;
    QGraphicsOpacityEffect* opacity_;
    QPropertyAnimation* animation_;
    QTimer timer_;
    std::function<void()> act_;
};

}  // namespace ui::widgets
