// SPDX-License-Identifier: GPL-3.0-or-later
// A starter project on the Welcome page: its cluster as a picture, what it trains, and a button. The marked one also trains at once. One
// that this version can't train is greyed and says why.
#pragma once

#include <QWidget>

#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class TemplateCard : public QWidget {
    Q_OBJECT
public:
    TemplateCard(const theme::ThemeController& themes, session::Template source, bool marked, QWidget* parent);
    void retranslate();
    // Makes the card lower, with the picture at the left, for cards that stand in two rows.
    void setLow(bool low);

signals:
    void opened(QString id);
    void trained(QString id);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    const theme::ThemeController& themes_;
    const session::Template source_;
    const bool marked_;
    bool low_ = false, by_keyboard_ = false;
    widgets::TextLabel *title_, *facts_, *amount_;
    QPushButton* open_;
};

}  // namespace ui::views
