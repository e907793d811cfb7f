// SPDX-License-Identifier: GPL-3.0-or-later
// The row of 56 at the top of a page: title, state pill, one secondary sentence; actions at the right.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"

class QHBoxLayout;

namespace ui::widgets {

class PageHeader : public QWidget {
    Q_OBJECT
public:
    explicit PageHeader(const theme::ThemeController& themes, QWidget* parent = nullptr);

    TextLabel& title() { return *title_; }
    StatusPill& pill() { return *pill_; }
    TextLabel& sentence() { return *sentence_; }
    // Adds a widget at the right, in order; at most six.
    void addAction(QWidget* widget);
    void setNarrow(bool narrow);

private:
    QHBoxLayout* row_;
    TextLabel* title_;
    StatusPill* pill_;
    TextLabel* sentence_;
};

}  // namespace ui::widgets
