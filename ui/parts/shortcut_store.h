// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of all actions: what they are by default, what the user chose instead, who holds a key already. Owned by the main window; the
// actions and the settings outlive it.
#pragma once

#include <QKeySequence>
#include <QObject>
#include <vector>

class QAction;
class QSettings;

namespace ui::views {

class ShortcutStore : public QObject {
    Q_OBJECT
public:
    // `settings` null: choices last as long as this.
    ShortcutStore(QSettings* settings, QObject* parent);

    // Takes the action. Its present keys become the default; the user's choice is put in place. It is kept under the object's name, which
    // must not be empty.
    void add(QAction* action);
    const std::vector<QAction*>& actions() const { return actions_; }  // in the order they were added
    QKeySequence defaultOf(const QAction* action) const;
    // Returns the other action that has these keys; null when they are free.
    QAction* holderOf(const QKeySequence& keys, const QAction* except) const;
    // Gives the keys to the action and takes them from the action that had them; empty keys: none.
    void assign(QAction* action, const QKeySequence& keys);
    void reset(QAction* action) { assign(action, defaultOf(action)); }
    void resetAll();

    // Returns the action's text without the mark of its letter and without "…".
    static QString titleOf(const QAction* action);
    // Returns the same for lists of keys, where an action whose text tells what it would do now ("Undo: …") goes by its property
    // kLastingText.
    static QString nameOf(const QAction* action);
    static constexpr const char* kLastingText = "lastingText";

signals:
    void changed();

private:
    void set(QAction* action, const QKeySequence& keys);

    QSettings* settings_;
    std::vector<QAction*> actions_;
    std::vector<QKeySequence> defaults_;
};

// Returns " (Ctrl+R)" of the action named so in the widget's window, for tooltips; empty when it has no key.
QString keysInBrackets(const QWidget* widget, const QString& action_name);

}  // namespace ui::views
