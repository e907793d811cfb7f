// SPDX-License-Identifier: GPL-3.0-or-later
// The plot inside a chart card, and the only class that knows QCustomPlot. Private to ui/charts.
#pragma once

#include <qcustomplot.h>

#include <optional>
#include <vector>

#include "ui/charts/chart_types.h"
#include "ui/charts/flag_layout.h"
#include "ui/charts/ticks.h"
#include "ui/theme/theme_controller.h"

namespace ui::charts {

// Sets every pen, brush and font of a plot from the theme; the caller replots.
void applyTheme(QCustomPlot& plot, const theme::ThemeController& theme);

inline constexpr int kPlotLeft = 66;  // the least room of the y axis' labels and name

inline QColor faded(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

// zoomedAbout() returns a range that is `factor` as wide with `center` in place, moved() one moved by `share` of its width; both also on a
// logarithmic axis.
models::Range zoomedAbout(double center, models::Range range, double factor, bool logarithmic);
models::Range moved(models::Range range, double share, bool logarithmic);

// The state of one chart, shared by the card, which changes it, and by plot, header and tooltip, which read it.
struct ChartState {
    std::vector<ChartSeries> series;
    std::vector<Marker> markers;
    QString y_name;
    QString step_name;  // what the steps of the x axis are called; empty: as usual
    models::XAxis x_axis = models::XAxis::kStep;
    YScale y_scale = YScale::kLinear;
    XScale x_scale = XScale::kLinear;
    Outliers outliers = Outliers::kIgnored;
    double steps_per_epoch = 0, first_epoch = 0;  // as models::Series has it
    bool wheel_zooms = false;                     // without Alt: in full size
    std::int64_t origin_unix_ns = 0;
    std::vector<models::Pause> pauses;  // left out of the relative axis
    bool follow = true;
    bool live = false;                       // the run goes on: the last point has a halo
    std::optional<models::Range> x_range{};  // chosen by zoom or pan; empty: everything
    std::optional<models::Range> y_range{};
    std::optional<double> cursor{};  // in units of the x axis
    int highlighted = -1;            // series under the mouse in the legend
    int selected = -1;               // series of what is chosen elsewhere on the page

    bool empty() const;
    double markerX(const Marker& marker) const;
    bool logX() const { return x_scale == XScale::kLog && x_axis != models::XAxis::kWall; }
    // Returns the range of all points, with 3 % free at the right.
    models::Range fullRange() const;
    models::Range visibleRange() const { return x_range.value_or(fullRange()); }
};

// Draws the state; turns the mouse into wishes (signals) and changes nothing itself. GUI thread.
class ChartPlot : public QCustomPlot {
    Q_OBJECT
public:
    ChartPlot(const ChartState& state, const theme::ThemeController& theme, QWidget* parent);

    // Called when series were added or renamed, or the theme changed: the next refresh(), which comes by itself, makes the pens anew.
    void rebuild();
    // Called when data or ranges changed: chooses the points to draw and repaints everything, once, later.
    void refresh();
    // Draws the whole plot on another device, laid out for `size` logical pixels. The plot must be one that is not shown.
    void drawOn(QCPPainter& painter, QSize size);
    // Repaints the cursor alone.
    void refreshCursor();
    // Returns the points that refresh() draws of a series when the plot is `columns` pixels wide.
    std::vector<models::PlotPoint> drawnPoints(std::size_t index, models::Range x, int columns) const;
    double xAt(double pixel) const { return xAxis->pixelToCoord(pixel); }
    QPointF pixelOf(double x, double y) const { return {xAxis->coordToPixel(x), yAxis->coordToPixel(y)}; }
    QRect plotRect() const { return axisRect()->rect(); }
    // Returns a sentence on a series that lies outside the y range as a whole; empty when none does.
    QString hiddenByScale() const;
    // Returns a sentence on a series whose newest values are no numbers, from which step on; empty when there is none.
    QString endsInNoNumber() const;
    // One sentence on the curve that goes beyond the y range above, one on the curve below; empty when no curve does.
    struct Beyond {
        QString above, below;
    };
    Beyond beyondScale() const;

signals:
    void cursorMoved(std::optional<double> x);
    void zoomed(std::optional<ui::models::Range> x, std::optional<ui::models::Range> y);
    void panned(ui::models::Range x);
    void resetWanted();
    void markerHovered(const QString& tooltip, QPoint global);
    void markerClicked(const ui::charts::Marker& marker, QPoint global);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class Curve;
    struct Chosen;
    struct Graphs {
        Curve* main = nullptr;
        Curve* raw = nullptr;                         // behind; null for exact series
        QCPGraph *lower = nullptr, *upper = nullptr;  // edges of the band, furthest behind; null without one
    };
    void makeGraphs();
    bool showsRaw(std::size_t index) const;
    void choose(Chosen& one, models::Range x, int columns) const;
    void feedBand(const Graphs& graphs, const ChartSeries& one, models::Range x, std::vector<double>& values);
    models::Range chooseYRange(const std::vector<double>& values, const std::vector<double>& sparse) const;
    void setTicks(models::Range x, models::Range y);
    int leftMarginFor(const std::vector<models::Tick>& y_ticks) const;
    int rightMargin() const;
    int plotWidth() const { return width() - left_ - rightMargin(); }
    void chooseRaster();
    void drawCurves(QPainter& painter);
    void drawFrame(QPainter& painter);
    void drawNotes(QPainter& painter);
    void drawMarks(QPainter& painter);
    void drawLive(QPainter& painter);
    void drawEndLabels(QPainter& painter);
    void drawCursor(QPainter& painter);
    void drawSelection(QPainter& painter);
    // Returns the flags of the marks in sight; they name markers by their place in the state.
    std::vector<Flag> flags() const;
    // Returns all marks that the mouse is on: one mark, the marks of a flag or the checkpoints of one place.
    std::vector<const Marker*> markersAt(QPointF position) const;

    const ChartState& state_;
    const theme::ThemeController& theme_;
    std::vector<Graphs> graphs_;
    bool stale_ = true;      // graphs_ are not those of the state
    bool outlined_ = false;  // is never shown, only drawn on other devices
    bool crowded_ = false;   // by too many curves for raw ones behind each
    std::vector<models::Tick> x_ticks_;
    int left_ = kPlotLeft;
    enum class Drag { kNone, kZoom, kPan } drag_ = Drag::kNone;
    QPoint drag_start_;
    QPoint drag_now_;
    models::Range drag_range_;
};

}  // namespace ui::charts
