// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/number_box.h"

#include <QSignalBlocker>
#include <algorithm>

#include "ui/widgets/window_undo.h"

namespace ui::views {

NumberBox::NumberBox(int minimum, int maximum, QWidget* parent) : QSpinBox(parent) {
    setRange(minimum, maximum);
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setKeyboardTracking(false);
    widgets::leaveUndoToWindowOnceFinished(this);
}

void NumberBox::showValue(std::int64_t value) {
    const auto shown = static_cast<int>(std::clamp<std::int64_t>(value, minimum(), maximum()));
    if (shown == this->value()) return;
    const QSignalBlocker quiet(this);
    setValue(shown);
}

void NumberBox::showInstead(const QString& text) {
    if (!text.isEmpty()) showValue(minimum());  // Qt shows the text in place of the least value
    if (text != specialValueText()) setSpecialValueText(text);
}

}  // namespace ui::views
