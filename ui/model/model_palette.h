// SPDX-License-Identifier: GPL-3.0-or-later
// The layers that can be added, in groups, with search; dragged to the canvas or added by a double click.
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <QWidget>
#include <vector>

#include "engine/spec/field_schema.h"
#include "engine/spec/model_spec.h"

class QLineEdit;
class QListView;

namespace ui::theme {
class ThemeController;
}

namespace ui::views {

// Group heads and layers in palette order; texts translate when asked.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { kIsGroupRole = Qt::UserRole + 1, kClassRole, kCategoryRole, kIconRole, kKeyRole };

    explicit PaletteModel(QObject* parent = nullptr);
    void setFilter(const QString& text);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

private:
    struct Row {
        const engine::spec::LayerSchema* schema;  // null: a group head
        engine::spec::LayerCategory category;
    };
    std::vector<Row> rows_;
};

class LayerPalette : public QWidget {
    Q_OBJECT
public:
    explicit LayerPalette(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void retranslate();
    void focusSearch();

signals:
    void layerChosen(QString class_name);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    PaletteModel* model_;
    QLineEdit* search_;
    QListView* list_;
};

class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    PaletteDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const theme::ThemeController& themes_;
};

}  // namespace ui::views
