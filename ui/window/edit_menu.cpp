// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/edit_menu.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <optional>
#include <utility>

#include "ui/window/action_obstacle.h"

namespace ui::views {
namespace {

struct VerbRow {
    const char* name;
    QKeySequence::StandardKey key;
};
constexpr VerbRow kVerbs[] = {{"editCut", QKeySequence::Cut},
                              {"editCopy", QKeySequence::Copy},
                              {"editPaste", QKeySequence::Paste},
                              {"editDelete", QKeySequence::Delete}};

bool clipboardHasText() {
    const QMimeData* data = QApplication::clipboard()->mimeData();
    return data != nullptr && data->hasText() && !data->text().isEmpty();
}

// A text field of either kind, seen alike.
struct TextField {
    bool has_selection = false, is_read_only = false;
    std::array<std::function<void()>, kEditVerbCount> acts;
};

template <class Edit>
TextField document(Edit* edit) {
    return {edit->textCursor().hasSelection(),
            edit->isReadOnly(),
            {[edit] { edit->cut(); }, [edit] { edit->copy(); }, [edit] { edit->paste(); },
             [edit] { edit->textCursor().removeSelectedText(); }}};
}

std::optional<TextField> textFieldOf(QWidget* widget) {
    if (auto* line = qobject_cast<QLineEdit*>(widget))
        return TextField{line->hasSelectedText(),
                         line->isReadOnly(),
                         {[line] { line->cut(); }, [line] { line->copy(); }, [line] { line->paste(); }, [line] { line->del(); }}};
    if (auto* plain = qobject_cast<QPlainTextEdit*>(widget)) return document(plain);
    if (auto* rich = qobject_cast<QTextEdit*>(widget)) return document(rich);
    return std::nullopt;
}

}  // namespace

EditMenu::EditMenu(QMenu& menu, std::function<Page&()> page) : QObject(&menu), page_(std::move(page)) {
    menu.addSeparator();
    for (int i = 0; i < kEditVerbCount; ++i) {
        const VerbRow& row = kVerbs[i];
        QAction* action = menu.addAction(QString());
        action->setObjectName(QLatin1String(row.name));
        action->setShortcutContext(Qt::WidgetShortcut);  // shown only: the key goes to whoever has the focus
        action->setShortcut(row.key);
        connect(action, &QAction::triggered, this, [this, i] { act(static_cast<EditVerb>(i)); });
        actions_[static_cast<std::size_t>(i)] = action;
    }
    connect(&menu, &QMenu::aboutToShow, this, &EditMenu::refresh);
    // Afterwards all can be asked for again: what the focus is on then decides.
    connect(
        &menu, &QMenu::aboutToHide, this,
        [this] {
            for (QAction* action : actions_) setObstacle(*action, {});
        },
        Qt::QueuedConnection);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        const bool is_menu = qobject_cast<QMenuBar*>(now) != nullptr || qobject_cast<QMenu*>(now) != nullptr;
        if (now != nullptr && !is_menu) target_ = now;
    });
    retranslate();
}

void EditMenu::retranslate() {
    const QStringList texts{tr("Cu&t"), tr("&Copy"), tr("&Paste"), tr("&Delete")};
    for (int i = 0; i < kEditVerbCount; ++i) actions_[static_cast<std::size_t>(i)]->setText(texts[i]);
}

void EditMenu::refresh() {
    for (int i = 0; i < kEditVerbCount; ++i) setObstacle(*actions_[static_cast<std::size_t>(i)], obstacle(static_cast<EditVerb>(i)));
}

QString EditMenu::obstacle(EditVerb verb) const {
    const auto field = textFieldOf(target_);
    if (verb == EditVerb::kPaste && !clipboardHasText()) return tr("The clipboard holds no text");
    if (!field) return page_().canEdit(verb) ? QString() : verb == EditVerb::kPaste ? tr("Nothing here takes it") : tr("Nothing is chosen");
    if (field->is_read_only && verb != EditVerb::kCopy) return tr("This text can't be changed");
    return verb == EditVerb::kPaste || field->has_selection ? QString() : tr("No text is selected");
}

void EditMenu::act(EditVerb verb) {
    if (!obstacle(verb).isEmpty()) return;
    if (const auto field = textFieldOf(target_)) return field->acts[static_cast<std::size_t>(verb)]();
    page_().edit(verb);
}

}  // namespace ui::views

#include "moc_edit_menu.cpp"
