// SPDX-License-Identifier: GPL-3.0-or-later
// The export as a command line that can be copied; in its place, why the files were not written.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ExportCommandRow : public QWidget {
    Q_OBJECT
public:
    ExportCommandRow(const theme::ThemeController& themes, QWidget* parent);
    void showCommand(const QString& command);
    void showProblem(const QString& problem);
    void retranslate();

private:
    widgets::TextLabel *command_, *problem_;
    QPushButton* copy_;
};

}  // namespace ui::views
