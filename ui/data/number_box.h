// SPDX-License-Identifier: GPL-3.0-or-later
// A field of a whole number of the project. A number that is typed reaches the project when its editing is finished.
#pragma once

#include <QSpinBox>
#include <cstdint>

namespace ui::views {

class NumberBox : public QSpinBox {
public:
    NumberBox(int minimum, int maximum, QWidget* parent);

    // Shows the project's value, cut to the range, and emits nothing. While the project's value is the one that the box took last, the text
    // stays as it is: the page is refreshed for many reasons, and somebody may be typing just then.
    void showValue(std::int64_t value);
    // Shows `text` in place of any number; an empty one brings the number back.
    void showInstead(const QString& text);
};

}  // namespace ui::views
