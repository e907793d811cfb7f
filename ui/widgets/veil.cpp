// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/veil.h"

#include <QApplication>
#include <QDialog>
#include <QEvent>
#include <QKeyEvent>

#include "ui/widgets/painting.h"

namespace ui::widgets {
namespace {

constexpr int kShadowBlur = 24, kShadowDrop = 6, kMargin = 40;
constexpr double kShadowStrength = 0.30;

}  // namespace

Veil::Veil(const theme::ThemeController& themes, QWidget* host, QDialog* dialog, const QSize& wanted)
    : QWidget(host), themes_(themes), dialog_(dialog), focus_before_(QApplication::focusWidget()), wanted_(wanted) {
    setObjectName("veil");
    QWidget* const inside = dialog->focusWidget();  // where the dialog wants to begin: a new parent makes it forget
    dialog->setParent(this, Qt::Widget);
    host->installEventFilter(this);
    connect(dialog, &QDialog::finished, this, [this] {
        hide();
        if (focus_before_) focus_before_->setFocus();
        deleteLater();
    });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    place();
    show();
    raise();
    dialog->show();
    (inside != nullptr ? inside : dialog)->setFocus();
}

void Veil::place() {
    setGeometry(parentWidget()->rect());
    if (!dialog_) return;
    const QSize size = wanted_.boundedTo(QSize(width() - 2 * kMargin, height() - 2 * kMargin)).expandedTo(dialog_->minimumSize());
    dialog_->setGeometry(QRect(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size));
}

bool Veil::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) place();
    // A key that comes to the window itself, because the focus is nowhere or behind the veil, is the dialog's.
    if (event->type() == QEvent::KeyPress && dialog_ && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Cancel)) {
        dialog_->reject();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

// Tab reaches nothing behind the veil.
bool Veil::focusNextPrevChild(bool next) {
    if (!dialog_) return true;
    QWidget* const from = dialog_->focusWidget() != nullptr ? dialog_->focusWidget() : dialog_.data();
    QWidget* at = from;
    do {
        at = next ? at->nextInFocusChain() : at->previousInFocusChain();
        if (dialog_->isAncestorOf(at) && at->isVisible() && at->isEnabled() && (at->focusPolicy() & Qt::TabFocus) != 0) {
            at->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    } while (at != from);
    return true;
}

void Veil::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(rect(), t.veil);
    if (!dialog_) return;
    const QRectF box = QRectF(dialog_->geometry()).translated(0, kShadowDrop);
    for (int spread = kShadowBlur; spread > 0; spread -= 2) {  // rings whose sum falls off towards the edge
        QColor ring = t.shadow;
        ring.setAlphaF(static_cast<float>(kShadowStrength * 2 / kShadowBlur * (1 - static_cast<double>(spread) / kShadowBlur)));
        paintBox(painter, box.adjusted(-spread, -spread, spread, spread), theme::kRadiusDialog + spread, ring, QColor());
    }
    paintBox(painter, dialog_->geometry(), theme::kRadiusDialog, t.surface, t.border_strong);
}

}  // namespace ui::widgets

#include "moc_veil.cpp"
