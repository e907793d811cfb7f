// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window, a row each: a new page is its folder, its Mode and its row here.
#pragma once

#include <QString>
#include <array>

#include "ui/parts/page.h"

namespace ui::session {
class Session;
}
namespace ui::theme {
class ThemeController;
}

namespace ui::views {

struct PageRow {
    Mode mode;
    const char* key;     // among the settings: where sizes are kept
    const char* icon;    // in resources/icons
    QString (*title)();  // in the language of the moment
    Page* (*make)(session::Session& session, theme::ThemeController& themes, QWidget* parent);
};

// Returns the rows in the order of the modes.
const std::array<PageRow, kModeCount>& pageTable();

}  // namespace ui::views
