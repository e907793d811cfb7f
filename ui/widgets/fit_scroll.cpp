// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fit_scroll.h"

#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <algorithm>

namespace ui::widgets {

FitScroll::FitScroll(int least, QWidget* parent) : QScrollArea(parent), least_(least) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    viewport()->setAutoFillBackground(false);
}

int FitScroll::contentHeight() const {
    if (widget() == nullptr) return 0;
    const QLayout* layout = widget()->layout();
    if (layout == nullptr) return widget()->sizeHint().height();
    return layout->hasHeightForWidth() ? layout->totalHeightForWidth(viewport()->width()) : layout->totalSizeHint().height();
}

QSize FitScroll::sizeHint() const {
    return {widget() == nullptr ? 0 : widget()->sizeHint().width(), contentHeight()};
}

QSize FitScroll::minimumSizeHint() const {
    return {0, std::min(least_, contentHeight())};
}

bool FitScroll::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

void FitScroll::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) updateGeometry();
}

}  // namespace ui::widgets

#include "moc_fit_scroll.cpp"
