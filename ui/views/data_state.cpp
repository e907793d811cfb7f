// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/data_state.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;

namespace {

constexpr int kPicture = 28, kBarWidth = 320, kBarHeight = 8, kTextWidth = 460;

}  // namespace

DataStatePanel::DataStatePanel(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("dataState");
    picture_ = new QWidget(this);
    picture_->setFixedSize(kPicture, kPicture);
    bar_ = new QWidget(this);
    bar_->setFixedSize(kBarWidth, kBarHeight);
    title_ = new widgets::TextLabel(themes, TextRole::kEmptyTitle, Ink::kText, this);
    title_->setObjectName("dataStateTitle");
    title_->setAlignment(Qt::AlignCenter);
    title_->setWordWrap(true);
    sentence_ = new widgets::TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    sentence_->setObjectName("dataStateSentence");
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setWordWrap(true);
    title_->setFixedWidth(kTextWidth);
    sentence_->setFixedWidth(kTextWidth);
    first_ = widgets::makeButton(themes, {"dataStateFirst", {}, widgets::ButtonKind::kPrimary, false}, this);
    second_ = widgets::makeButton(themes, {"dataStateSecond", {}, widgets::ButtonKind::kPlain, false}, this);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(theme::kSpace3);
    column->addStretch(2);
    for (QWidget* widget : {picture_, static_cast<QWidget*>(title_), static_cast<QWidget*>(sentence_), bar_}) {
        column->addWidget(widget, 0, Qt::AlignHCenter);
    }
    column->addSpacing(theme::kSpace2);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kSpace2);
    buttons->addStretch(1);
    buttons->addWidget(first_);
    buttons->addWidget(second_);
    buttons->addStretch(1);
    column->addLayout(buttons);
    column->addStretch(3);
    connect(first_, &QAbstractButton::clicked, this, &DataStatePanel::firstClicked);
    connect(second_, &QAbstractButton::clicked, this, &DataStatePanel::secondClicked);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void DataStatePanel::setContent(const Content& content) {
    icon_ = content.icon;
    progress_ = content.progress;
    title_->setText(content.title);
    sentence_->setText(content.sentence);
    // A column that centres its rows gives a wrapped text one line.
    for (widgets::TextLabel* text : {title_, sentence_}) {
        text->setMinimumHeight(0);  // a label is never lower than its own minimum, also when asked
        text->setMinimumHeight(text->heightForWidth(kTextWidth));
    }
    bar_->setVisible(progress_ > -2);
    first_->setText(content.first);
    first_->setVisible(!content.first.isEmpty());
    second_->setText(content.second);
    second_->setVisible(!content.second.isEmpty());
    setAccessibleName(content.title);
    setAccessibleDescription(content.sentence);
    update();
}

QString DataStatePanel::title() const {
    return title_->text();
}

void DataStatePanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    themes_.paintIcon(painter, icon_, picture_->geometry(), t.text2);
    if (progress_ <= -2) return;
    const QRectF track = bar_->geometry();
    widgets::paintBox(painter, track, kBarHeight / 2.0, t.sunken, t.border);
    if (progress_ > 0)
        widgets::paintBox(painter, QRectF(track.left(), track.top(), track.width() * progress_, track.height()), kBarHeight / 2.0,
                          t.accent_fill, QColor());
}

}  // namespace ui::views
