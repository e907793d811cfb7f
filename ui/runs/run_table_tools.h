// SPDX-License-Identifier: GPL-3.0-or-later
// The row over the table of runs: its filter, groups, baseline and columns, how many runs are drawn, and the way to the archive.
#pragma once

#include <QString>
#include <QWidget>

#include "ui/models/run_table_model.h"
#include "ui/theme/theme_controller.h"

class QLineEdit;
class QMenu;
class QPushButton;
class QSettings;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class RunTable;

// It changes the model by itself and keeps the user's choice in `settings`, which may be null.
class RunTableTools : public QWidget {
    Q_OBJECT
public:
    struct Shown {
        QString current;        // id of the table's current run
        int drawn = 0;          // of the checked runs, in the charts
        bool has_table = true;  // else something stands in its place
    };

    // `model` and `themes` outlive it.
    RunTableTools(models::RunTableModel& model, QSettings* settings, const theme::ThemeController& themes, QWidget* parent);

    // Sets the table whose columns the menu shows and hides; it outlives this.
    void setTable(RunTable* table) { table_ = table; }
    QString filter() const;
    void clearFilter();
    void focusFilter();
    void refresh(Shown shown);
    void retranslate();

signals:
    void changed();  // the model shows other runs, groups or baseline
    void archiveWanted();
    void copyWanted();  // of the table, as CSV

private:
    void buildMenus();
    void fillGroupMenu();
    void fillBaselineMenu();
    void fillColumnMenu();
    void applyFilter();
    QString runName(const QString& id) const;

    models::RunTableModel& model_;
    QSettings* settings_;
    RunTable* table_ = nullptr;
    QLineEdit* filter_;
    QPushButton *group_, *baseline_, *columns_, *archive_;
    QMenu *group_menu_, *baseline_menu_, *columns_menu_;
    widgets::TextLabel *problem_, *drawn_;
    Shown shown_;
};

}  // namespace ui::views
