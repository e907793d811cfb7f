// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/window_undo.h"

#include <QAbstractSpinBox>
#include <QLineEdit>
#include <utility>

namespace ui::widgets {

namespace {

class UndoFilter : public QObject {
public:
    UndoFilter(QWidget* field, std::function<bool()> keeps) : QObject(field), keeps_(std::move(keeps)) { field->installEventFilter(this); }

protected:
    // A shortcut that nobody claims goes to the window's actions.
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride || !isUndoKey(*static_cast<QKeyEvent*>(event))) return false;
        if (keeps_ && keeps_()) return false;
        event->ignore();
        return true;
    }

private:
    std::function<bool()> keeps_;
};

}  // namespace

bool isUndoKey(const QKeyEvent& key) {
    return key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo);
}

void leaveUndoToWindow(QWidget* field, std::function<bool()> keeps) {
    new UndoFilter(field, std::move(keeps));
}

void leaveUndoToWindowOnceFinished(QWidget* field) {
    auto* line = qobject_cast<QLineEdit*>(field);
    if (line == nullptr) line = field->findChild<QLineEdit*>();
    // The line stays modified where its text needs no other form.
    const auto finished = [line] { line->setModified(false); };
    if (auto* number = qobject_cast<QAbstractSpinBox*>(field)) {
        QObject::connect(number, &QAbstractSpinBox::editingFinished, line, finished);
    } else {
        QObject::connect(line, &QLineEdit::editingFinished, line, finished);
    }
    leaveUndoToWindow(field, [line] { return line->isModified(); });
}

}  // namespace ui::widgets
