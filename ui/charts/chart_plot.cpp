// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/curve_raster.h"
#include "ui/charts/helpers.h"
#include "ui/models/numbers.h"

namespace ui::charts {

using models::Range;
using models::Series;
using theme::TextRole;

namespace {

constexpr int kRight = 16, kRightWithLabels = 50, kTop = 12, kBottom = 40;
constexpr int kTitleRoom = 26, kLabelPadding = 6, kLeftStep = 8;  // of the y axis: its rotated name with a gap, behind the labels
constexpr int kMostXTicks = 7, kMostYTicks = 6, kEpochTick = 30, kMostEpochTicks = 16;
constexpr double kFollowRoom = 0.03;
constexpr int kDragThreshold = 5;
constexpr double kDiamondReach = 6, kFlagReach = 13;  // of a mark under the mouse; of the flags above the plot
constexpr std::size_t kMostBandPoints = 2000;
constexpr int kMostRaw = 32;        // smoothed series of a chart that all show their raw curves
constexpr int kMostOutlined = 120;  // points of a chart; QPainter needs tens of microseconds for each of a steep curve

models::Columns spacingOf(const ChartState& state) {
    return state.logX() ? models::Columns::kLogarithmic : models::Columns::kEven;
}

std::optional<Range> allOf(const std::vector<double>& values) {
    std::optional<Range> all;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        all = all ? Range{std::min(all->lower, value), std::max(all->upper, value)} : Range{value, value};
    }
    return all;
}

void replaceSteps(QVector<QPointF>& points) {
    QVector<QPointF> steps;
    for (const QPointF& point : points) {
        if (!steps.isEmpty()) steps.append({point.x(), steps.last().y()});
        steps.append(point);
    }
    points = std::move(steps);
}

// A layerable that paints by a function: marks and cursor are small drawings, not data.
class Drawing : public QCPLayerable {
public:
    Drawing(QCustomPlot* plot, const QString& layer, std::function<void(QPainter&)> paint)
        : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
    void draw(QCPPainter* painter) override { paint_(*painter); }

private:
    std::function<void(QPainter&)> paint_;
};

// QCPAxis::coordToPixel() for many numbers, in pixels of a picture.
class Scale {
public:
    Scale(const QCPAxis& axis, double origin, double ratio) : axis_(axis), origin_(origin), ratio_(ratio) {
        if (axis.scaleType() != QCPAxis::stLinear) return;
        const QCPRange range = axis.range();
        begin_ = (axis.coordToPixel(range.lower) - origin) * ratio;
        per_unit_ = (axis.coordToPixel(range.upper) - axis.coordToPixel(range.lower)) * ratio / range.size();
        lower_ = range.lower;
    }
    double operator()(double coordinate) const {
        if (axis_.scaleType() == QCPAxis::stLinear) return begin_ + (coordinate - lower_) * per_unit_;
        return (axis_.coordToPixel(coordinate) - origin_) * ratio_;
    }

private:
    const QCPAxis& axis_;
    double origin_, ratio_;
    double begin_ = 0, per_unit_ = 0, lower_ = 0;
};

}  // namespace

// A graph whose line is drawn by a CurveRaster where that is chosen.
class ChartPlot::Curve : public QCPGraph {
public:
    explicit Curve(QCustomPlot& plot) : QCPGraph(plot.xAxis, plot.yAxis) {}

    // Outlines, points and what has no line stay QCustomPlot's.
    bool canBeRastered() const { return scatterStyle().isNone() && pen().style() != Qt::NoPen; }
    void setRastered(bool on) { rastered_ = on; }
    bool isRastered() const { return rastered_ && visible(); }

    // Returns the line in pixels of a picture whose zero is `origin` and that has `ratio` pixels to one of the plot. Any thread.
    QVector<QPointF> line(QPointF origin, double ratio) const {
        QVector<QPointF> points;
        points.reserve(static_cast<qsizetype>(data()->size()));
        const Scale x(*keyAxis(), origin.x(), ratio), y(*valueAxis(), origin.y(), ratio);
        for (const QCPGraphData& one : *data()) points.append({x(one.key), y(one.value)});
        if (lineStyle() == lsStepLeft) replaceSteps(points);
        return points;
    }
    CurvePen penFor(double ratio) const {
        CurvePen ink{.color = pen().color(), .width = pen().widthF() * ratio};
        // The first dash and gap of the pattern, in widths of the pen.
        if (const QList<qreal> dashes = pen().dashPattern(); pen().style() == Qt::CustomDashLine && dashes.size() >= 2) {
            ink.on = dashes[0] * ink.width;
            ink.off = dashes[1] * ink.width;
        }
        return ink;
    }

protected:
    void draw(QCPPainter* painter) override {
        if (!rastered_) QCPGraph::draw(painter);
    }

private:
    bool rastered_ = false;
};

// The points that are to be drawn of one series.
struct ChartPlot::Chosen {
    std::size_t index = 0;
    QVector<QCPGraphData> main, raw;
};

QString formatValue(NumberFormat format, double value) {
    if (!std::isfinite(value)) return QString(QChar(models::kMissing));
    switch (format) {
        case NumberFormat::kMetric:
            return models::formatMetric(value);
        case NumberFormat::kRate:
            return models::formatRate(value);
        case NumberFormat::kCount:
            return models::formatCount(std::llround(value));
        case NumberFormat::kPlain:
            return QLocale().toString(value, 'g', 4);
    }
    return {};
}

Range zoomedAbout(double center, Range range, double factor, bool logarithmic) {
    if (logarithmic && range.lower > 0 && center > 0) {
        return {center * std::pow(range.lower / center, factor), center * std::pow(range.upper / center, factor)};
    }
    return {center - (center - range.lower) * factor, center + (range.upper - center) * factor};
}

Range moved(Range range, double share, bool logarithmic) {
    if (logarithmic && range.lower > 0) {
        const double factor = std::pow(range.upper / range.lower, share);
        return {range.lower * factor, range.upper * factor};
    }
    return {range.lower + share * range.size(), range.upper + share * range.size()};
}

bool ChartState::empty() const {
    return std::all_of(series.begin(), series.end(), [](const ChartSeries& one) { return one.points.empty(); });
}

double ChartState::markerX(const Marker& marker) const {
    if (marker.series >= 0 && marker.series < static_cast<int>(series.size()))
        return series[static_cast<std::size_t>(marker.series)].points.xOf(marker.step, marker.time_unix_ns, x_axis);
    switch (x_axis) {
        case models::XAxis::kStep:
            return static_cast<double>(marker.step);
        case models::XAxis::kRelative:
            return static_cast<double>(marker.time_unix_ns - origin_unix_ns - models::pausedBefore(pauses, marker.time_unix_ns)) * 1e-9;
        case models::XAxis::kWall:
            return static_cast<double>(marker.time_unix_ns) * 1e-9;
        case models::XAxis::kEpoch:
            return steps_per_epoch > 0 ? first_epoch + static_cast<double>(marker.step) / steps_per_epoch
                                       : static_cast<double>(marker.step);
    }
    return 0;
}

Range ChartState::fullRange() const {
    std::optional<Range> all;
    for (const ChartSeries& one : series) {
        const auto range = one.points.xRange(x_axis);
        if (!range) continue;
        all = all ? Range{std::min(all->lower, range->lower), std::max(all->upper, range->upper)} : *range;
    }
    Range range = all.value_or(Range{0, 1});
    if (logX()) {
        // A logarithm begins at the first point above zero.
        if (!(range.lower > 0)) range.lower = std::min(1.0, range.upper / 10);
        if (!(range.upper > range.lower)) range = {0.1, 1};
        range.upper *= std::pow(range.upper / range.lower, kFollowRoom);
        return range;
    }
    const bool whole_epochs = x_axis == models::XAxis::kEpoch && range.lower >= 1;  // validation alone: its points stand on whole epochs
    if (x_axis != models::XAxis::kWall && !whole_epochs) range.lower = 0;
    if (!(range.size() > 0)) range.upper = range.lower + 1;
    range.upper += kFollowRoom * range.size();
    if (whole_epochs) range.lower -= kFollowRoom * range.size();
    return range;
}

ChartPlot::ChartPlot(const ChartState& state, const theme::ThemeController& theme, QWidget* parent)
    : QCustomPlot(parent), state_(state), theme_(theme) {
    setNoAntialiasingOnDrag(false);
    setInteractions(QCP::Interactions());
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_OpaquePaintEvent, false);
    setAutoAddPlottableToLegend(false);
    axisRect()->setAutoMargins(QCP::msNone);
    xAxis2->setVisible(false);
    yAxis2->setVisible(false);
    xAxis->setTicker(QSharedPointer<QCPAxisTickerText>::create());
    yAxis->setTicker(QSharedPointer<QCPAxisTickerText>::create());

    addLayer(QStringLiteral("bands"), layer(QStringLiteral("main")), limBelow);
    addLayer(QStringLiteral("curves"), layer(QStringLiteral("main")), limBelow);
    addLayer(QStringLiteral("marks"), layer(QStringLiteral("axes")), limAbove);
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
    // The cursor's layer is on top of all: layers above one with a buffer of its own would need another buffer.
    addLayer(QStringLiteral("cursor"), layer(QStringLiteral("overlay")), limAbove);
    layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
    new Drawing(this, QStringLiteral("curves"), [this](QPainter& p) { drawCurves(p); });
    new Drawing(this, QStringLiteral("marks"), [this](QPainter& p) {
        drawFrame(p);
        drawMarks(p);
        drawNotes(p);
        drawLive(p);
        drawEndLabels(p);
    });
    new Drawing(this, QStringLiteral("cursor"), [this](QPainter& p) {
        drawCursor(p);
        drawSelection(p);
    });
    refresh();
}

void ChartPlot::rebuild() {
    if (std::exchange(stale_, true)) return;
    const auto later = [this] {
        if (stale_) refresh();
    };
    QMetaObject::invokeMethod(this, later, Qt::QueuedConnection);
}

void ChartPlot::makeGraphs() {
    stale_ = false;
    clearGraphs();
    graphs_.clear();
    applyTheme(*this, theme_);
    const theme::Theme& colors = theme_.theme();
    // Raw curves first: all of them lie behind all the others.
    for (const ChartSeries& one : state_.series) {
        Graphs graphs;
        if (!one.lower.empty()) {
            graphs.lower = addGraph();
            graphs.upper = addGraph();
            graphs.lower->setPen(Qt::NoPen);
            graphs.upper->setPen(Qt::NoPen);
            graphs.upper->setBrush(faded(one.style.colorIn(colors), 0.16));
            graphs.upper->setChannelFillGraph(graphs.lower);
            for (QCPGraph* edge : {graphs.lower, graphs.upper}) edge->setLayer(QStringLiteral("bands"));
        }
        if (!one.style.exact) {
            graphs.raw = new Curve(*this);
            graphs.raw->setPen(QPen(faded(one.style.colorIn(colors), 0.28), 1));
        }
        graphs_.push_back(graphs);
    }
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
        const SeriesStyle& style = state_.series[i].style;
        auto* graph = new Curve(*this);
        graphs_[i].main = graph;
        const QColor color = style.colorIn(colors);
        const bool any = state_.highlighted >= 0;
        const bool mine = state_.highlighted == static_cast<int>(i);
        const bool wide = mine || state_.selected == static_cast<int>(i);
        QPen pen(any && !mine ? faded(color, 0.35) : color, wide ? 3 : 2);
        pen.setJoinStyle(Qt::RoundJoin);
        pen.setCapStyle(Qt::FlatCap);
        if (style.dashed) pen.setDashPattern(style.worker_dash ? QList<qreal>{5, 2} : QList<qreal>{4, 2.4});
        if (style.second_dash) pen.setDashPattern(QList<qreal>{7, 2, 1.5, 2});
        graph->setPen(pen);
        graph->setLineStyle(style.steps ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
        if (style.hollow_points) {
            graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color, 1.5), colors.surface, 6));
        }
        graph->setAdaptiveSampling(false);
        if (graphs_[i].raw != nullptr) graphs_[i].raw->setAdaptiveSampling(false);
    }
}

void ChartPlot::refresh() {
    if (stale_) makeGraphs();
    const Range x = state_.visibleRange();
    const int columns = std::max(16, plotWidth());
    const auto shown = std::count_if(state_.series.begin(), state_.series.end(), [](const ChartSeries& one) { return !one.style.exact; });
    crowded_ = shown > kMostRaw;
    // Each series is searched by one thread: what it keeps of a look is its own.
    std::vector<Chosen> chosen(graphs_.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i].index = i;
    forEachShared(chosen, [&](Chosen& one) { choose(one, x, columns); });
    std::vector<double> values;
    std::vector<double> sparse;
    for (const Chosen& one : chosen) {
        const ChartSeries& series = state_.series[one.index];
        const Graphs& graphs = graphs_[one.index];
        const bool exact = series.style.exact;
        if (!series.style.outlier) {
            for (const QCPGraphData& point : one.main) {
                if (point.key >= x.lower && point.key <= x.upper) (exact ? sparse : values).push_back(point.value);
            }
        }
        graphs.main->data()->set(one.main, true);
        if (graphs.lower != nullptr) feedBand(graphs, series, x, exact ? sparse : values);
        if (graphs.raw != nullptr) {
            graphs.raw->setVisible(showsRaw(one.index));
            graphs.raw->data()->set(one.raw, true);
        }
    }
    const Range y = state_.y_range.value_or(chooseYRange(values, sparse));
    yAxis->setScaleType(state_.y_scale == YScale::kLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    xAxis->setScaleType(state_.logX() ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    xAxis->setRange(x.lower, x.upper);
    yAxis->setRange(y.lower, y.upper);
    setTicks(x, y);
    axisRect()->setMargins({left_, kTop, rightMargin(), kBottom});
    chooseRaster();
    replot(rpQueuedReplot);
}

// Many points cost too much as outlines; few of them look best so, and so do all of them on another device, which may be a vector format.
void ChartPlot::chooseRaster() {
    int points = 0;
    for (const Graphs& graphs : graphs_) {
        for (const Curve* one : {graphs.main, graphs.raw}) {
            if (one != nullptr && one->visible() && one->canBeRastered()) points += one->data()->size();
        }
    }
    const bool raster = points > kMostOutlined && !outlined_;
    for (const Graphs& graphs : graphs_) {
        for (Curve* one : {graphs.main, graphs.raw}) {
            if (one != nullptr) one->setRastered(raster && one->canBeRastered());
        }
    }
}

void ChartPlot::drawCurves(QPainter& painter) {
    std::vector<const Curve*> drawn;
    const auto add = [&](const Curve* one) {
        if (one != nullptr && one->isRastered()) drawn.push_back(one);
    };
    for (const Graphs& graphs : graphs_) add(graphs.raw);
    for (const Graphs& graphs : graphs_) add(graphs.main);
    if (drawn.empty()) return;
    const double ratio = bufferDevicePixelRatio();
    const QRect plot = plotRect();
    std::vector<RasterCurve> curves(drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) curves[i] = {drawn[i]->line(plot.topLeft(), ratio), drawn[i]->penFor(ratio)};
    painter.drawImage(QRectF(plot), rasterized((QSizeF(plot.size()) * ratio).toSize(), curves));
}

void ChartPlot::feedBand(const Graphs& graphs, const ChartSeries& one, Range x, std::vector<double>& values) {
    const std::size_t count = std::min({one.points.size(), one.lower.size(), one.upper.size()});
    const std::size_t stride = std::max<std::size_t>(1, count / kMostBandPoints);
    QVector<QCPGraphData> lower, upper;
    for (std::size_t i = 0; i < count; i += stride) {
        const double at = one.points.x(i, state_.x_axis);
        lower.append({at, one.lower[i]});
        upper.append({at, one.upper[i]});
        if (at < x.lower || at > x.upper) continue;
        values.push_back(one.lower[i]);
        values.push_back(one.upper[i]);
    }
    graphs.lower->data()->set(lower, true);
    graphs.upper->data()->set(upper, true);
}

// Behind very many curves the raw ones would only be a ground on which none can be read: then that of the chosen curve stays.
bool ChartPlot::showsRaw(std::size_t index) const {
    const ChartSeries& one = state_.series[index];
    if (one.style.exact || !(one.points.smoothing() > 0)) return false;
    const int mine = static_cast<int>(index);
    return !crowded_ || mine == state_.highlighted || mine == state_.selected;
}

void ChartPlot::choose(Chosen& one, Range x, int columns) const {
    const ChartSeries& series = state_.series[one.index];
    const auto pointsOf = [](const std::vector<models::PlotPoint>& points) {
        QVector<QCPGraphData> line;
        line.reserve(static_cast<qsizetype>(points.size()));
        for (const models::PlotPoint& point : points) line.append({point.x, point.y});
        return line;
    };
    one.main = pointsOf(drawnPoints(one.index, x, columns));
    if (showsRaw(one.index)) {
        one.raw = pointsOf(series.points.visiblePoints(Series::Curve::kRaw, state_.x_axis, x, columns, spacingOf(state_)));
    }
}

// Returns the smoothed curve as the mean of each column, with the raw one and its extremes behind it; without smoothing, and for exact
// series, the extremes themselves.
std::vector<models::PlotPoint> ChartPlot::drawnPoints(std::size_t index, Range x, int columns) const {
    const ChartSeries& one = state_.series[index];
    if (!one.style.exact && one.points.smoothing() > 0) return one.points.visibleMeans(state_.x_axis, x, columns, spacingOf(state_));
    return one.points.visiblePoints(Series::Curve::kRaw, state_.x_axis, x, columns, spacingOf(state_));
}

void ChartPlot::drawOn(QCPPainter& painter, QSize size) {
    outlined_ = true;
    resize(size);
    setViewport(QRect(QPoint(), size));
    refresh();
    updateLayout();  // ticks want the width that the margins leave
    refresh();
    toPainter(&painter, size.width(), size.height());
}

void ChartPlot::refreshCursor() {
    layer(QStringLiteral("cursor"))->replot();
}

// Returns the y range that has the body of the smoothed curves and all of the exact ones.
Range ChartPlot::chooseYRange(const std::vector<double>& values, const std::vector<double>& sparse) const {
    std::optional<Range> range = state_.outliers == Outliers::kIgnored ? models::robustRange(values) : allOf(values);
    for (const double value : sparse) {
        if (!std::isfinite(value)) continue;
        range = range ? Range{std::min(range->lower, value), std::max(range->upper, value)} : Range{value, value};
    }
    if (!range) return {0, 1};
    const bool all_positive = std::all_of(values.begin(), values.end(), [](double v) { return v >= 0; }) &&
                              std::all_of(sparse.begin(), sparse.end(), [](double v) { return v >= 0; });
    if (state_.y_scale == YScale::kLog) {
        double least = range->upper;
        for (const double v : values) least = v > 0 ? std::min(least, v) : least;
        for (const double v : sparse) least = v > 0 ? std::min(least, v) : least;
        if (!(least > 0)) return {0.1, 1};
        return {least / 3.2, range->upper * 3.2};
    }
    if (all_positive) range->lower = std::max(0.0, range->lower);
    // A curve that comes near zero is shown from zero; a count always.
    const bool count = !state_.series.empty() && state_.series.front().style.format == NumberFormat::kCount;
    if (all_positive && (count || range->lower < 0.5 * range->size())) range->lower = 0;
    if (!(range->size() > 0)) range = Range{range->lower, range->upper + std::max(1e-3, 0.05 * std::abs(range->upper))};
    const bool share = values.empty() == false && range->upper > 1 && range->lower < 1 &&
                       std::all_of(values.begin(), values.end(), [](double v) { return v <= 1; });
    if (share) range->upper = 1;  // accuracy: nothing lies above one
    return models::niceRange(*range, kMostYTicks);
}

int ChartPlot::rightMargin() const {
    const bool labels = std::any_of(state_.series.begin(), state_.series.end(), [](const ChartSeries& s) { return s.style.end_label; });
    return labels ? kRightWithLabels : kRight;
}

// The margin grows in steps, so that a live curve does not move the plot with each digit.
int ChartPlot::leftMarginFor(const std::vector<models::Tick>& y_ticks) const {
    const QFontMetricsF metrics(theme_.font(TextRole::kMonoTick));
    double widest = 0;
    for (const models::Tick& tick : y_ticks) widest = std::max(widest, metrics.horizontalAdvance(tick.label));
    const int more = static_cast<int>(std::ceil(widest)) + kTitleRoom + kLabelPadding - kPlotLeft;
    return kPlotLeft + std::max(0, (more + kLeftStep - 1) / kLeftStep) * kLeftStep;
}

// Sets the ticks of y first: they say how wide the plot is.
void ChartPlot::setTicks(Range x, Range y) {
    const auto fill = [](QCPAxis* axis, const std::vector<models::Tick>& ticks) {
        auto ticker = axis->ticker().staticCast<QCPAxisTickerText>();
        ticker->clear();
        for (const models::Tick& tick : ticks) ticker->addTick(tick.position, tick.label);
    };
    const bool rates = !state_.series.empty() && state_.series.front().style.format == NumberFormat::kRate;
    std::vector<models::Tick> y_ticks;
    if (state_.y_scale == YScale::kLog) {
        y_ticks = models::logTicks(y, kMostYTicks);
    } else {
        y_ticks = models::linearTicks(y, kMostYTicks);
        if (rates) {
            for (models::Tick& tick : y_ticks) tick.label = models::formatRate(tick.position);
        }
    }
    fill(yAxis, y_ticks);
    left_ = leftMarginFor(y_ticks);
    // Whole epochs stand closer than the other axes' numbers do.
    const int epochs = std::clamp(std::min(plotWidth() / kEpochTick, static_cast<int>(x.size()) + 1), 3, kMostEpochTicks);
    const int most = state_.x_axis == models::XAxis::kEpoch ? epochs : std::clamp(plotWidth() / 62, 3, kMostXTicks + 1);
    x_ticks_ = state_.logX() ? models::logTicks(x, most) : models::axisTicks(state_.x_axis, x, most);
    fill(xAxis, x_ticks_);
}

ChartPlot::Beyond ChartPlot::beyondScale() const {
    Beyond beyond;
    const QCPRange y = yAxis->range();
    const double tolerance = 1e-6 * y.size();
    for (std::size_t i = 0; i < graphs_.size() && i < state_.series.size(); ++i) {
        const auto drawn = graphs_[i].main->data();
        if (drawn->isEmpty()) continue;
        const auto byValue = [](const QCPGraphData& a, const QCPGraphData& b) { return a.value < b.value; };
        const auto [low, high] = std::minmax_element(drawn->constBegin(), drawn->constEnd(), byValue);
        const auto format = state_.series[i].style.format;
        const QString& name = state_.series[i].name;
        // What is drawn is a smoothed curve in as many columns as there is room for: the number is that of the points themselves.
        const auto reach = state_.series[i].points.valueRange(state_.x_axis, state_.visibleRange());
        if (!reach) continue;
        if (low->value <= y.upper && high->value > y.upper + tolerance && beyond.above.isEmpty())
            beyond.above = tr("%1 goes up to %2").arg(name, formatValue(format, reach->upper));
        if (high->value >= y.lower && low->value < y.lower - tolerance && beyond.below.isEmpty())
            beyond.below = tr("%1 goes down to %2").arg(name, formatValue(format, reach->lower));
    }
    return beyond;
}

QString ChartPlot::hiddenByScale() const {
    const QCPRange y = yAxis->range();
    for (std::size_t i = 0; i < graphs_.size() && i < state_.series.size(); ++i) {
        const auto drawn = graphs_[i].main->data();
        if (drawn->isEmpty()) continue;
        const bool above = std::all_of(drawn->constBegin(), drawn->constEnd(), [&](const QCPGraphData& d) { return d.value > y.upper; });
        const bool below = std::all_of(drawn->constBegin(), drawn->constEnd(), [&](const QCPGraphData& d) { return d.value < y.lower; });
        if (above) return tr("%1 is above this range").arg(state_.series[i].name);
        if (below) return tr("%1 is below this range").arg(state_.series[i].name);
    }
    return {};
}

QString ChartPlot::endsInNoNumber() const {
    for (const ChartSeries& one : state_.series) {
        if (const auto since = one.points.notFiniteSince())
            return tr("%1 is not a number from step %2 on").arg(one.name, models::formatCount(*since));
    }
    return {};
}

std::vector<const Marker*> ChartPlot::markersAt(QPointF position) const {
    std::vector<const Marker*> found;
    for (const Flag& flag : flags()) {
        if (!flag.rect.contains(position)) continue;
        for (const std::size_t index : flag.markers) found.push_back(&state_.markers[index]);
        return found;
    }
    const QRectF plot = plotRect();
    const bool on_axis = std::abs(position.y() - plot.bottom()) <= kDiamondReach;
    const bool on_top = position.y() >= plot.top() - kFlagReach && position.y() <= plot.top();
    for (const Marker& marker : state_.markers) {
        const double distance = std::abs(position.x() - xAxis->coordToPixel(state_.markerX(marker)));
        if (distance <= kDiamondReach && (isCheckpoint(marker) ? on_axis : on_top)) found.push_back(&marker);
    }
    return found;
}

void ChartPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || state_.empty()) return;
    if (!plotRect().contains(event->pos())) {
        if (const auto marks = markersAt(event->position()); !marks.empty())
            emit markerClicked(*marks.front(), event->globalPosition().toPoint());
        return;
    }
    drag_ = (event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier)) ? Drag::kPan : Drag::kZoom;
    drag_start_ = drag_now_ = event->pos();
    drag_range_ = state_.visibleRange();
    event->accept();
}

void ChartPlot::mouseMoveEvent(QMouseEvent* event) {
    if (drag_ == Drag::kPan) {
        const double pixels = drag_start_.x() - event->pos().x();
        const double share = pixels / std::max(1, plotRect().width());
        emit panned(moved(drag_range_, share, state_.logX()));
        return;
    }
    if (drag_ == Drag::kZoom) drag_now_ = event->pos();
    if (state_.empty()) return;
    QStringList tips;
    for (const Marker* marker : markersAt(event->position())) tips << marker->tooltip;
    if (!tips.isEmpty()) emit markerHovered(tips.join(QLatin1Char('\n')), event->globalPosition().toPoint());
    const bool inside = plotRect().contains(event->pos());
    emit cursorMoved(inside ? std::optional<double>(xAt(event->position().x())) : std::nullopt);
    refreshCursor();
}

void ChartPlot::mouseReleaseEvent(QMouseEvent* event) {
    const Drag was = drag_;
    drag_ = Drag::kNone;
    if (was != Drag::kZoom) return;
    const QRect box = QRect(drag_start_, event->pos()).normalized() & plotRect();
    refreshCursor();
    if (box.width() < kDragThreshold) {
        if (const auto marks = markersAt(event->position()); !marks.empty())
            emit markerClicked(*marks.front(), event->globalPosition().toPoint());
        return;
    }
    std::optional<Range> y;
    if (box.height() >= 3 * kDragThreshold) y = Range{yAxis->pixelToCoord(box.bottom()), yAxis->pixelToCoord(box.top())};
    emit zoomed(Range{xAt(box.left()), xAt(box.right())}, y);
}

void ChartPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    drag_ = Drag::kNone;
    if (event->button() == Qt::LeftButton) emit resetWanted();
}

void ChartPlot::wheelEvent(QWheelEvent* event) {
    // A plain wheel scrolls the page; over an axis (that axis), with Alt or in full size it zooms.
    const bool over_y = event->position().x() < plotRect().left();
    const bool over_axis = over_y || event->position().y() > plotRect().bottom();
    if (state_.empty() || !(over_axis || state_.wheel_zooms || (event->modifiers() & Qt::AltModifier))) {
        event->ignore();
        return;
    }
    // While Alt is held, X11 reports the turn as horizontal.
    const int turn = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    const double factor = std::pow(0.85, turn / 120.0);
    if (over_y) {
        const QCPRange y = yAxis->range();
        emit zoomed(state_.x_range,
                    zoomedAbout(yAxis->pixelToCoord(event->position().y()), {y.lower, y.upper}, factor, state_.y_scale == YScale::kLog));
    } else {
        emit zoomed(zoomedAbout(xAt(event->position().x()), state_.visibleRange(), factor, state_.logX()), state_.y_range);
    }
    event->accept();
}

void ChartPlot::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    if (drag_ == Drag::kNone) emit cursorMoved(std::nullopt);
}

void ChartPlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    refresh();
}

}  // namespace ui::charts

#include "moc_chart_plot.cpp"
