// SPDX-License-Identifier: GPL-3.0-or-later
// A walk through the window on its first start: each step shows a page, lights one part of it and says in two sentences what it is for.
// Right or Enter goes on, Left back, Esc leaves; a click beside the card goes on too.
#pragma once

#include <QPointer>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

struct TourStep {
    std::function<void()> prepare;     // shows the page; may be empty
    std::function<QWidget*()> target;  // what is lit; null: nothing, the card stands in the middle
    std::function<QString()> title, text;
};

class Tour : public QWidget {
    Q_OBJECT
public:
    // Lies over `host` and deletes itself when it ends.
    Tour(const theme::ThemeController& themes, QWidget* host, std::vector<TourStep> steps);
    int step() const { return step_; }
    int stepCount() const { return static_cast<int>(steps_.size()); }

signals:
    void ended();

protected:
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void show(int step);
    void place();
    void keepFocus();
    void end();
    QRect lit() const;

    const theme::ThemeController& themes_;
    const std::vector<TourStep> steps_;
    int step_ = -1;
    QPointer<QWidget> focus_before_;
    QWidget* card_;
    widgets::TextLabel *title_, *text_, *count_;
    QPushButton *skip_, *back_, *next_;
};

}  // namespace ui::views
