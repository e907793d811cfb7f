// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/toast.h"

#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QPropertyAnimation>
#include <QPushButton>

#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::widgets {
namespace {

constexpr int kShownMs = 6000, kFadeMs = 150, kToastHeight = 44, kMostWidth = 720, kTextLeft = 40;

}  // namespace

Toast::Toast(const theme::ThemeController& themes, QWidget* host) : QWidget(host), themes_(themes) {
    setObjectName("toast");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kTextLeft, 0, theme::kSpace2, 0);
    text_ = new TextLabel(themes, theme::TextRole::kBody, Ink::kText, this);
    text_->setObjectName("toastText");
    text_->setWordWrap(true);
    action_ = new QPushButton(this);
    action_->setProperty("kind", "link");
    close_ = new QPushButton(this);
    close_->setProperty("kind", "ghost");
    close_->setProperty("compact", true);
    close_->setIcon(themes.icon("close"));
    row->addWidget(text_, 1);
    row->addWidget(action_);
    row->addWidget(close_);
    opacity_ = new QGraphicsOpacityEffect(this);
    setGraphicsEffect(opacity_);
    animation_ = new QPropertyAnimation(opacity_, "opacity", this);
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, [this] { fade(0); });
    connect(close_, &QPushButton::clicked, this, [this] { fade(0); });
    connect(action_, &QPushButton::clicked, this, [this] {
        if (act_) act_();
        fade(0);
    });
    connect(animation_, &QPropertyAnimation::finished, this, [this] { setVisible(opacity_->opacity() > 0); });
    host->installEventFilter(this);
    retranslate();
    hide();
}

void Toast::retranslate() {
    close_->setAccessibleName(tr("Close"));
    text_->setText(words_ ? words_() : QString());
    setAccessibleName(text_->text());
    action_->setText(action_words_ ? action_words_() : QString());
    action_->setVisible(!action_->text().isEmpty());
}

void Toast::say(ToastTone tone, Words text, Words action, std::function<void()> act) {
    tone_ = tone;
    words_ = std::move(text);
    action_words_ = std::move(action);
    act_ = std::move(act);
    retranslate();
    show();
    raise();
    place();
    fade(1);
    timer_.stop();
    if (tone != ToastTone::kError) timer_.start(kShownMs);
}

void Toast::withdraw() {
    timer_.stop();
    if (isVisible()) fade(0);
}

void Toast::fade(double to) {
    animation_->stop();
    animation_->setDuration(themes_.duration(kFadeMs));
    animation_->setStartValue(opacity_->opacity());
    animation_->setEndValue(to);
    animation_->start();
}

void Toast::place() {
    const QWidget* host = parentWidget();
    int around = kTextLeft + theme::kSpace2;
    for (const QPushButton* button : {action_, close_}) {
        if (button->isVisibleTo(this)) around += layout()->spacing() + button->sizeHint().width();
    }
    const int wanted = text_->fontMetrics().horizontalAdvance(text_->text()) + 1 + around;
    const int width = std::min({wanted, kMostWidth, host->width() - 2 * theme::kSpace6});
    // A text that is too long for one line stays readable as a whole.
    const int height = std::max(kToastHeight, text_->heightForWidth(width - around) + 2 * theme::kSpace3);
    setGeometry((host->width() - width) / 2, host->height() - height - theme::kSpace7 - theme::kSpace5, width, height);
}

void Toast::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (isVisible()) place();
    }
    QWidget::changeEvent(event);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QWidget::eventFilter(watched, event);
}

void Toast::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border_strong);
    const QString icon = tone_ == ToastTone::kOk ? "check-circle" : tone_ == ToastTone::kError ? "error" : "info";
    const QColor ink = tone_ == ToastTone::kOk ? t.ok : tone_ == ToastTone::kError ? t.err : t.accent;
    themes_.paintIcon(painter, icon, QRectF(14, (height() - 18) / 2.0, 18, 18), ink);
}

}  // namespace ui::widgets

#include "moc_toast.cpp"
