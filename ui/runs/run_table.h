// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs with its keys: Space checks, F2 renames, Del archives, P pins, Enter opens; on a group's row Left and Right fold it.
#pragma once

#include <QStyledItemDelegate>
#include <QTableView>

#include "ui/models/run_table_model.h"
#include "ui/theme/theme_controller.h"

class QSettings;

namespace ui::views {

class RunTable : public QTableView {
    Q_OBJECT
public:
    // `model` and `themes` outlive it.
    RunTable(models::RunTableModel& model, const theme::ThemeController& themes, QWidget* parent);

    QString currentId() const;        // empty on a group's row
    QStringList selectedIds() const;  // in the order of the table
    void select(const QString& id);   // the row of that run, or the first one
    void editCell(int column);        // of the current run
    bool isEditing() const { return state() == EditingState; }
    // A reset of the model loses what is chosen and where the table is scrolled to: keep it before, and restore it behind.
    void keepPlace();
    void restorePlace(const QString& current);
    // Tells whether the window is narrower than 1200 px: some columns are then hidden.
    void setNarrow(bool narrow);
    void setColumnShown(int column, bool shown);
    bool isColumnShown(int column) const { return shown_[static_cast<std::size_t>(column)]; }
    // Writes which columns are shown, in which order and how wide they are.
    void keepColumns(QSettings* settings) const;
    void restoreColumns(QSettings* settings);

signals:
    void openWanted();
    void archiveWanted();
    void pinWanted();
    void colorWanted(QPoint global);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyColumns();
    void fitName();

    models::RunTableModel& model_;
    std::array<bool, models::RunTableModel::kColumnCount> shown_{};
    bool narrow_ = false;
    QStringList kept_ids_;
    int kept_scroll_ = 0;
};

// One cell: check box, colour dot with name and tags, state as mark and word, numbers in the fixed-width face; a group's row in bold, its
// deviations under their means.
class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    RunDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // The text that somebody is typing stays when the row changes.
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // Returns the part of a name's cell in which its dot is pressed.
    static QRect dotRect(const QRect& cell);

private:
    // Returns the room of a group's title: the name's cell and the empty cells right of it.
    static QRect titleRect(const QTableView& table, const QModelIndex& index);
    void paintCell(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintName(QPainter& painter, const QRectF& cell, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintState(QPainter& painter, const QRectF& cell, const QModelIndex& index) const;
    void paintCheck(QPainter& painter, const QRectF& cell, Qt::CheckState state) const;

    const theme::ThemeController& themes_;
};

}  // namespace ui::views
