// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons as the style sheet knows them. Texts are set by the owner's retranslate(); object names are for tests and style alike.
#pragma once

#include <QPushButton>
#include <QString>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

enum class ButtonKind { kPlain, kPrimary, kGhost, kLink, kDanger };

struct ButtonOptions {
    QString object_name;
    QString icon;  // of resources/icons; empty: none
    ButtonKind kind = ButtonKind::kPlain;
    bool compact = false;
};

// Keyboard focus only, as all buttons of the studio.
QPushButton* makeButton(const theme::ThemeController& themes, const ButtonOptions& options, QWidget* parent);

// Sets a dynamic property of the sheet and repolishes.
void setSheetProperty(QWidget* widget, const char* name, const QVariant& value);

}  // namespace ui::widgets
