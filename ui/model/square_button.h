// SPDX-License-Identifier: GPL-3.0-or-later
// The small square buttons of the Model page: an icon alone, its text is the tooltip.
#pragma once

#include <QString>
#include <QToolButton>

#include "ui/theme/theme_controller.h"

namespace ui::views {

inline QToolButton* squareButton(QWidget* parent, const theme::ThemeController& themes, const char* icon, const char* name) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QLatin1String(name));
    button->setIcon(themes.icon(QLatin1String(icon)));
    button->setProperty("compact", true);
    button->setFixedSize(theme::kCompactHeight, theme::kCompactHeight);
    return button;
}

}  // namespace ui::views
