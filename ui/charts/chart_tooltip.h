// SPDX-License-Identifier: GPL-3.0-or-later
// The table beside the cursor: sample, series, smoothed, value, step, time. Private to ui/charts.
#pragma once

#include <QWidget>
#include <cstddef>

namespace ui::theme {
class ThemeController;
}

namespace ui::charts {

struct ChartState;

// A child of the card; never takes the mouse. Reads the card's state when shown; GUI thread.
class ChartTooltip : public QWidget {
    Q_OBJECT
public:
    ChartTooltip(const ChartState& state, const theme::ThemeController& theme, QWidget* parent);

    // Shows the table beside `anchor` (the cursor, in the parent's pixels), on its other side when it would leave `bounds`. Hides without a
    // cursor.
    void showAt(QPointF anchor, const QRect& bounds);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const ChartState& state_;
    const theme::ThemeController& theme_;
    std::size_t columns_ = 4;  // fewer where the card is narrow: time goes first
};

}  // namespace ui::charts
