// SPDX-License-Identifier: GPL-3.0-or-later
// A list of choices in a part that scrolls: the wheel goes through it only while it has the focus.
#pragma once

#include <QComboBox>
#include <QWheelEvent>

namespace ui::views {

class StillCombo : public QComboBox {
public:
    explicit StillCombo(QWidget* parent = nullptr) : QComboBox(parent) { setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent* event) override { hasFocus() ? QComboBox::wheelEvent(event) : event->ignore(); }
};

}  // namespace ui::views
