// SPDX-License-Identifier: GPL-3.0-or-later
// Questions over the window in the studio's own look. Made as QMessageBox, dressed before they are shown.
#pragma once

#include "ui/theme/theme_controller.h"

class QMessageBox;

namespace ui::widgets {

// No stock icons, the default button filled, the keyboard's ring round the one that has it. `themes` outlives the box.
void dressMessageBox(QMessageBox& box, const theme::ThemeController& themes);

}  // namespace ui::widgets
