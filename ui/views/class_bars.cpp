// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/class_bars.h"

#include <algorithm>

#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr double kHead = 34, kMostRow = 46, kLeast = 24, kLabel = 72, kCounts = 170;

}  // namespace

ClassBars::ClassBars(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setMinimumHeight(300);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ClassBars::setFacts(session::DatasetFacts facts) {
    facts_ = std::move(facts);
    setAccessibleName(tr("%n class(es)", nullptr, static_cast<int>(facts_.train_per_class.size())));
    update();
}

void ClassBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
    if (!facts_.found) {
        widgets::paintText(painter, rect(), facts_.problem.isEmpty() ? tr("Reading the labels") : facts_.problem,
                           themes_.font(TextRole::kBody), t.text2, Qt::AlignCenter);
        return;
    }
    const QFont small = themes_.font(TextRole::kSmallMedium), mono = themes_.font(TextRole::kMono);
    const double left = theme::kSpace5, right = width() - theme::kSpace5, bar_left = left + kLabel, bar_right = right - kCounts;
    widgets::paintText(painter, QRectF(left, 0, kLabel, kHead), tr("Class"), small, t.text2);
    widgets::paintDot(painter, QPointF(bar_left + 5, kHead / 2), 4, t.seriesColor(0));
    widgets::paintText(painter, QRectF(bar_left + 14, 0, 120, kHead), tr("training"), small, t.text2);
    const double second = bar_left + 30 + QFontMetricsF(small).horizontalAdvance(tr("training"));
    widgets::paintDot(painter, QPointF(second + 5, kHead / 2), 4, t.seriesColor(1));
    widgets::paintText(painter, QRectF(second + 14, 0, 120, kHead), tr("test"), small, t.text2);
    widgets::paintText(painter, QRectF(right - kCounts, 0, kCounts - 80, kHead), tr("training"), small, t.text2,
                       Qt::AlignRight | Qt::AlignVCenter);
    widgets::paintText(painter, QRectF(right - 80, 0, 80, kHead), tr("test"), small, t.text2, Qt::AlignRight | Qt::AlignVCenter);
    painter.fillRect(QRectF(1, kHead, width() - 2, 1), t.border_strong);
    const auto classes = facts_.train_per_class.size();
    const std::int64_t most = *std::max_element(facts_.train_per_class.begin(), facts_.train_per_class.end());
    const double row = std::clamp((height() - kHead - 8) / static_cast<double>(classes), kLeast, kMostRow);
    for (std::size_t i = 0; i < classes && most > 0; ++i) {
        const double top = kHead + 1 + static_cast<double>(i) * row, span = bar_right - bar_left;
        if (i > 0) painter.fillRect(QRectF(1, top, width() - 2, 1), t.border);
        widgets::paintText(painter, QRectF(left, top, kLabel, row), QString::number(i), mono, t.text);
        const auto bar = [&](std::int64_t count, double y, const QColor& color) {
            widgets::paintBox(painter, QRectF(bar_left, y, std::max(2.0, span * static_cast<double>(count) / static_cast<double>(most)), 6),
                              2, color, QColor());
        };
        bar(facts_.train_per_class[i], top + row / 2 - 7, t.seriesColor(0));
        bar(facts_.test_per_class[i], top + row / 2 + 1, t.seriesColor(1));
        const auto right_align = Qt::AlignRight | Qt::AlignVCenter;
        widgets::paintText(painter, QRectF(right - kCounts, top, kCounts - 80, row), models::formatCount(facts_.train_per_class[i]), mono,
                           t.text, right_align);
        widgets::paintText(painter, QRectF(right - 80, top, 80, row), models::formatCount(facts_.test_per_class[i]), mono, t.text,
                           right_align);
    }
}

}  // namespace ui::views
