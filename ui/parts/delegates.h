// SPDX-License-Identifier: GPL-3.0-or-later
// How rows of data are drawn: findings, recent projects. Colours and fonts from the theme at each painting.
#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/theme_controller.h"

namespace ui::views {

// A finding: icon by state, title, detail below (two lines) or nothing (one line), link at the right.
class CheckDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum class Density { kTwoLines, kOneLine, kProblem };
    CheckDelegate(const theme::ThemeController& themes, Density density, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // Returns where the link of a row lies; empty when it has none.
    QRect fixRect(const QStyleOptionViewItem& option, const QModelIndex& index) const;

signals:
    void fixClicked(QModelIndex index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) override;

private:
    const theme::ThemeController& themes_;
    const Density density_;
};

class RecentDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    RecentDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const theme::ThemeController& themes_;
};

}  // namespace ui::views
