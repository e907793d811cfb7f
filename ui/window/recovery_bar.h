// SPDX-License-Identifier: GPL-3.0-or-later
// A line above the pages that offers what a studio left unsaved; hidden when there is nothing. The newest first, one at a time.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::session {
class Leftovers;
}

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class RecoveryBar : public QWidget {
    Q_OBJECT
public:
    RecoveryBar(session::Leftovers& leftovers, const theme::ThemeController& themes, QWidget* parent);
    void retranslate();

signals:
    void restoreRequested(QString id);  // of session::Leftover

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    session::Leftovers& leftovers_;
    const theme::ThemeController& themes_;
    widgets::TextLabel *what_, *more_;
    QPushButton *restore_, *discard_, *later_;
    bool postponed_ = false;
};

}  // namespace ui::views
