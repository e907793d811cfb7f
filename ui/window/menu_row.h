// SPDX-License-Identifier: GPL-3.0-or-later
// Menus at the left; project name, locator, theme and language at the right; a 1 px line below.
#pragma once

#include <QMenuBar>
#include <QWidget>

#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

class QToolButton;

namespace ui::session {
class Project;
}

namespace ui::views {

class Locator;

class MenuRow : public QWidget {
    Q_OBJECT
public:
    MenuRow(session::Project& project, theme::ThemeController& themes, QWidget* parent);
    QMenuBar& menuBar() { return *menus_; }
    void setNarrow(bool narrow);
    Locator& locator() { return *locator_; }
    void retranslate();

signals:
    void languageRequested(QString language);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    session::Project& project_;
    theme::ThemeController& themes_;
    QMenuBar* menus_;
    QWidget* project_icon_;
    widgets::TextLabel* title_;
    Locator* locator_;
    QToolButton *theme_, *language_;
};

}  // namespace ui::views
