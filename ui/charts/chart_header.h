// SPDX-License-Identifier: GPL-3.0-or-later
// The head of a chart card: title, legend with current values, tools. Private to ui/charts.
#pragma once

#include <QWidget>
#include <vector>

class QPainter;
class QToolButton;

namespace ui::theme {
class ThemeController;
}

namespace ui::charts {

struct ChartState;

// Legend entries are dropped from the right when room ends. Reads the card's state; GUI thread.
class ChartHeader : public QWidget {
    Q_OBJECT
public:
    ChartHeader(const ChartState& state, const theme::ThemeController& theme, QWidget* parent);

    void setTitle(const QString& title);
    const QString& title() const { return title_; }
    void retranslate();
    QToolButton& pinButton() { return *pin_; }
    QToolButton& expandButton() { return *expand_; }
    QToolButton& moreButton() { return *more_; }
    QSize sizeHint() const override { return {300, 34}; }

    // Paints title and legend alone, up to `limit`; also for pictures.
    void paintOn(QPainter& painter, double limit);

signals:
    void seriesHovered(int index);  // -1: none

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    const ChartState& state_;
    const theme::ThemeController& theme_;
    QString title_;
    QToolButton* pin_;
    QToolButton* expand_;
    QToolButton* more_;
    std::vector<QRectF> entries_;  // where the legend entries were painted
};

}  // namespace ui::charts
