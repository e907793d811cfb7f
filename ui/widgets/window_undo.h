// SPDX-License-Identifier: GPL-3.0-or-later
// Text fields keep Ctrl+Z to themselves, even with nothing to undo. One that edits the project leaves undo and redo to the window.
#pragma once

#include <QKeyEvent>
#include <QWidget>
#include <functional>

namespace ui::widgets {

// True when the key is undo or redo by the desktop's keys.
bool isUndoKey(const QKeyEvent& key);

// Leaves undo and redo to the window. `keeps`, if any: true while the field holds typing that is not in the project yet; the keys are its
// own then. It lives as long as `field`.
void leaveUndoToWindow(QWidget* field, std::function<bool()> keeps = {});
// Does the same for a line or a number that reaches the project when its editing is finished.
void leaveUndoToWindowOnceFinished(QWidget* field);

}  // namespace ui::widgets
