// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/strategy_list.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "ui/models/finding_text.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kChosenHeight = 70, kChosenNarrow = 86, kNarrowList = 256, kOtherHeight = 52, kEntryGap = theme::kSpace1 + 2, kTextLeft = 36;

}  // namespace

StrategyList::StrategyList(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("strategyList");
    setProperty("tellsElidedText", true);  // by event()
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void StrategyList::setCards(std::vector<StrategyCard> cards, const QString& chosen) {
    const bool same_names = std::equal(cards.begin(), cards.end(), cards_.begin(), cards_.end(),
                                       [](const StrategyCard& a, const StrategyCard& b) { return a.name == b.name; });
    const int chosen_before = chosen_, focused_before = focused_;
    cards_ = std::move(cards);
    const auto at = std::find_if(cards_.begin(), cards_.end(), [&](const StrategyCard& card) { return card.name == chosen; });
    chosen_ = at == cards_.end() ? -1 : static_cast<int>(at - cards_.begin());
    focused_ = same_names && chosen_ == chosen_before ? focused_before : std::max(chosen_, 0);
    describe();
    updateGeometry();
    update();
}

// Describes the card that the keys act on, for users who do not see it.
void StrategyList::describe() {
    if (focused_ >= static_cast<int>(cards_.size())) return setAccessibleDescription(QString());
    const StrategyCard& card = cards_[static_cast<std::size_t>(focused_)];
    setAccessibleDescription(models::withName(card.name, card.sentence));
}

bool StrategyList::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < static_cast<int>(cards_.size()); ++i) {
        if (!cardRect(i).contains(help->pos())) continue;
        const StrategyCard& card = cards_[static_cast<std::size_t>(i)];
        QToolTip::showText(help->globalPos(), QStringList{card.name, card.sentence, card.details}.join("\n"), this);
    }
    return true;
}

QRect StrategyList::cardRect(int index) const {
    int top = 0;
    for (int i = 0; i < index; ++i) top += (i == chosen_ ? chosenHeight() : kOtherHeight) + kEntryGap;
    return {0, top, width(), index == chosen_ ? chosenHeight() : kOtherHeight};
}

// Returns the height of the chosen card, which has three lines of text when the dock is narrow.
int StrategyList::chosenHeight() const {
    return width() < kNarrowList ? kChosenNarrow : kChosenHeight;
}

void StrategyList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if ((event->size().width() < kNarrowList) != (event->oldSize().width() < kNarrowList)) updateGeometry();
}

QSize StrategyList::sizeHint() const {
    const int count = static_cast<int>(cards_.size());
    return {260, std::max(0, count * (kOtherHeight + kEntryGap) - kEntryGap + (chosen_ >= 0 ? chosenHeight() - kOtherHeight : 0))};
}

void StrategyList::choose(int index) {
    if (index < 0 || index >= static_cast<int>(cards_.size()) || index == chosen_ || !cards_[static_cast<std::size_t>(index)].possible)
        return;
    emit chosen(cards_[static_cast<std::size_t>(index)].name);
}

void StrategyList::mouseReleaseEvent(QMouseEvent* event) {
    for (int i = 0; i < static_cast<int>(cards_.size()); ++i) {
        if (cardRect(i).contains(event->pos())) return choose(i);
    }
}

void StrategyList::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(cards_.size()) - 1;
    switch (event->key()) {
        case Qt::Key_Down:
            focused_ = std::min(focused_ + 1, last);
            break;
        case Qt::Key_Up:
            focused_ = std::max(focused_ - 1, 0);
            break;
        case Qt::Key_Space:
        case Qt::Key_Return:
            return choose(focused_);
        default:
            return QWidget::keyPressEvent(event);
    }
    describe();
    update();
}

void StrategyList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    for (int i = 0; i < static_cast<int>(cards_.size()); ++i) {
        const StrategyCard& card = cards_[static_cast<std::size_t>(i)];
        const QRectF box(cardRect(i));
        const bool is_chosen = i == chosen_;
        widgets::paintBox(painter, box, theme::kRadiusCard, is_chosen ? t.accent_tint : QColor(), is_chosen ? t.accent : t.border,
                          is_chosen ? 2 : 1);
        if (hasFocus() && i == focused_ && !is_chosen) widgets::paintBox(painter, box, theme::kRadiusCard, QColor(), t.accent, 2);
        const QPointF radio(box.left() + 20, box.top() + 18);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(is_chosen ? t.accent : card.possible ? t.control : t.border_strong, 1.5));
        painter.setBrush(t.surface);
        painter.drawEllipse(radio, 7, 7);
        if (is_chosen) widgets::paintDot(painter, radio, 4, t.accent);
        const QColor name_ink = card.possible || is_chosen ? t.text : t.text3;
        const double width = box.width() - kTextLeft - 12;
        widgets::paintText(painter, QRectF(kTextLeft, box.top() + 8, width, 18), card.name,
                           themes_.font(is_chosen ? TextRole::kStrong : TextRole::kButton), name_ink);
        const QColor ink = card.possible || is_chosen ? t.text2 : t.text3;
        const QRectF text(kTextLeft, box.top() + 27, width, box.height() - 32);
        if (is_chosen) {
            painter.setFont(themes_.font(TextRole::kSmall));
            painter.setPen(ink);
            painter.drawText(text, Qt::TextWordWrap, card.sentence);
        } else {
            widgets::paintText(painter, text, card.sentence, themes_.font(TextRole::kSmall), ink, Qt::AlignLeft | Qt::AlignTop);
        }
    }
}

}  // namespace ui::views

#include "moc_strategy_list.cpp"
