// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/buttons.h"

#include <QStyle>
#include <QVariant>

namespace ui::widgets {

QPushButton* makeButton(const theme::ThemeController& themes, const ButtonOptions& options, QWidget* parent) {
    auto* button = new QPushButton(parent);
    button->setObjectName(options.object_name);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoDefault(false);
    button->setProperty("compact", options.compact);
    auto tone = theme::IconTone::kAuto;
    switch (options.kind) {
        case ButtonKind::kPlain:
            break;
        case ButtonKind::kPrimary:
            button->setProperty("kind", "primary");
            tone = theme::IconTone::kOnAccent;
            break;
        case ButtonKind::kGhost:
            button->setProperty("kind", "ghost");
            break;
        case ButtonKind::kLink:
            button->setProperty("kind", "link");
            tone = theme::IconTone::kAccent;
            break;
        case ButtonKind::kDanger:
            button->setProperty("kind", "danger");
            tone = theme::IconTone::kError;
            break;
    }
    if (!options.icon.isEmpty()) button->setIcon(themes.icon(options.icon, tone));
    const int side = options.compact ? 16 : 18;
    button->setIconSize({side, side});
    return button;
}

void setSheetProperty(QWidget* widget, const char* name, const QVariant& value) {
    if (widget->property(name) == value) return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

}  // namespace ui::widgets
