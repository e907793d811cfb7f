// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/host_sight_card.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/parts/facts_well.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::IconTone;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kMark = 18, kBarHeight = 8;

QColor toneColor(const theme::Theme& theme, IconTone tone) {
    return tone == IconTone::kOk ? theme.ok : tone == IconTone::kWarn ? theme.warn : tone == IconTone::kError ? theme.err : theme.text2;
}

}  // namespace

HostSightCard::HostSightCard(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("hostSight");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    mark_ = new QWidget(this);
    mark_->setFixedSize(kMark, kMark);
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    title_->setObjectName("hostSightTitle");
    title_->setElided(true);
    link_ = widgets::makeButton(themes, {.object_name = "hostSightLink", .kind = widgets::ButtonKind::kLink, .compact = true}, this);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    row->addWidget(mark_);
    row->addWidget(title_, 1);
    row->addWidget(link_);
    sentence_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    sentence_->setObjectName("hostSightSentence");
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    bar_ = new QWidget(this);
    bar_->setFixedHeight(kBarHeight);
    facts_ = new FactsWell(themes, this);
    facts_->setObjectName("hostFacts");
    column->addLayout(row);
    column->addWidget(sentence_);
    column->addWidget(bar_);
    column->addWidget(facts_);
    connect(link_, &QPushButton::clicked, this, &HostSightCard::linkClicked);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void HostSightCard::setContent(const Content& content) {
    icon_ = content.icon;
    tone_ = content.tone;
    progress_ = content.progress;
    title_->setText(content.title);
    sentence_->setText(content.sentence);
    sentence_->setVisible(!content.sentence.isEmpty());
    link_->setText(content.link);
    QSizePolicy keeps = link_->sizePolicy();
    keeps.setRetainSizeWhenHidden(true);
    link_->setSizePolicy(keeps);
    link_->setVisible(!content.link.isEmpty());
    bar_->setVisible(progress_ >= 0);
    facts_->setFacts(content.facts);
    setAccessibleName(content.title);
    setAccessibleDescription(content.sentence);
    update();
}

void HostSightCard::setFactsShown(bool on) {
    facts_->setVisible(on);
}

void HostSightCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    themes_.paintIcon(painter, icon_, mark_->geometry(), toneColor(t, tone_));
    if (progress_ < 0) return;
    const QRectF track = bar_->geometry();
    widgets::paintBox(painter, track, kBarHeight / 2.0, t.sunken, t.border);
    if (progress_ > 0)
        widgets::paintBox(painter, QRectF(track.left(), track.top(), track.width() * progress_, track.height()), kBarHeight / 2.0,
                          t.accent_fill, QColor());
}

}  // namespace ui::views

#include "moc_host_sight_card.cpp"
