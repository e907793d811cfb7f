// SPDX-License-Identifier: GPL-3.0-or-later
// Why a menu's row is grey.
#pragma once

#include <QAction>
#include <QMenu>
#include <QString>

namespace ui::views {

// Greys the action and keeps the reason, as its status tip; empty: it is possible.
void setObstacle(QAction& action, const QString& obstacle);
// The menu's grey rows say their reason to the mouse.
void showObstacles(QMenu& menu);

}  // namespace ui::views
