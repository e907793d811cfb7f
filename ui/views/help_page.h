// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of the studio, and where runs and logs lie.
#pragma once

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/page.h"

class QPushButton;
class QScrollArea;

namespace ui::widgets {
class PageHeader;
}

namespace ui::views {

class ShortcutSheet;

class HelpPage : public Page {
    Q_OBJECT
public:
    HelpPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;

private:
    void refresh();

    session::Session& session_;
    widgets::PageHeader* header_;
    QPushButton *runs_folder_, *run_folder_;
    ShortcutSheet* sheet_;
};

}  // namespace ui::views
