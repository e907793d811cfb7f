// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/page_header.h"

#include <QHBoxLayout>

namespace ui::widgets {
namespace {

constexpr int kSentenceStretch = 1000;

}  // namespace

PageHeader::PageHeader(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    setFixedHeight(theme::kPageHeaderHeight);
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(theme::kSpace6, 0, theme::kSpace5, 0);
    row_->setSpacing(theme::kSpace3);
    title_ = new TextLabel(themes, theme::TextRole::kTitle, Ink::kText, this);
    pill_ = new StatusPill(themes, this);
    pill_->hide();
    sentence_ = new TextLabel(themes, theme::TextRole::kBody, Ink::kText2, this);
    sentence_->setElided(true);
    row_->addWidget(title_);
    row_->addWidget(pill_);
    row_->addWidget(sentence_, kSentenceStretch);
    row_->addStretch(1);  // takes the room when the sentence has gone
}

void PageHeader::addAction(QWidget* widget) {
    row_->addWidget(widget);
}

void PageHeader::setNarrow(bool narrow) {
    sentence_->setVisible(!narrow);
}

}  // namespace ui::widgets

#include "moc_page_header.cpp"
