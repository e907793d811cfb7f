// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a card: head with legend, plot, cursor with tooltip, zoom. The folder's header to read first.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/charts/chart_axes.h"
#include "ui/charts/chart_types.h"

class QMenu;

namespace ui::theme {
class ThemeController;
}

namespace ui::charts {

class ChartHeader;
class ChartPlot;
class ChartTable;
class ChartTooltip;
struct ChartState;

// Feed it by series(i).append(...) and then dataChanged(); it repaints at most ten times a second. `theme` outlives it. GUI thread only.
// Keys while it has the focus: L log y, Shift+L log x, X next x axis, 0 reset, + and - zoom, Ctrl+arrows pan, Shift+arrows move the cursor,
// M and Shift+M go from mark to mark, Ctrl+Return is a click on it, Return full size, Ctrl+Shift+T table, Menu the menu, Del removes a card
// that was added, Alt+arrows move it. A double click resets, a drag zooms into the box, Shift- or Alt-drag pans, Alt+wheel zooms, a wheel
// over an axis zooms that axis.
class ChartCard : public QWidget {
    Q_OBJECT
public:
    ChartCard(const QString& name, const theme::ThemeController& theme, QWidget* parent = nullptr);  // `name`: of the object, "chartLoss"
    ~ChartCard() override;

    void setTexts(const QString& title, const QString& y_name);
    QString title() const;

    int addSeries(const QString& name, const SeriesStyle& style);
    void setSeriesName(int index, const QString& name);
    int seriesCount() const;
    models::Series& series(int index);
    // Sets the band around a series that has all its points, with one entry for each. Empty vectors remove it.
    void setBand(int index, std::vector<float> lower, std::vector<float> upper);
    void setHighlighted(std::optional<int> index);  // drawn 3 px wide; nullopt: none
    void setEmptyText(const QString& text);         // in place of "appears with the first step"
    void clearSeries();                             // removes every series
    void dataChanged();

    void setMarkers(std::vector<Marker> markers);
    void setSmoothing(double weight);  // of every series that is not exact
    void setFullSize(bool on);         // the wheel zooms then
    void setRemovable(bool on);        // one that was added: Del and the menu take it away
    bool isTableShown() const;
    void setLive(bool live);
    void setCursor(std::optional<double> x);  // with tooltip only in the chart under the mouse

    bool isEmpty() const;
    // Returns one sentence for people who do not see the chart: "Loss by step: train 0.0269, lowest 0.0211; validation 0.0365 …".
    QString summary() const;
    // Returns the points that are drawn now; for tests and for the table view.
    std::vector<models::PlotPoint> drawnPoints(int index) const;
    models::Range drawnYRange() const;
    QString toCsv() const;  // raw values, dot decimals, one row a point
    // Returns a copy of the card, in the colours of `theme`, which outlives the copy. It is for a picture and is never shown.
    std::unique_ptr<ChartCard> snapshot(const theme::ThemeController& theme) const;
    ChartAxes& axes() { return *axes_; }
    ChartPlot& plot() { return *plot_; }
    ChartHeader& header() { return *header_; }
    void retranslate();
    QSize sizeHint() const override { return {480, 240}; }
    QSize minimumSizeHint() const override { return {240, 150}; }

signals:
    void cursorMoved(std::optional<double> x);
    void xRangeChosen(std::optional<ui::models::Range> range);  // by zoom, pan or reset
    void xAxisCycleWanted();
    void expandWanted();
    void pinToggled(bool pinned);
    void removeWanted();
    void moveWanted(int places);  // -1 before the one in front, +1 behind the next
    void markerActivated(const ui::charts::Marker& marker, QPoint global);
    void menuOpening(QMenu* menu);  // the owner may add to it

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;  // Ctrl+Shift+T before anyone else
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void buildMenu();
    void fillMenu(QMenu& menu);
    void placeParts();
    void setTableShown(bool on);
    void goToMark(int direction);
    const Marker* chosenMark() const;
    void refreshNow();
    void placeTooltip();
    void applyTheme();
    void moveCursorBy(int direction);

    const theme::ThemeController& theme_;
    std::unique_ptr<ChartState> state_;
    ChartAxes* axes_;
    ChartHeader* header_;
    ChartPlot* plot_;
    ChartTooltip* tooltip_;
    ChartTable* table_ = nullptr;  // made when it is first wanted
    QTimer refresh_timer_;
    bool hovered_ = false;
    bool keyboard_focus_ = false;
    bool removable_ = false;
    std::optional<Marker> mark_{};  // that M went to, as it was then
    double smoothing_ = 0;
    QString empty_text_;
};

}  // namespace ui::charts
