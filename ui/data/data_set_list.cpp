// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_set_list.h"

#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/models/data_set_model.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using models::DataSetKind;
using models::DataSetModel;
using models::DataSetPlace;
using theme::TextRole;
using widgets::paintBox;
using widgets::paintText;

namespace {

constexpr int kWidth = 236, kNarrowWidth = 204, kMark = 16, kFullTurn = 360 * 16;

DataSetKind kindOf(const QModelIndex& index) {
    return static_cast<DataSetKind>(index.data(DataSetModel::kKindRole).toInt());
}
DataSetPlace placeOf(const QModelIndex& index) {
    return static_cast<DataSetPlace>(index.data(DataSetModel::kPlaceRole).toInt());
}

}  // namespace

QRect DataSetDelegate::markRect(const QRect& row) {
    return {row.right() - theme::kSpace5 - kMark, row.center().y() - kMark / 2, kMark, kMark};
}

QSize DataSetDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    return {120, kindOf(index) == DataSetKind::kGroup ? theme::kListRowHeight : theme::kTwoLineRowHeight};
}

void DataSetDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF row = QRectF(option.rect).adjusted(0, 1, 0, -1);
    if (kindOf(index) == DataSetKind::kGroup) {
        paintText(*painter, row.adjusted(theme::kSpace2, 0, 0, 0), index.data().toString(), themes_.font(TextRole::kSmallMedium), t.text2);
        painter->restore();
        return;
    }
    const bool is_chosen = (option.state & QStyle::State_Selected) != 0;
    const bool has_focus = (option.state & QStyle::State_HasFocus) != 0;
    if (is_chosen) {
        paintBox(*painter, row, theme::kRadiusControl, t.accent_tint, has_focus ? t.accent : QColor(), 2);
    } else if (option.state & QStyle::State_MouseOver) {
        paintBox(*painter, row, theme::kRadiusControl, t.mixed(t.surface, 4), QColor());
    }
    const bool is_named = kindOf(index) == DataSetKind::kNamed;
    const QString icon = is_named ? QStringLiteral("database") : QStringLiteral("folder");
    themes_.paintIcon(*painter, icon, QRectF(row.left() + 10, row.center().y() - 8, 16, 16), is_chosen ? t.accent : t.text2);
    const double left = row.left() + 38, right = row.right() - (is_named ? theme::kSpace5 + kMark + theme::kSpace2 : theme::kSpace2);
    paintText(*painter, QRectF(left, row.top() + 4, right - left, 18), index.data().toString(), themes_.font(TextRole::kButton),
              is_chosen ? t.accent : t.text);
    paintText(*painter, QRectF(left, row.top() + 21, right - left, 16), index.data(DataSetModel::kDetailRole).toString(),
              themes_.font(TextRole::kTick), t.text2);
    if (is_named) {
        const QRectF mark = markRect(option.rect);
        if (placeOf(index) == DataSetPlace::kHere) {
            themes_.paintIcon(*painter, QStringLiteral("check"), mark, t.ok);
        } else if (placeOf(index) == DataSetPlace::kCanBeFetched) {
            themes_.paintIcon(*painter, QStringLiteral("fetch"), mark, t.text2);
        } else {
            const double progress = index.data(DataSetModel::kProgressRole).toDouble();
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(t.border_strong, 2));
            painter->drawEllipse(mark.adjusted(1, 1, -1, -1));
            painter->setPen(QPen(t.accent, 2, Qt::SolidLine, Qt::RoundCap));
            painter->drawArc(mark.adjusted(1, 1, -1, -1), 90 * 16, -static_cast<int>((progress < 0 ? 0.25 : progress) * kFullTurn));
        }
    }
    painter->restore();
}

bool DataSetDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) {
    const bool has_mark = kindOf(index) == DataSetKind::kNamed && placeOf(index) != DataSetPlace::kHere;
    if (event->type() == QEvent::MouseButtonRelease && has_mark &&
        markRect(option.rect).adjusted(-6, -6, 6, 6).contains(static_cast<QMouseEvent*>(event)->pos())) {
        emit markClicked(index);
        return true;
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

DataSetList::DataSetList(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("dataSetList");
    setFixedWidth(kWidth);
    model_ = new DataSetModel(this);
    search_ = new QLineEdit(this);
    search_->setObjectName("dataSetSearch");
    search_->setProperty("compact", true);
    search_->setClearButtonEnabled(true);
    search_->addAction(themes.icon("search"), QLineEdit::LeadingPosition);
    list_ = new QListView(this);
    list_->setObjectName("dataSets");
    list_->setModel(model_);
    auto* delegate = new DataSetDelegate(themes, this);
    list_->setItemDelegate(delegate);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kSpace2, theme::kSpace4, theme::kSpace2 + 1, theme::kSpace2);
    layout->setSpacing(theme::kSpace2);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setFilter(text);
        showChosen();
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        for (int row = 0; row < model_->rowCount(); ++row) {
            if (kindOf(model_->index(row)) != DataSetKind::kGroup) return choose(model_->index(row));
        }
    });
    connect(list_, &QListView::clicked, this, &DataSetList::choose);
    connect(list_, &QListView::activated, this, &DataSetList::choose);
    connect(delegate, &DataSetDelegate::markClicked, this, [this](const QModelIndex& index) {
        if (placeOf(index) == DataSetPlace::kFetching) return emit fetchCancelled();
        emit fetchRequested(index.data(DataSetModel::kNameRole).toString());
    });
    retranslate();
}

void DataSetList::choose(const QModelIndex& index) {
    const QString name = index.data(DataSetModel::kNameRole).toString();
    if (kindOf(index) == DataSetKind::kNamed) {
        if (name != chosen_) emit setChosenByUser(name);
    } else if (kindOf(index) == DataSetKind::kFormat) {
        emit formatChosen(name);
        showChosen();
    }
}

void DataSetList::setChosen(const QString& name) {
    if (name == chosen_) return;  // whoever walks through the list stays where they are
    chosen_ = name;
    showChosen();
}

void DataSetList::showChosen() {
    const QSignalBlocker quiet(list_);
    const int row = model_->rowOf(chosen_);
    if (row < 0) {
        list_->clearSelection();
    } else {
        list_->setCurrentIndex(model_->index(row));
    }
}

void DataSetList::setNarrow(bool narrow) {
    setFixedWidth(narrow ? kNarrowWidth : kWidth);
}

void DataSetList::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void DataSetList::retranslate() {
    search_->setPlaceholderText(tr("Find a data set"));
    search_->setAccessibleName(tr("Find a data set"));
    list_->setAccessibleName(tr("Data sets"));
    model_->retranslate();
}

void DataSetList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themes_.theme().surface);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), themes_.theme().border);
}

}  // namespace ui::views

#include "moc_data_set_list.cpp"
