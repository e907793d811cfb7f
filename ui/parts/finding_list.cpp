// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/finding_list.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <cmath>

#include "ui/widgets/painting.h"

namespace ui::views {

using models::CheckListModel;
using models::CheckState;
using theme::TextRole;

namespace {

constexpr int kLine = 24, kTextLeft = 24, kTextLine = 17, kFindingPad = 4;

}  // namespace

class FindingList::Delegate : public QStyledItemDelegate {
public:
    Delegate(const theme::ThemeController& themes, FindingList* list) : QStyledItemDelegate(list), themes_(themes), list_(list) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const bool link = !index.data(CheckListModel::kFixRole).toString().isEmpty();
        const int text = textHeight(index.data(Qt::DisplayRole).toString());
        return {120, (text <= kTextLine + 3 && !link ? kLine : text + 2 * kFindingPad) + (link ? kTextLine : 0)};
    }

    QRect linkRect(const QRect& row, const QModelIndex& index) const {
        const QString fix = index.data(CheckListModel::kFixRole).toString();
        if (fix.isEmpty()) return {};
        const int width = QFontMetrics(themes_.font(TextRole::kSmallMedium)).horizontalAdvance(fix) + 2;
        return {row.left() + kTextLeft, row.bottom() - kTextLine - kFindingPad + 1, std::min(width, row.width() - kTextLeft),
                kTextLine + kFindingPad};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const theme::Theme& t = themes_.theme();
        const auto state = static_cast<CheckState>(index.data(CheckListModel::kStateRole).toInt());
        const auto [icon, ink] = state == CheckState::kOk        ? std::pair{"check-circle", t.ok}
                                 : state == CheckState::kInfo    ? std::pair{"info", t.accent}
                                 : state == CheckState::kWarning ? std::pair{"warning", t.warn}
                                 : state == CheckState::kError   ? std::pair{"error", t.err}
                                                                 : std::pair{"clock", t.text3};
        const QRect row = option.rect;
        if (list_->hasFocus() && list_->currentIndex() == index) {
            widgets::paintBox(*painter, row, theme::kRadiusSmall, QColor(), t.accent, 2);
        }
        const bool link = !index.data(CheckListModel::kFixRole).toString().isEmpty();
        const QString text = index.data(Qt::DisplayRole).toString();
        const bool one = textHeight(text) <= kTextLine + 3 && !link;
        themes_.paintIcon(*painter, icon, QRectF(row.left(), row.top() + (one ? 4 : kFindingPad + 1), 16, 16), ink);
        painter->setFont(themes_.font(TextRole::kSmall));
        painter->setPen(t.text);
        const QRect words(row.left() + kTextLeft, row.top() + (one ? 0 : kFindingPad), row.width() - kTextLeft,
                          one ? kLine : textHeight(text));
        painter->drawText(words, one ? static_cast<int>(Qt::AlignVCenter) : static_cast<int>(Qt::TextWordWrap), text);
        if (link) {
            widgets::paintText(*painter, linkRect(row, index), index.data(CheckListModel::kFixRole).toString(),
                               themes_.font(TextRole::kSmallMedium), t.accent);
        }
    }

private:
    int textHeight(const QString& text) const {
        const QFontMetrics metrics(themes_.font(TextRole::kSmall));
        const int width = std::max(60, list_->viewport()->width() - kTextLeft);
        return metrics.boundingRect(QRect(0, 0, width, 4000), Qt::TextWordWrap, text).height();
    }

    const theme::ThemeController& themes_;
    FindingList* list_;
};

FindingList::FindingList(const theme::ThemeController& themes, QWidget* parent)
    : QListView(parent), model_(new CheckListModel(this)), delegate_(new Delegate(themes, this)) {
    setModel(model_);
    setItemDelegate(delegate_);
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setResizeMode(QListView::Adjust);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(&themes, &theme::ThemeController::themeChanged, viewport(), qOverload<>(&QWidget::update));
}

void FindingList::setRows(std::vector<models::CheckRow> rows) {
    model_->setRows(std::move(rows));
    doItemsLayout();
    updateGeometry();
}

QSize FindingList::sizeHint() const {
    int height = 0;
    for (int i = 0; i < model_->rowCount(); ++i) height += delegate_->sizeHint({}, model_->index(i)).height();
    return {200, height};
}

void FindingList::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) updateGeometry();
}

void FindingList::act(int row, bool on_link) {
    if (row < 0) return;
    if (on_link && !this->row(row).fix.isEmpty()) {
        emit fixWanted(row);
    } else if (!this->row(row).path.isEmpty()) {
        emit pathWanted(this->row(row).path);
    }
}

void FindingList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        return act(currentIndex().row(), true);
    QListView::keyPressEvent(event);
    viewport()->update();
}

void FindingList::mouseReleaseEvent(QMouseEvent* event) {
    QListView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->pos());
    if (index.isValid()) act(index.row(), delegate_->linkRect(visualRect(index), index).contains(event->pos()));
}

void FindingList::mouseMoveEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    const bool link = index.isValid() && delegate_->linkRect(visualRect(index), index).contains(event->pos());
    viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
    QListView::mouseMoveEvent(event);
}

}  // namespace ui::views

#include "moc_finding_list.cpp"
