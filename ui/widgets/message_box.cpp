// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_box.h"

#include <QLayout>
#include <QMessageBox>
#include <QPushButton>

#include "ui/widgets/buttons.h"
#include "ui/widgets/focus_ring.h"

namespace ui::widgets {

namespace {
constexpr int kIconSide = 28;
}

void dressMessageBox(QMessageBox& box, const theme::ThemeController& themes, const QString& icon, theme::IconTone tone) {
    if (icon.isEmpty()) {
        box.setIcon(QMessageBox::NoIcon);
    } else {
        box.setIconPixmap(themes.icon(icon, tone).pixmap(QSize(kIconSide, kIconSide), box.devicePixelRatioF()));
    }
    for (QAbstractButton* button : box.buttons()) button->setIcon(QIcon());
    box.layout()->setContentsMargins(theme::kSpace5, theme::kSpace6, theme::kSpace6, theme::kSpace6);
    if (QPushButton* chosen = box.defaultButton()) setSheetProperty(chosen, "kind", QStringLiteral("primary"));
    new FocusRing(themes, &box);
}

}  // namespace ui::widgets
