// SPDX-License-Identifier: GPL-3.0-or-later
// Questions over the window in the studio's own look. Made as QMessageBox, dressed before they are shown.
#pragma once

#include "ui/theme/theme_controller.h"

class QMessageBox;

namespace ui::widgets {

// Our icon of that name in place of the style's bitmaps (none for an empty name), none on the buttons; the default button is filled and the
// keyboard's ring round the one that has it. `themes` outlives the box.
void dressMessageBox(QMessageBox& box, const theme::ThemeController& themes, const QString& icon = {},
                     theme::IconTone tone = theme::IconTone::kWarn);

}  // namespace ui::widgets
