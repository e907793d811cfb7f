// SPDX-License-Identifier: GPL-3.0-or-later
// What a paste did, over the lower left corner of a widget until it is closed or the next one.
#pragma once

#include "ui/widgets/card_frame.h"

class QToolButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class PasteNotice : public widgets::CardFrame {
    Q_OBJECT
public:
    // The notice is a child of `parent` and lies in front of `over`, which is a part of `parent` and outlives this.
    PasteNotice(QWidget& over, const theme::ThemeController& themes, QWidget* parent);
    void say(const QString& text);
    void retranslate();

signals:
    void closed();  // by the user

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QWidget& over_;
    widgets::TextLabel* text_;
    QToolButton* close_;
};

}  // namespace ui::views
