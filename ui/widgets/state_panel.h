// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the middle of a page while there is nothing to show: what is the matter, of what, and the next click.
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::widgets {

class TextLabel;

class StatePanel : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QString icon, title, sentence;
        QString first, second;  // buttons; empty: none
        double progress = -2;   // 0 to 1; -1: on its way, nobody knows how far; -2: no bar
        QString detail{};       // the sentence's tooltip
    };

    // Its parts are found as `name` with Title, Sentence, First and Second behind it.
    StatePanel(const theme::ThemeController& themes, const QString& name, QWidget* parent);
    void setContent(const Content& content);
    QString title() const;

signals:
    void firstClicked();
    void secondClicked();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    QString icon_;
    double progress_ = -2;
    QTimer sweep_;  // moves the bar that tells no part
    double swept_ = 0;
    TextLabel *title_, *sentence_;
    QWidget *picture_, *bar_;
    QPushButton *first_, *second_;
};

}  // namespace ui::widgets
