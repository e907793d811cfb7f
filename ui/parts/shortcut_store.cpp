// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/shortcut_store.h"

#include <QAction>
#include <QSettings>
#include <QWidget>
#include <algorithm>

namespace ui::views {
namespace {

QString keyOf(const QAction* action) {
    return QStringLiteral("shortcuts/") + action->objectName();
}

QString withoutMarks(QString text) {
    text.remove('&');
    if (text.endsWith(QChar(0x2026))) text.chop(1);
    return text;
}

}  // namespace

ShortcutStore::ShortcutStore(QSettings* settings, QObject* parent) : QObject(parent), settings_(settings) {}

void ShortcutStore::add(QAction* action) {
    actions_.push_back(action);
    defaults_.push_back(action->shortcut());
    if (settings_ && settings_->contains(keyOf(action))) {
        action->setShortcut(QKeySequence(settings_->value(keyOf(action)).toString(), QKeySequence::PortableText));
    }
}

QKeySequence ShortcutStore::defaultOf(const QAction* action) const {
    const auto at = std::find(actions_.begin(), actions_.end(), action);
    return at == actions_.end() ? QKeySequence() : defaults_[static_cast<std::size_t>(at - actions_.begin())];
}

QAction* ShortcutStore::holderOf(const QKeySequence& keys, const QAction* except) const {
    if (keys.isEmpty()) return nullptr;
    const auto at =
        std::find_if(actions_.begin(), actions_.end(), [&](const QAction* other) { return other != except && other->shortcut() == keys; });
    return at == actions_.end() ? nullptr : *at;
}

void ShortcutStore::set(QAction* action, const QKeySequence& keys) {
    action->setShortcut(keys);
    if (!settings_) return;
    if (keys == defaultOf(action)) {
        settings_->remove(keyOf(action));
    } else {
        settings_->setValue(keyOf(action), keys.toString(QKeySequence::PortableText));
    }
}

void ShortcutStore::assign(QAction* action, const QKeySequence& keys) {
    while (QAction* holder = holderOf(keys, action)) set(holder, {});
    set(action, keys);
    emit changed();
}

void ShortcutStore::resetAll() {
    for (QAction* action : actions_) set(action, defaultOf(action));
    emit changed();
}

QString ShortcutStore::titleOf(const QAction* action) {
    return withoutMarks(action->text());
}

QString ShortcutStore::nameOf(const QAction* action) {
    const QString name = action->property(kLastingText).toString();
    return name.isEmpty() ? titleOf(action) : withoutMarks(name);
}

QString keysInBrackets(const QWidget* widget, const QString& action_name) {
    const auto* action = widget->window()->findChild<QAction*>(action_name);
    if (!action || action->shortcut().isEmpty()) return {};
    return QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
}

}  // namespace ui::views

#include "moc_shortcut_store.cpp"
