// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of Monitor are put together from.
#pragma once

#include <QFrame>
#include <QPalette>
#include <QString>
#include <QVariant>

namespace ui::views {

template <typename Button>
Button* named(Button* button, const char* name, const char* kind = nullptr) {
    button->setObjectName(QLatin1String(name));
    if (kind != nullptr) button->setProperty("kind", QLatin1String(kind));
    return button;
}

// A 1 px line between groups of a row.
inline QWidget* divider(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::NoFrame);
    line->setAutoFillBackground(true);
    line->setBackgroundRole(QPalette::Mid);
    line->setFixedSize(1, 20);
    return line;
}

}  // namespace ui::views
