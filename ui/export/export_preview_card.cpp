// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_preview_card.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

ExportPreviewCard::ExportPreviewCard(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, theme::kSpace4, theme::kSpace5, theme::kSpace4);
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(1, theme::kSpace1, 1, theme::kSpace2);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(theme::kSpace4, 0, theme::kSpace2, 0);
    name_ = new TextLabel(themes, TextRole::kMonoMedium, Ink::kText, card);
    word_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, card);
    copy_ = widgets::makeButton(themes, {.object_name = "exportCopy", .icon = "copy", .kind = widgets::ButtonKind::kGhost, .compact = true},
                                card);
    head->addWidget(name_);
    head->addWidget(word_);
    head->addStretch();
    head->addWidget(copy_);
    preview_ = new ExportPreview(themes, card);
    column->addLayout(head);
    column->addWidget(preview_, 1);
    outer->addWidget(card);
    connect(copy_, &QPushButton::clicked, this, &ExportPreviewCard::copy);
}

void ExportPreviewCard::showFile(ExportKind& kind, int row, const QString& name) {
    kind_ = &kind;
    row_ = row;
    name_->setText(name);
    word_->show();
    kind.preview(row, *preview_);
    copy_->setVisible(!preview_->text().isEmpty());
}

void ExportPreviewCard::showNothing(const QString& why) {
    kind_ = nullptr;
    name_->clear();
    word_->hide();
    why.isEmpty() ? preview_->showText({}) : preview_->showRefusal(why);
    copy_->hide();
}

void ExportPreviewCard::copy() const {
    const QString exact = kind_ != nullptr ? kind_->copied(row_) : QString();
    QApplication::clipboard()->setText(exact.isEmpty() ? preview_->text() : exact);
}

void ExportPreviewCard::retranslate() {
    word_->setText(tr("preview"));
    copy_->setAccessibleName(tr("Copy the file"));
}

}  // namespace ui::views

#include "moc_export_preview_card.cpp"
