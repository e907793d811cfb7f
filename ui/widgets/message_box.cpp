// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_box.h"

#include <QLayout>
#include <QMessageBox>
#include <QPushButton>

#include "ui/widgets/buttons.h"
#include "ui/widgets/focus_ring.h"

namespace ui::widgets {

void dressMessageBox(QMessageBox& box, const theme::ThemeController& themes) {
    box.setIcon(QMessageBox::NoIcon);
    for (QAbstractButton* button : box.buttons()) button->setIcon(QIcon());
    box.layout()->setContentsMargins(theme::kSpace5, theme::kSpace6, theme::kSpace6, theme::kSpace6);
    if (QPushButton* chosen = box.defaultButton()) setSheetProperty(chosen, "kind", QStringLiteral("primary"));
    new FocusRing(themes, &box);
}

}  // namespace ui::widgets
