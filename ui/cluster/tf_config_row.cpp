// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/tf_config_row.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QListView>
#include <QPainter>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <algorithm>

#include "engine/spec/cluster/cluster_hosts.h"
#include "ui/parts/tf_config_card.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::TaskId;
using theme::TextRole;

namespace {

constexpr std::size_t kMostCards = 8;
constexpr int kListWidth = 220;
constexpr int kTypeRole = Qt::UserRole + 1, kIndexRole = Qt::UserRole + 2;

// A row of the list: chip, name, address.
class TaskDelegate : public QStyledItemDelegate {
public:
    TaskDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, theme::kListRowHeight}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const theme::Theme& t = themes_.theme();
        const bool chosen = option.state & QStyle::State_Selected;
        if (chosen)
            widgets::paintBox(*painter, option.rect, theme::kRadiusSmall, t.accent_tint,
                              option.state & QStyle::State_HasFocus ? t.accent : QColor(), 2);
        const TaskId task{index.data(kTypeRole).toString().toStdString(), index.data(kIndexRole).toInt()};
        const QRectF row(option.rect);
        widgets::paintTaskChip(*painter, themes_, QRectF(row.left() + 8, row.top() + 4, 26, 20), task);
        widgets::paintText(*painter, QRectF(row.left() + 42, row.top(), 80, row.height()), QString::fromStdString(toString(task)),
                           themes_.font(chosen ? TextRole::kStrong : TextRole::kSmall), t.text);
        widgets::paintText(*painter, QRectF(row.left() + 122, row.top(), row.width() - 130, row.height()),
                           index.data(Qt::DisplayRole).toString(), themes_.font(TextRole::kMono), t.text2,
                           Qt::AlignRight | Qt::AlignVCenter);
    }

private:
    const theme::ThemeController& themes_;
};

}  // namespace

TfConfigRow::TfConfigRow(const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), themes_(themes), list_model_(new QStandardItemModel(this)) {
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme::kSpace3);
    scroll_ = new QScrollArea(this);
    scroll_->setObjectName("tfConfigScroll");
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    row_ = new QWidget(scroll_);
    row_layout_ = new QHBoxLayout(row_);
    row_layout_->setContentsMargins(0, 0, 0, 0);
    row_layout_->setSpacing(theme::kSpace3);
    empty_ = new widgets::TextLabel(themes, TextRole::kBody, widgets::Ink::kText2, row_);
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    row_layout_->addWidget(empty_);
    scroll_->setWidget(row_);
    list_ = new QListView(this);
    list_->setObjectName("tfConfigTasks");
    list_->setModel(list_model_);
    list_->setItemDelegate(new TaskDelegate(themes, list_));
    list_->setFixedWidth(kListWidth);
    list_->setUniformItemSizes(true);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    one_ = new TfConfigCard(themes, this);
    outer->addWidget(scroll_, 1);
    outer->addWidget(list_);
    outer->addWidget(one_, 1);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        if (!index.isValid() || index.row() >= static_cast<int>(tasks_.size())) return;
        const TaskId& task = tasks_[static_cast<std::size_t>(index.row())];
        one_->setConfig(cluster_, task, format_);
        emit taskChosen(task);
    });
    retranslate();
}

void TfConfigRow::retranslate() {
    empty_->setText(tr("One task needs no TF_CONFIG. Choose a template with two or more tasks, or add one."));
    list_->setAccessibleName(tr("Tasks"));
    for (TfConfigCard* card : cards_) card->retranslate();
    one_->retranslate();
}

void TfConfigRow::setConfigs(const engine::spec::ClusterSpec& cluster, engine::launch::TfConfigFormat format) {
    cluster_ = cluster;
    format_ = format;
    refresh();
}

void TfConfigRow::refresh() {
    tasks_ = engine::spec::allTasks(cluster_);
    const bool many = tasks_.size() > kMostCards;
    scroll_->setVisible(!many);
    list_->setVisible(many);
    one_->setVisible(many);
    empty_->setVisible(tasks_.empty());
    while (!many && cards_.size() < tasks_.size()) {
        cards_.push_back(new TfConfigCard(themes_, row_));
        row_layout_->addWidget(cards_.back(), 1);
    }
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        const bool shown = !many && i < tasks_.size();
        cards_[i]->setVisible(shown);
        if (shown) cards_[i]->setConfig(cluster_, tasks_[i], format_);
    }
    if (!many) return list_model_->clear();
    const int current = std::max(0, list_->currentIndex().row());
    list_model_->setRowCount(static_cast<int>(tasks_.size()));
    list_model_->setColumnCount(1);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const QModelIndex index = list_model_->index(static_cast<int>(i), 0);
        const QString address = QString::fromStdString(*cluster_.address(tasks_[i])), name = QString::fromStdString(toString(tasks_[i]));
        if (index.data(Qt::DisplayRole) == address && index.data(Qt::AccessibleTextRole) == name) continue;
        list_model_->setData(index, address, Qt::DisplayRole);
        list_model_->setData(index, QString::fromStdString(tasks_[i].type), kTypeRole);
        list_model_->setData(index, tasks_[i].index, kIndexRole);
        list_model_->setData(index, name, Qt::AccessibleTextRole);
    }
    const int shown = std::min(current, static_cast<int>(tasks_.size()) - 1);
    list_->setCurrentIndex(list_model_->index(shown, 0));
    one_->setConfig(cluster_, tasks_[static_cast<std::size_t>(shown)], format_);
}

void TfConfigRow::showTask(const TaskId& task) {
    const auto at = std::find(tasks_.begin(), tasks_.end(), task);
    if (at == tasks_.end()) return;
    const auto index = static_cast<std::size_t>(at - tasks_.begin());
    if (tasks_.size() > kMostCards) {
        list_->setCurrentIndex(list_model_->index(static_cast<int>(index), 0));
    } else {
        scroll_->ensureWidgetVisible(cards_[index], theme::kSpace3, 0);
    }
}

}  // namespace ui::views

#include "moc_tf_config_row.cpp"
