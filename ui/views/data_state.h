// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the middle of the Data page while there is nothing to show: what is the matter, of what, and the next click.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class DataStatePanel : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QString icon, title, sentence;
        QString first, second;  // buttons; empty: none
        double progress = -2;   // 0 to 1; -1: on its way; -2: no bar
    };

    DataStatePanel(const theme::ThemeController& themes, QWidget* parent);
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
    widgets::TextLabel *title_, *sentence_;
    QWidget *picture_, *bar_;
    QPushButton *first_, *second_;
};

}  // namespace ui::views
