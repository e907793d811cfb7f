// SPDX-License-Identifier: GPL-3.0-or-later
// The texts that a widget paints by itself, which no label tells a test.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/widgets/painted_text.h"

namespace tests {

// Returns the texts in the order in which they are painted; places are pixels of a picture of the widget.
inline std::vector<ui::widgets::PaintedText> paintedTexts(QWidget& widget) {
    std::vector<ui::widgets::PaintedText> texts;
    ui::widgets::observePaintedText([&](const ui::widgets::PaintedText& text) { texts.push_back(text); });
    widget.grab();
    ui::widgets::observePaintedText({});
    return texts;
}

}  // namespace tests
