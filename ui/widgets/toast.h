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

// Makes a text in the language in force; empty: there is none. A toast asks it again after a change of language: what the text is made of
// is held by value or lives as long as the window.
using Words = std::function<QString()>;

class Toast : public QWidget {
    Q_OBJECT
public:
    // Lies over `host`, which it follows in size.
    Toast(const theme::ThemeController& themes, QWidget* host);
    // `action` may be empty; errors stay until closed or replaced.
    void say(ToastTone tone, Words text, Words action = {}, std::function<void()> act = {});
    // Hides the toast because what it says is no longer true.
    void withdraw();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
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
    Words words_, action_words_;
    std::function<void()> act_;
};

}  // namespace ui::widgets
