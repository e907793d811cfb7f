// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_axes.h"

#include <cmath>
#include <utility>

#include "ui/charts/chart_plot.h"

namespace ui::charts {

using models::Range;

ChartAxes::ChartAxes(ChartState& state, QObject* parent) : QObject(parent), state_(state) {}

void ChartAxes::setOrigin(std::int64_t time_unix_ns) {
    state_.origin_unix_ns = time_unix_ns;
    for (ChartSeries& one : state_.series) one.points.setOrigin(time_unix_ns);
    emit unitsChanged();
}

void ChartAxes::setPauses(std::vector<models::Pause> pauses) {
    if (pauses == state_.pauses) return;
    state_.pauses = std::move(pauses);
    for (ChartSeries& one : state_.series) one.points.setPauses(state_.pauses);
    emit unitsChanged();
}

void ChartAxes::setStepsPerEpoch(double steps, double first_epoch) {
    if (steps == state_.steps_per_epoch && first_epoch == state_.first_epoch) return;
    state_.steps_per_epoch = steps;
    state_.first_epoch = first_epoch;
    for (ChartSeries& one : state_.series) one.points.setStepsPerEpoch(steps, first_epoch);
    emit unitsChanged();
}

void ChartAxes::setStepName(const QString& name) {
    if (name == state_.step_name) return;
    state_.step_name = name;
    emit unitsChanged();
}

void ChartAxes::setX(models::XAxis axis) {
    if (axis == state_.x_axis) return;
    state_.x_axis = axis;
    state_.x_range.reset();
    state_.cursor.reset();
    emit changed();
}

models::XAxis ChartAxes::x() const {
    return state_.x_axis;
}

void ChartAxes::setYScale(YScale scale) {
    if (scale == state_.y_scale) return;
    state_.y_scale = scale;
    state_.y_range.reset();
    emit changed();
}

YScale ChartAxes::yScale() const {
    return state_.y_scale;
}

void ChartAxes::setXScale(XScale scale) {
    if (scale == state_.x_scale) return;
    state_.x_scale = scale;
    state_.x_range.reset();
    emit changed();
}

XScale ChartAxes::xScale() const {
    return state_.x_scale;
}

void ChartAxes::setOutliers(Outliers outliers) {
    if (outliers == state_.outliers) return;
    state_.outliers = outliers;
    emit changed();
}

void ChartAxes::setXRange(std::optional<Range> range) {
    if (range && (!(range->size() > 0) || !std::isfinite(range->lower) || !std::isfinite(range->upper))) return;
    state_.x_range = range;
    state_.follow = !range;
    if (!range) state_.y_range.reset();
    emit changed();
}

std::optional<Range> ChartAxes::xRange() const {
    return state_.x_range;
}

void ChartAxes::choose(std::optional<Range> x, std::optional<Range> y) {
    state_.y_range = y;
    setXRange(x);
    if (!x && y) {
        state_.y_range = y;  // zoomed over the y axis alone: everything of x stays
        emit changed();
    }
    emit xRangeChosen(x);
}

void ChartAxes::reset() {
    choose(std::nullopt, std::nullopt);
}

void ChartAxes::zoomBy(double factor) {
    if (state_.empty()) return;
    const Range range = state_.visibleRange();
    const double middle = state_.logX() ? std::sqrt(range.lower * range.upper) : (range.lower + range.upper) / 2;
    choose(zoomedAbout(state_.cursor.value_or(middle), range, factor, state_.logX()), state_.y_range);
}

void ChartAxes::panBy(double share) {
    if (!state_.empty()) choose(moved(state_.visibleRange(), share, state_.logX()), state_.y_range);
}

}  // namespace ui::charts

#include "moc_chart_axes.cpp"
