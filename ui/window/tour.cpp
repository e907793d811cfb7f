// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tour.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;

namespace {

constexpr int kCardWidth = 380, kGap = theme::kSpace4, kLitMargin = theme::kSpace1;

}  // namespace

Tour::Tour(const theme::ThemeController& themes, QWidget* host, std::vector<TourStep> steps)
    : QWidget(host), themes_(themes), steps_(std::move(steps)), focus_before_(QApplication::focusWidget()) {
    setObjectName("tour");
    setFocusPolicy(Qt::StrongFocus);
    card_ = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    card_->setObjectName("tourCard");
    card_->setFixedWidth(kCardWidth);
    auto* column = new QVBoxLayout(card_);
    column->setContentsMargins(theme::kSpace5, theme::kSpace5, theme::kSpace5, theme::kSpace4);
    column->setSpacing(theme::kSpace2);
    title_ = new widgets::TextLabel(themes, TextRole::kSection, Ink::kText, card_);
    text_ = new widgets::TextLabel(themes, TextRole::kBody, Ink::kText2, card_);
    text_->setWordWrap(true);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kSpace2);
    count_ = new widgets::TextLabel(themes, TextRole::kMono, Ink::kText2, card_);
    skip_ = widgets::makeButton(themes, {.object_name = "tourSkip", .kind = widgets::ButtonKind::kGhost, .compact = true}, card_);
    back_ = widgets::makeButton(themes, {.object_name = "tourBack", .compact = true}, card_);
    next_ = widgets::makeButton(themes, {.object_name = "tourNext", .kind = widgets::ButtonKind::kPrimary, .compact = true}, card_);
    foot->addWidget(count_);
    foot->addStretch();
    foot->addWidget(skip_);
    foot->addWidget(back_);
    foot->addWidget(next_);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addSpacing(theme::kSpace2);
    column->addLayout(foot);
    connect(skip_, &QPushButton::clicked, this, &Tour::end);
    connect(back_, &QPushButton::clicked, this, [this] { show(step_ - 1); });
    connect(next_, &QPushButton::clicked, this, [this] { show(step_ + 1); });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (now != nullptr && now->window() == window()) keepFocus();
    });
    host->installEventFilter(this);
    setGeometry(host->rect());
    QWidget::show();
    raise();
    show(0);
    setFocus();
}

void Tour::show(int step) {
    if (step < 0) return;
    if (step >= stepCount()) return end();
    step_ = step;
    const TourStep& present = steps_[static_cast<std::size_t>(step)];
    if (present.prepare) present.prepare();
    title_->setText(present.title());
    text_->setText(present.text());
    setAccessibleName(title_->text());
    setAccessibleDescription(text_->text());
    count_->setText(tr("%1 of %2").arg(step + 1).arg(stepCount()));
    skip_->setText(tr("Leave the tour"));
    back_->setText(tr("Back"));
    next_->setText(step + 1 == stepCount() ? tr("Finish") : tr("Next"));
    skip_->setVisible(step + 1 < stepCount());
    back_->setVisible(step > 0);
    place();
    keepFocus();
    QTimer::singleShot(0, this, [this] {  // once more when the page has its layout
        place();
        keepFocus();
    });
}

// A page that is shown may take the focus; the keys are the tour's.
void Tour::keepFocus() {
    if (isVisible() && window()->focusWidget() != this && !isAncestorOf(window()->focusWidget())) setFocus();
}

QRect Tour::lit() const {
    QWidget* target = steps_[static_cast<std::size_t>(step_)].target ? steps_[static_cast<std::size_t>(step_)].target() : nullptr;
    if (!target || !target->isVisible()) return {};
    const QRect area(target->mapTo(parentWidget(), QPoint(0, 0)), target->size());
    return area.adjusted(-kLitMargin, -kLitMargin, kLitMargin, kLitMargin).intersected(rect());
}

// Places the card beside what is lit when there is room (right, left, below, above), else in its lower left corner: headings stand above
// and in the middle, what is to be pressed at the right.
void Tour::place() {
    if (step_ < 0) return;
    const int height = card_->layout()->hasHeightForWidth() ? card_->layout()->totalHeightForWidth(kCardWidth) : card_->sizeHint().height();
    const QSize size(kCardWidth, height);
    const QRect hole = lit();
    const QRect room = rect().adjusted(kGap, kGap, -kGap, -kGap);
    QPoint at = rect().center() - QPoint(size.width() / 2, size.height() / 2);
    if (!hole.isEmpty()) {
        // Below the menu row stands the heading of a page.
        const int below = hole.top() < theme::kPageHeaderHeight / 2 ? kGap + theme::kPageHeaderHeight : kGap;
        const QPoint corners[] = {hole.topRight() + QPoint(kGap, 0), hole.topLeft() - QPoint(kGap + size.width(), 0),
                                  hole.bottomLeft() + QPoint(0, below), hole.topLeft() - QPoint(0, kGap + size.height()),
                                  hole.bottomLeft() + QPoint(kGap, -kGap - size.height())};
        for (QPoint corner : corners) {
            corner.setX(std::clamp(corner.x(), room.left(), room.right() - size.width()));
            corner.setY(std::clamp(corner.y(), room.top(), room.bottom() - size.height()));
            at = corner;
            if (!QRect(corner, size).intersects(hole)) break;
        }
    }
    card_->setGeometry(QRect(at, size));
    update();
}

void Tour::end() {
    hide();
    if (focus_before_) focus_before_->setFocus();
    emit ended();
    deleteLater();
}

// Shortcuts of the window rest while the tour is shown.
bool Tour::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::LanguageChange && step_ >= 0) show(step_);
    return QWidget::event(event);
}

// Tab stays on the card.
bool Tour::focusNextPrevChild(bool next) {
    std::vector<QWidget*> order;
    for (QWidget* button : {static_cast<QWidget*>(skip_), static_cast<QWidget*>(back_), static_cast<QWidget*>(next_)}) {
        if (button->isVisible()) order.push_back(button);
    }
    if (order.empty()) return QWidget::focusNextPrevChild(next);  // as it hides
    const auto at = std::find(order.begin(), order.end(), QApplication::focusWidget());
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    const std::ptrdiff_t present = at == order.end() ? (next ? -1 : count) : at - order.begin();
    order[static_cast<std::size_t>((present + (next ? 1 : count - 1)) % count)]->setFocus(next ? Qt::TabFocusReason
                                                                                               : Qt::BacktabFocusReason);
    return true;
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
        place();
    }
    return QWidget::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            return show(step_ + 1);
        case Qt::Key_Left:
            return show(step_ - 1);
        case Qt::Key_Escape:
            return end();
        default:
            event->accept();
    }
}

void Tour::mousePressEvent(QMouseEvent*) {
    show(step_ + 1);
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath veil;
    veil.addRect(rect());
    const QRect hole = lit();
    if (!hole.isEmpty()) {
        QPainterPath window;
        window.addRoundedRect(hole, theme::kRadiusCard, theme::kRadiusCard);
        veil -= window;
    }
    painter.fillPath(veil, themes_.theme().veil);
    if (hole.isEmpty()) return;
    painter.setPen(QPen(themes_.theme().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(hole).adjusted(1, 1, -1, -1), theme::kRadiusCard, theme::kRadiusCard);
}

}  // namespace ui::views

#include "moc_tour.cpp"
