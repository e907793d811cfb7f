// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/state_panel.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::widgets {

using theme::TextRole;

namespace {

constexpr int kPicture = 28, kBarWidth = 320, kBarHeight = 8, kTextWidth = 460, kWidthStep = 4;
constexpr int kSweepMs = 40;
constexpr double kSweepStep = 0.02, kSweepPart = 0.25;

// Makes the text as narrow as its number of lines allows, so that no single word is left for the last.
void balance(TextLabel* text) {
    const auto needed = [text](int width) {
        return text->fontMetrics().boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), Qt::TextWordWrap | Qt::AlignHCenter, text->text());
    };
    const int height = needed(kTextWidth).height();
    int width = kTextWidth;
    for (int less = width - kWidthStep; less > 0; less -= kWidthStep) {
        if (const QRect one = needed(less); one.height() > height || one.width() > less) break;
        width = less;
    }
    text->setFixedWidth(width);
    text->setMinimumHeight(0);                            // a label is never lower than its own minimum, also when asked
    text->setMinimumHeight(text->heightForWidth(width));  // a column that centres its rows gives a wrapped text one line
}

}  // namespace

StatePanel::StatePanel(const theme::ThemeController& themes, const QString& name, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(name);
    picture_ = new QWidget(this);
    picture_->setFixedSize(kPicture, kPicture);
    bar_ = new QWidget(this);
    bar_->setFixedSize(kBarWidth, kBarHeight);
    title_ = new TextLabel(themes, TextRole::kEmptyTitle, Ink::kText, this);
    title_->setObjectName(name + QLatin1String("Title"));
    title_->setAlignment(Qt::AlignCenter);
    title_->setWordWrap(true);
    sentence_ = new TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    sentence_->setObjectName(name + QLatin1String("Sentence"));
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setWordWrap(true);
    first_ = makeButton(themes, {name + QLatin1String("First"), {}, ButtonKind::kPrimary, false}, this);
    second_ = makeButton(themes, {name + QLatin1String("Second"), {}, ButtonKind::kPlain, false}, this);
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
    connect(&sweep_, &QTimer::timeout, this, [this] {
        swept_ = std::fmod(swept_ + kSweepStep, 1.0);
        if (isVisible()) update();
    });
    connect(first_, &QAbstractButton::clicked, this, &StatePanel::firstClicked);
    connect(second_, &QAbstractButton::clicked, this, &StatePanel::secondClicked);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void StatePanel::setContent(const Content& content) {
    icon_ = content.icon;
    progress_ = content.progress;
    title_->setText(content.title);
    sentence_->setText(content.sentence);
    for (TextLabel* text : {title_, sentence_}) balance(text);
    sentence_->setToolTip(content.detail);
    bar_->setVisible(progress_ > -2);
    const bool sweeps = progress_ == -1 && !themes_.reduceMotion();
    if (sweeps && !sweep_.isActive()) sweep_.start(kSweepMs);
    if (!sweeps) sweep_.stop();
    first_->setText(content.first);
    first_->setVisible(!content.first.isEmpty());
    second_->setText(content.second);
    second_->setVisible(!content.second.isEmpty());
    setAccessibleName(content.title);
    setAccessibleDescription(content.sentence);
    update();
}

QString StatePanel::title() const {
    return title_->text();
}

void StatePanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    themes_.paintIcon(painter, icon_, picture_->geometry(), t.text2);
    if (progress_ <= -2) return;
    const QRectF track = bar_->geometry();
    paintBox(painter, track, kBarHeight / 2.0, t.sunken, t.border);
    if (progress_ == -1) {
        const double width = track.width() * kSweepPart;
        const double left = track.left() + (track.width() - width) * (1 - std::abs(1 - 2 * swept_));
        paintBox(painter, QRectF(left, track.top(), width, track.height()), kBarHeight / 2.0, t.accent_fill, QColor());
    }
    if (progress_ > 0)
        paintBox(painter, QRectF(track.left(), track.top(), track.width() * progress_, track.height()), kBarHeight / 2.0, t.accent_fill,
                 QColor());
}

}  // namespace ui::widgets

#include "moc_state_panel.cpp"
