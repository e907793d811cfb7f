// SPDX-License-Identifier: GPL-3.0-or-later
// The list at the left of the Data page: data sets by name, with whether they are here, and the formats of own files.
#pragma once

#include <QStyledItemDelegate>
#include <QWidget>

#include "ui/theme/theme_controller.h"

class QLineEdit;
class QListView;

namespace ui::models {
class DataSetModel;
}

namespace ui::views {

class DataSetDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    DataSetDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    static QRect markRect(const QRect& row);  // tick, arrow or ring

signals:
    void markClicked(QModelIndex index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) override;

private:
    const theme::ThemeController& themes_;
};

class DataSetList : public QWidget {
    Q_OBJECT
public:
    DataSetList(const theme::ThemeController& themes, QWidget* parent);

    models::DataSetModel& model() { return *model_; }
    // Marks the set or format that the project has.
    void setChosen(const QString& name);
    void focusSearch();
    void setNarrow(bool narrow);
    void retranslate();

signals:
    void setChosenByUser(QString name);
    void formatChosen(QString format);
    void fetchRequested(QString name);
    void fetchCancelled();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void choose(const QModelIndex& index);
    void showChosen();

    const theme::ThemeController& themes_;
    models::DataSetModel* model_;
    QLineEdit* search_;
    QListView* list_;
    QString chosen_;
};

}  // namespace ui::views
