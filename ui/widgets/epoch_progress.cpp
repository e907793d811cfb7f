// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/epoch_progress.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/painting.h"

namespace ui::widgets {
namespace {

constexpr int kHeight = 8, kMostSegments = 40, kGap = 2;

}  // namespace

EpochProgress::EpochProgress(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(kHeight);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void EpochProgress::setProgress(double done, int epochs) {
    if (done == done_ && epochs == epochs_) return;
    done_ = std::clamp(done, 0.0, static_cast<double>(std::max(epochs, 0)));
    epochs_ = std::max(epochs, 0);
    setAccessibleName(tr("%1 of %n epoch(s)", nullptr, epochs_).arg(std::floor(done_)));
    update();
}

void EpochProgress::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    const bool segmented = epochs_ > 0 && epochs_ <= kMostSegments;
    const int parts = segmented ? epochs_ : 1;
    const double width_each = (width() - (parts - 1.0) * kGap) / parts;
    for (int i = 0; i < parts; ++i) {
        const QRectF part(i * (width_each + kGap), 0, width_each, kHeight);
        paintBox(painter, part, 2, t.border_strong, QColor());
        const double filled = std::clamp(segmented ? done_ - i : (epochs_ > 0 ? done_ / epochs_ : 0), 0.0, 1.0);
        if (filled <= 0) continue;
        paintBox(painter, QRectF(part.left(), 0, std::max(part.width() * filled, 2.0), kHeight), 2, t.accent_fill, QColor());
    }
    if (segmented || epochs_ == 0) return;
    painter.setPen(QPen(t.window, 1));
    const int stride = std::max(1, epochs_ / kMostSegments * 2);
    for (int i = stride; i < epochs_; i += stride)
        painter.drawLine(QPointF(i * width() / static_cast<double>(epochs_), 5), QPointF(i * width() / static_cast<double>(epochs_), 8));
}

}  // namespace ui::widgets

#include "moc_epoch_progress.cpp"
