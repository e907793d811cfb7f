// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/importance_bars.h"

#include <QPainter>
#include <algorithm>

#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kRow = 36, kText = 18, kBar = 8, kNumber = 64;

}  // namespace

ImportanceBars::ImportanceBars(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("sweepImportance");
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ImportanceBars::setBars(std::vector<Bar> bars) {
    bars_ = std::move(bars);
    QStringList texts;
    for (const Bar& bar : bars_) texts << bar.name + ' ' + models::formatPercent(bar.share);
    setAccessibleDescription(bars_.empty() ? empty_text_ : texts.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

void ImportanceBars::setEmptyText(const QString& text) {
    empty_text_ = text;
    if (bars_.empty()) setAccessibleDescription(text);
    update();
}

QSize ImportanceBars::sizeHint() const {
    return {320, std::max<int>(2, static_cast<int>(bars_.size())) * kRow};
}

void ImportanceBars::paintEvent(QPaintEvent* /*event*/) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (bars_.empty()) {
        painter.setPen(t.text3);
        painter.setFont(themes_.font(TextRole::kSmall));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, empty_text_);
        return;
    }
    const double row = std::min<double>(kRow, static_cast<double>(height()) / static_cast<double>(bars_.size()));
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const Bar& bar = bars_[i];
        const double top = row * static_cast<double>(i);
        widgets::paintText(painter, {0, top, static_cast<double>(width() - kNumber), kText}, bar.name, themes_.font(TextRole::kSmall),
                           bar.is_field ? t.text : t.text2);
        widgets::paintText(painter, {static_cast<double>(width() - kNumber), top, kNumber, kText}, models::formatPercent(bar.share),
                           themes_.font(TextRole::kMonoTick), bar.is_field ? t.text : t.text2, Qt::AlignRight | Qt::AlignVCenter);
        const QRectF track(0, top + kText, width(), kBar);
        widgets::paintBox(painter, track, kBar / 2.0, t.sunken, QColor());
        QRectF filled = track;
        filled.setWidth(std::max<double>(bar.share > 0 ? kBar : 0, track.width() * std::clamp(bar.share, 0.0, 1.0)));
        if (filled.width() > 0) widgets::paintBox(painter, filled, kBar / 2.0, bar.is_field ? t.accent_fill : t.axis, QColor());
    }
}

}  // namespace ui::views

#include "moc_importance_bars.cpp"
