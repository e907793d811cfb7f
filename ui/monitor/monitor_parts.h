// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of Monitor are put together from.
#pragma once

#include <QFrame>
#include <QHBoxLayout>
#include <QListView>
#include <QPalette>
#include <QString>
#include <QStyledItemDelegate>
#include <QVariant>

#include "ui/theme/theme.h"

namespace ui::views {

template <typename Button>
Button* named(Button* button, const char* name, const char* kind = nullptr) {
    button->setObjectName(QLatin1String(name));
    if (kind != nullptr) button->setProperty("kind", QLatin1String(kind));
    return button;
}

// Returns a 1 px line between groups of a row.
inline QWidget* divider(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::NoFrame);
    line->setAutoFillBackground(true);
    line->setBackgroundRole(QPalette::Mid);
    line->setFixedSize(1, 20);
    return line;
}

// Returns a row with one widget at each end.
inline QHBoxLayout* apart(QWidget* left, QWidget* right) {
    auto* layout = new QHBoxLayout;
    layout->setSpacing(theme::kSpace2);
    layout->addWidget(left);
    layout->addStretch();
    layout->addWidget(right);
    return layout;
}

// Returns a list without a frame on the ground of the dock; its rows are of one height.
inline QListView* plainList(QWidget* parent, QAbstractItemModel* model, QStyledItemDelegate* delegate, const char* name) {
    auto* view = new QListView(parent);
    view->setObjectName(QLatin1String(name));
    view->setModel(model);
    view->setItemDelegate(delegate);
    view->setFrameShape(QFrame::NoFrame);
    view->setUniformItemSizes(true);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->viewport()->setAutoFillBackground(false);
    return view;
}

}  // namespace ui::views
