// SPDX-License-Identifier: GPL-3.0-or-later
// What a page shows of a project that is not there: that none is open, and the two ways to one.
#pragma once

#include "ui/widgets/state_panel.h"

namespace ui::session {
class Project;
}

namespace ui::views {

class Page;

class NoProjectPanel : public widgets::StatePanel {
    Q_OBJECT
public:
    // A child of `page`, which it asks for the Welcome page; `icon` is the page's own.
    NoProjectPanel(session::Project& project, const theme::ThemeController& themes, const QString& icon, Page* page);
    void retranslate();

private:
    const QString icon_;
};

}  // namespace ui::views
