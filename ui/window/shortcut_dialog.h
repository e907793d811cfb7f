// SPDX-License-Identifier: GPL-3.0-or-later
// Every action with its keys, to be changed: choose a row, press the new keys, assign. A conflict is named before anything is taken away.
#pragma once

#include <QDialog>

#include "ui/parts/shortcut_store.h"
#include "ui/theme/theme_controller.h"

class QKeySequenceEdit;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ShortcutModel;

class ShortcutDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutDialog(ShortcutStore& store, const theme::ThemeController& themes, QWidget* parent = nullptr);
    ~ShortcutDialog() override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();
    QAction* chosen() const;
    QKeySequence typed() const;

    ShortcutStore& store_;
    ShortcutModel* model_;
    QSortFilterProxyModel* filtered_;
    widgets::TextLabel *title_, *keys_label_, *conflict_;
    QLineEdit* filter_;
    QTableView* table_;
    QKeySequenceEdit* keys_;
    QPushButton *assign_, *reset_, *reset_all_, *close_;
};

}  // namespace ui::views
