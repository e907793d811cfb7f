// SPDX-License-Identifier: GPL-3.0-or-later
// How the cards of Evaluate are laid out.
#pragma once

#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace ui::views {

inline QVBoxLayout* cardLayout(QWidget* card) {
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(theme::kSpace5, theme::kSpace3, theme::kSpace5, theme::kSpace3);
    column->setSpacing(theme::kSpace2);
    return column;
}

}  // namespace ui::views
