// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ui::models {
namespace {

constexpr double kNanosecond = 1e-9;

// Where column `column` of `columns` ends.
double columnEnd(Range visible, int column, int columns, Columns spacing) {
    const double share = static_cast<double>(column) / columns;
    if (spacing == Columns::kLogarithmic && visible.lower > 0) return visible.lower * std::pow(visible.upper / visible.lower, share);
    return visible.lower + visible.size() * share;
}

}  // namespace

double Smoother::next(double value) {
    if (weight_ <= 0) return value;
    last_ = last_ * weight_ + (1 - weight_) * value;
    power_ *= weight_;
    if (!constant_) constant_ = value;
    is_constant_ = is_constant_ && value == *constant_;
    return is_constant_ ? value : last_ / (1 - power_);
}

void Series::append(std::int64_t step, std::int64_t time_unix_ns, float value) {
    if (!steps_.empty() && step <= steps_.back()) truncateFrom(step);
    if (!std::isfinite(value)) {
        ++non_finite_;
        return;
    }
    // The clock of a host may be set back; the time axes stay in order all the same.
    if (!times_.empty()) time_unix_ns = std::max(time_unix_ns, times_.back());
    steps_.push_back(step);
    times_.push_back(time_unix_ns);
    values_.push_back(value);
    smoothed_.push_back(static_cast<float>(smoother_.next(value)));
    sums_.push_back((sums_.empty() ? 0.0 : sums_.back()) + static_cast<double>(smoothed_.back()));
    raw_pyramid_.extend(values_);
    smoothed_pyramid_.extend(smoothed_);
}

void Series::clear() {
    steps_.clear();
    times_.clear();
    values_.clear();
    non_finite_ = 0;
    raw_pyramid_.clear();
    rebuildSmoothed();
}

void Series::setSmoothing(double weight) {
    weight = std::clamp(weight, 0.0, 0.999);
    if (weight == weight_) return;
    weight_ = weight;
    rebuildSmoothed();
}

void Series::truncateFrom(std::int64_t step) {
    const auto keep = static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin());
    steps_.resize(keep);
    times_.resize(keep);
    values_.resize(keep);
    raw_pyramid_.truncate(keep);
    rebuildSmoothed();
}

void Series::rebuildSmoothed() {
    smoother_ = Smoother(weight_);
    smoothed_.resize(values_.size());
    std::transform(values_.begin(), values_.end(), smoothed_.begin(), [this](float v) { return static_cast<float>(smoother_.next(v)); });
    sums_.resize(smoothed_.size());
    std::partial_sum(smoothed_.begin(), smoothed_.end(), sums_.begin(),
                     [](double sum, float value) { return sum + static_cast<double>(value); });
    smoothed_pyramid_.clear();
    smoothed_pyramid_.extend(smoothed_);
}

SeriesPoint Series::at(std::size_t index) const {
    return {steps_[index], times_[index], values_[index], smoothed_[index]};
}

double Series::x(std::size_t index, XAxis axis) const {
    switch (axis) {
        case XAxis::kStep:
            return static_cast<double>(steps_[index]);
        case XAxis::kRelative:
            return static_cast<double>(times_[index] - origin_unix_ns_) * kNanosecond;
        case XAxis::kWall:
            return static_cast<double>(times_[index]) * kNanosecond;
        case XAxis::kEpoch:
            return static_cast<double>(steps_[index]) / (steps_per_epoch_ > 0 ? steps_per_epoch_ : 1);
    }
    return 0;
}

std::optional<Range> Series::xRange(XAxis axis) const {
    if (empty()) return std::nullopt;
    return Range{x(0, axis), x(size() - 1, axis)};
}

Range Series::valueRange() const {
    const auto [lowest, highest] = raw_pyramid_.extremes(values_, 0, values_.size());
    return {static_cast<double>(values_[lowest]), static_cast<double>(values_[highest])};
}

std::size_t Series::lowerBound(double wanted, XAxis axis, std::size_t from) const {
    if (from >= size() || wanted <= x(from, axis)) return from;
    if (wanted > x(size() - 1, axis)) return size();
    // Steps rise evenly as a rule: then it is where the share of the way says.
    const double share = (wanted - x(from, axis)) / (x(size() - 1, axis) - x(from, axis));
    const auto guess = from + static_cast<std::size_t>(std::ceil(share * static_cast<double>(size() - 1 - from)));
    if (guess > from && guess < size() && x(guess, axis) >= wanted && x(guess - 1, axis) < wanted) return guess;
    // Else it doubles its stride first: the next column's edge is near.
    std::size_t first = from;
    std::size_t stride = 1;
    while (first + stride < size() && x(first + stride, axis) < wanted) {
        first += stride;
        stride *= 2;
    }
    std::size_t count = std::min(size() - first, stride + 1);
    while (count > 0) {
        const std::size_t half = count / 2;
        if (x(first + half, axis) < wanted) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

std::optional<std::size_t> Series::indexAtOrBefore(double wanted, XAxis axis) const {
    const std::size_t after = lowerBound(std::nextafter(wanted, INFINITY), axis);
    if (after == 0) return std::nullopt;
    return after - 1;
}

std::vector<PlotPoint> Series::visiblePoints(Curve curve, XAxis axis, Range visible, int columns, Columns spacing) const {
    std::vector<PlotPoint> points;
    if (empty() || columns <= 0 || !(visible.size() > 0)) return points;
    const std::size_t first = lowerBound(visible.lower, axis);
    const std::size_t last = lowerBound(std::nextafter(visible.upper, INFINITY), axis);
    const auto add = [&](std::size_t i) { points.push_back({x(i, axis), static_cast<double>(y(i, curve))}); };

    if (first > 0) add(first - 1);
    if (last - first <= 2 * static_cast<std::size_t>(columns)) {
        for (std::size_t i = first; i < last; ++i) add(i);
    } else {
        const std::vector<float>& values = curve == Curve::kRaw ? values_ : smoothed_;
        const MinMaxPyramid& pyramid = curve == Curve::kRaw ? raw_pyramid_ : smoothed_pyramid_;
        points.reserve(2 * static_cast<std::size_t>(columns) + 2);
        std::size_t begin = first;
        for (int column = 1; column <= columns && begin < last; ++column) {
            const std::size_t end =
                column == columns ? last : std::min(last, lowerBound(columnEnd(visible, column, columns, spacing), axis, begin));
            if (end <= begin) continue;
            const auto [lowest, highest] = pyramid.extremes(values, begin, end);
            add(std::min(lowest, highest));
            if (lowest != highest) add(std::max(lowest, highest));
            begin = end;
        }
    }
    if (last < size()) add(last);
    return points;
}

std::vector<PlotPoint> Series::visibleMeans(XAxis axis, Range visible, int columns, Columns spacing) const {
    if (empty() || columns <= 0 || !(visible.size() > 0)) return {};
    const std::size_t first = lowerBound(visible.lower, axis);
    const std::size_t last = lowerBound(std::nextafter(visible.upper, INFINITY), axis);
    if (last - first <= 2 * static_cast<std::size_t>(columns)) return visiblePoints(Curve::kSmoothed, axis, visible, columns, spacing);
    std::vector<PlotPoint> points;
    points.reserve(static_cast<std::size_t>(columns) + 3);
    const auto add = [&](std::size_t i) { points.push_back({x(i, axis), static_cast<double>(smoothed_[i])}); };
    if (first > 0) add(first - 1);
    std::size_t begin = first;
    for (int column = 1; column <= columns && begin < last; ++column) {
        const std::size_t end =
            column == columns ? last : std::min(last, lowerBound(columnEnd(visible, column, columns, spacing), axis, begin));
        if (end <= begin) continue;
        const double sum = sums_[end - 1] - (begin > 0 ? sums_[begin - 1] : 0.0);
        points.push_back({x(begin + (end - begin) / 2, axis), sum / static_cast<double>(end - begin)});
        begin = end;
    }
    add(last - 1);
    if (last < size()) add(last);
    return points;
}

std::optional<Range> robustRange(std::vector<double> values) {
    std::erase_if(values, [](double v) { return !std::isfinite(v); });
    if (values.empty()) return std::nullopt;
    const auto quantile = [&](double q) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        return *at;
    };
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    Range range{*lowest, *highest};
    const double low = quantile(0.08);
    const double high = quantile(0.92);
    const double body = high - low;
    if (body > 0 && range.upper - high > body) range.upper = high;
    if (body > 0 && low - range.lower > body) range.lower = low;
    const double room = range.size() > 0 ? 0.05 * range.size() : std::max(1e-3, 0.05 * std::abs(range.upper));
    return Range{range.lower - room, range.upper + room};
}

}  // namespace ui::models
