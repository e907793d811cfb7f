// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/mistake_gallery.h"

#include <QHBoxLayout>
#include <QListView>

#include "ui/models/mistake_model.h"
#include "ui/runs/evaluate_card.h"
#include "ui/runs/evaluate_painted.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

MistakeGallery::MistakeGallery(const theme::ThemeController& themes, QWidget* parent)
    : CardFrame(themes, widgets::FrameKind::kCard, parent), model_(new models::MistakeModel(this)) {
    auto* column = cardLayout(this);
    auto* head = new QHBoxLayout;
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    count_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    count_->setElided(true);
    head->addWidget(title_);
    head->addWidget(count_, 1);
    list_ = new QListView(this);
    list_->setObjectName("mistakeGallery");
    list_->setModel(model_);
    list_->setItemDelegate(new MistakeDelegate(themes, list_));
    list_->setViewMode(QListView::IconMode);
    list_->setResizeMode(QListView::Adjust);
    list_->setMovement(QListView::Static);
    list_->setUniformItemSizes(true);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setMouseTracking(true);
    column->addLayout(head);
    column->addWidget(list_, 1);
    connect(list_, &QListView::activated, this, &MistakeGallery::chooseCurrent);
    connect(list_, &QListView::clicked, this, &MistakeGallery::chooseCurrent);
}

void MistakeGallery::setResult(const session::EvaluationResult& result) {
    model_->setMistakes(result.mistakes, result.classes);
}

void MistakeGallery::setCell(std::optional<std::pair<int, int>> cell) {
    model_->setCell(cell);
}

void MistakeGallery::chooseFirst() {
    if (model_->rowCount() == 0) return;
    list_->setCurrentIndex(model_->index(0));
    chooseCurrent();
}

void MistakeGallery::chooseCurrent() {
    const QModelIndex index = list_->currentIndex();
    if (index.isValid()) emit chosen(index.data(models::MistakeModel::kSampleRole).toLongLong());
}

void MistakeGallery::refresh(const std::optional<QString>& of_cell) {
    const int shown = model_->rowCount();
    count_->setText(shown == 0 && of_cell ? *of_cell
                    : shown == 0          ? tr("none")
                    : of_cell             ? tr("%n of this cell, surest first", nullptr, shown)
                                          : tr("%n, surest first", nullptr, shown));
}

void MistakeGallery::retranslate() {
    title_->setText(tr("Wrong and sure of it"));
    list_->setAccessibleName(tr("Wrong answers"));
    model_->retranslate();
}

}  // namespace ui::views

#include "moc_mistake_gallery.cpp"
