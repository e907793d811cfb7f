// SPDX-License-Identifier: GPL-3.0-or-later
// A table's cell with room at both sides; a chosen row keeps the colours of its texts.
#pragma once

#include <QPainter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QWidget>

#include "ui/theme/theme.h"

namespace ui::views {

class InsetDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    static constexpr int kInset = theme::kSpace2;  // of a cell's content; a head of the table has the same

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const QStyle* style = cell.widget->style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
        cell.rect.adjust(kInset - kStyleMargin, 0, kStyleMargin - kInset, 0);
        cell.state &= ~(QStyle::State_Selected | QStyle::State_HasFocus);
        style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    }

private:
    static constexpr int kStyleMargin = 4;  // the style leaves some pixels before a content
};

}  // namespace ui::views
