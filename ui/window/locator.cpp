// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/locator.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using models::PlaceKind;
using models::PlaceModel;
using theme::TextRole;

namespace {

constexpr int kWidth = 300, kNarrowWidth = 230, kPanelWidth = 560, kMostRows = 12, kEdge = theme::kSpace1;

struct PlaceLook {
    QString icon, word;
};

PlaceLook lookOf(PlaceKind kind) {
    switch (kind) {
        case PlaceKind::kPage:
            return {"columns", Locator::tr("page")};
        case PlaceKind::kAction:
            return {"play", Locator::tr("action")};
        case PlaceKind::kLayer:
            return {"layers", Locator::tr("layer")};
        case PlaceKind::kTask:
            return {"server", Locator::tr("task")};
        case PlaceKind::kRun:
            return {"chart", Locator::tr("run")};
        case PlaceKind::kSetting:
            return {"settings", Locator::tr("setting")};
    }
    return {};
}

// Icon, text with its matched letters in bold, detail; keys or the kind's word at the right.
class PlaceDelegate : public QStyledItemDelegate {
public:
    PlaceDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, theme::kListRowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const theme::Theme& t = themes_.theme();
        const QRectF row(option.rect);
        if (option.state & QStyle::State_Selected) {
            widgets::paintBox(*painter, row, theme::kRadiusSmall, t.accent_tint, QColor());
        } else if (option.state & QStyle::State_MouseOver) {
            widgets::paintBox(*painter, row, theme::kRadiusSmall, t.mixed(t.surface, 4), QColor());
        }
        const PlaceLook look = lookOf(static_cast<PlaceKind>(index.data(PlaceModel::kKindRole).toInt()));
        themes_.paintIcon(*painter, look.icon, QRectF(row.left() + 8, row.center().y() - 8, 16, 16), t.text2);
        const QString keys = index.data(PlaceModel::kKeysRole).toString();
        const QFont right_font = themes_.font(keys.isEmpty() ? TextRole::kSmall : TextRole::kMono);
        const QString right = keys.isEmpty() ? look.word : keys;
        const double right_width = QFontMetricsF(right_font).horizontalAdvance(right) + 1;
        widgets::paintText(*painter, QRectF(row.right() - 10 - right_width, row.top(), right_width, row.height()), right, right_font,
                           t.text2);
        const double end = row.right() - 20 - right_width;
        double left = paintMatched(*painter, QRectF(row.left() + 32, row.top(), end - row.left() - 32, row.height()), index);
        const QString detail = index.data(PlaceModel::kDetailRole).toString();
        left += 10;
        if (!detail.isEmpty() && left < end) {
            widgets::paintText(*painter, QRectF(left, row.top(), end - left, row.height()), detail, themes_.font(TextRole::kSmall),
                               t.text2);
        }
    }

private:
    // Returns where the text ends.
    double paintMatched(QPainter& painter, const QRectF& room, const QModelIndex& index) const {
        const QString text = index.data(Qt::DisplayRole).toString();
        const auto matched = index.data(PlaceModel::kPositionsRole).value<QList<int>>();
        const QFont plain = themes_.font(TextRole::kBody), strong = themes_.font(TextRole::kStrong);
        double x = room.left();
        for (int begin = 0; begin < text.size();) {
            const bool marked = matched.contains(begin);
            int end = begin + 1;
            while (end < text.size() && matched.contains(end) == marked) ++end;
            const QString part = text.mid(begin, end - begin);
            const QFont& font = marked ? strong : plain;
            const double width = QFontMetricsF(font).horizontalAdvance(part);
            const double left = room.right() - x;
            if (left <= 0) break;
            widgets::paintText(painter, QRectF(x, room.top(), std::min(width + 1, left), room.height()), part, font, themes_.theme().text);
            x += width;
            begin = end;
        }
        return x;
    }

    const theme::ThemeController& themes_;
};

}  // namespace

Locator::Locator(const theme::ThemeController& themes, QWidget* parent)
    : QLineEdit(parent), themes_(themes), model_(new PlaceModel(this)), list_(new QListView), nothing_(nullptr) {
    setObjectName("locator");
    setProperty("kind", "locator");
    search_ = addAction(themes.icon("search"), QLineEdit::LeadingPosition);
    list_->setParent(this);
    list_->hide();
    list_->setObjectName("locatorList");
    list_->setModel(model_);
    list_->setItemDelegate(new PlaceDelegate(themes, list_));
    list_->setUniformItemSizes(true);
    list_->setMouseTracking(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(list_, &QListView::clicked, this, &Locator::go);
    connect(&themes, &theme::ThemeController::themeChanged, this, &Locator::retranslate);
    connect(this, &QLineEdit::textEdited, this, [this](const QString& needle) { isOpen() ? search(needle) : show(); });
    setNarrow(false);
}

void Locator::retranslate() {
    setFont(themes_.font(TextRole::kSmall));
    const auto* action = window()->findChild<QAction*>("actionLocator");
    const QString keys = action ? QStringLiteral("   ") + action->shortcut().toString(QKeySequence::NativeText) : QString();
    const QString whole = tr("Search runs, layers, hosts, actions");
    setPlaceholderText((narrow_ ? tr("Search") : whole) + keys);
    setToolTip(whole);
    setAccessibleName(tr("Locator"));
    search_->setText(tr("Search"));
    list_->setAccessibleName(tr("What the locator found"));
    if (nothing_) nothing_->setText(tr("Nothing found"));
}

void Locator::setNarrow(bool narrow) {
    narrow_ = narrow;
    setFixedWidth(narrow ? kNarrowWidth : kWidth);
    retranslate();
}

void Locator::open() {
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
    show();
}

bool Locator::isOpen() const {
    return panel_ && panel_->isVisible();
}

void Locator::show() {
    if (!panel_) {
        panel_ = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, window());
        panel_->setObjectName("locatorPanel");
        auto* column = new QVBoxLayout(panel_);
        column->setContentsMargins(kEdge + 1, kEdge + 1, kEdge + 1, kEdge + 1);
        column->setSpacing(0);
        nothing_ = new widgets::TextLabel(themes_, TextRole::kBody, widgets::Ink::kText2, panel_);
        nothing_->setAlignment(Qt::AlignCenter);
        column->addWidget(list_);
        column->addWidget(nothing_);
        window()->installEventFilter(this);
        retranslate();
    }
    model_->setPlaces(places_ ? places_() : std::vector<models::Place>{});
    search(text());
}

void Locator::search(const QString& needle) {
    if (!panel_) return;
    model_->setNeedle(needle.trimmed());
    const bool any = model_->rowCount() > 0;
    list_->setVisible(any);
    nothing_->setVisible(!any);
    if (any) list_->setCurrentIndex(model_->index(0));
    place();
    panel_->show();
    panel_->raise();
}

void Locator::place() {
    const int rows = std::clamp(model_->rowCount(), 1, kMostRows);
    const int width = std::min(kPanelWidth, window()->width() - 2 * theme::kSpace6);
    const QPoint foot = mapTo(window(), QPoint(this->width(), height()));
    panel_->setGeometry(std::max(theme::kSpace6, foot.x() - width), foot.y() + theme::kSpace2, width,
                        rows * theme::kListRowHeight + 2 * (kEdge + 1));
}

void Locator::leave() {
    if (panel_) panel_->hide();
    clear();
    clearFocus();
}

void Locator::go(const QModelIndex& index) {
    if (!index.isValid()) return;
    const auto act = model_->place(index.row()).go;
    leave();
    if (act) act();
}

void Locator::keyPressEvent(QKeyEvent* event) {
    const bool shown = isOpen();
    switch (event->key()) {
        case Qt::Key_Escape:
            return leave();
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return shown ? go(list_->currentIndex()) : show();
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            if (shown) {
                QCoreApplication::sendEvent(list_, event);
            } else {
                show();
            }
            return;
        default:
            QLineEdit::keyPressEvent(event);
    }
}

void Locator::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    // A walk through the window by Tab, and a focus that only came back, open nothing.
    if (event->reason() == Qt::MouseFocusReason) show();
}

void Locator::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (panel_ && event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason) panel_->hide();
}

bool Locator::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && panel_ && panel_->isVisible()) place();
    return QLineEdit::eventFilter(watched, event);
}

}  // namespace ui::views

#include "moc_locator.cpp"
