// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ui::models {
namespace {

// Returns where column `column` of `columns` ends.
double columnEnd(Range visible, int column, int columns, Columns spacing) {
    const double share = static_cast<double>(column) / columns;
    if (spacing == Columns::kLogarithmic && visible.lower > 0) return visible.lower * std::pow(visible.upper / visible.lower, share);
    return visible.lower + visible.size() * share;
}

// A vector that is full moves all it holds, and curves that grow together would do so in the same turn of the window: each of their arrays
// begins with a size of its own, from 64 to 127, and doubles it.
template <typename Value>
void append(std::vector<Value>& values, Value value) {
    static std::size_t arrays = 0;
    if (values.capacity() == 0) values.reserve(64 + ++arrays * 39 % 64);
    values.push_back(value);
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

std::int64_t pausedBefore(const std::vector<Pause>& pauses, std::int64_t time_unix_ns) {
    std::int64_t sum = 0;
    for (const Pause& one : pauses) {
        if (one.from_unix_ns >= time_unix_ns) break;
        sum += std::min(time_unix_ns, one.to_unix_ns) - one.from_unix_ns;
    }
    return sum;
}

void Series::append(std::int64_t step, std::int64_t time_unix_ns, float value) {
    if (!steps_.empty() && step <= steps_.back()) truncateFrom(step);
    if (!std::isfinite(value)) {
        ++non_finite_;
        if (!not_finite_since_) not_finite_since_ = step;
        return;
    }
    not_finite_since_.reset();
    // The clock of a host may be set back; the time axes stay in order all the same.
    if (!times_.empty()) time_unix_ns = std::max(time_unix_ns, times_.back());
    if (steps_.size() == 1) stride_ = step - steps_.back();
    even_ = even_ && (steps_.empty() || step - steps_.back() == stride_);
    models::append(steps_, step);
    models::append(times_, time_unix_ns);
    models::append(values_, value);
    models::append(smoothed_, static_cast<float>(smoother_.next(value)));
    models::append(sums_, (sums_.empty() ? 0.0 : sums_.back()) + static_cast<double>(smoothed_.back()));
    raw_pyramid_.extend(values_);
    smoothed_pyramid_.extend(smoothed_);
    changed();
}

void Series::clear() {
    steps_.clear();
    even_ = true;
    times_.clear();
    values_.clear();
    non_finite_ = 0;
    not_finite_since_.reset();
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
    if (not_finite_since_ && *not_finite_since_ >= step) not_finite_since_.reset();
    const auto other = [this](std::int64_t from, std::int64_t to) { return to - from != stride_; };
    even_ = keep < 2 || std::adjacent_find(steps_.begin(), steps_.end(), other) == steps_.end();
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
    changed();
}

SeriesPoint Series::at(std::size_t index) const {
    return {steps_[index], times_[index], values_[index], smoothed_[index]};
}

std::optional<Range> Series::xRange(XAxis axis) const {
    if (empty()) return std::nullopt;
    return Range{x(0, axis), x(size() - 1, axis)};
}

Range Series::valueRange() const {
    const auto [lowest, highest] = raw_pyramid_.extremes(values_, 0, values_.size());
    return {static_cast<double>(values_[lowest]), static_cast<double>(values_[highest])};
}

std::optional<Range> Series::valueRange(XAxis axis, Range visible) const {
    if (empty()) return std::nullopt;
    const std::size_t first = lowerBound(visible.lower, axis), last = lowerBound(std::nextafter(visible.upper, INFINITY), axis);
    if (first >= last) return std::nullopt;
    const auto found = raw_pyramid_.search(values_, first, last);
    return Range{static_cast<double>(found.low), static_cast<double>(found.high)};
}

std::size_t Series::lowerBoundOfEvenSteps(double wanted, XAxis axis, std::size_t from) const {
    const auto xOf = [&](std::size_t index) { return x(index, axis); };
    const double first = xOf(0), share = (wanted - first) / (xOf(size() - 1) - first);
    auto index = static_cast<std::size_t>(
        std::clamp(std::ceil(share * static_cast<double>(size() - 1)), static_cast<double>(from), static_cast<double>(size())));
    while (index > from && xOf(index - 1) >= wanted) --index;
    while (index < size() && xOf(index) < wanted) ++index;
    return index;
}

std::size_t Series::lowerBound(double wanted, XAxis axis, std::size_t from) const {
    if (from >= size() || wanted <= x(from, axis)) return from;
    if (wanted > x(size() - 1, axis)) return size();
    if (even_ && (axis == XAxis::kStep || axis == XAxis::kEpoch)) return lowerBoundOfEvenSteps(wanted, axis, from);
    // Times rise evenly as a rule: then it is where the share of the way says.
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

const Series::Cut& Series::cut(const Look& look) const {
    if (look_ == look) return cut_;
    look_ = look;
    cut_.first = lowerBound(look.visible.lower, look.axis);
    cut_.last = lowerBound(std::nextafter(look.visible.upper, INFINITY), look.axis);
    cut_.ends.clear();
    if (cut_.last - cut_.first <= 2 * static_cast<std::size_t>(look.columns)) return cut_;
    cut_.ends.reserve(static_cast<std::size_t>(look.columns));
    std::size_t begin = cut_.first;
    for (int column = 1; column < look.columns && begin < cut_.last; ++column) {
        begin = std::min(cut_.last, lowerBound(columnEnd(look.visible, column, look.columns, look.spacing), look.axis, begin));
        cut_.ends.push_back(begin);
    }
    cut_.ends.push_back(cut_.last);
    return cut_;
}

std::vector<PlotPoint> Series::visiblePoints(Curve curve, XAxis axis, Range visible, int columns, Columns spacing) const {
    std::vector<PlotPoint> points;
    if (empty() || columns <= 0 || !(visible.size() > 0)) return points;
    const auto& [first, last, ends] = cut({axis, visible, columns, spacing});
    const auto add = [&](std::size_t i) { points.push_back({x(i, axis), static_cast<double>(y(i, curve))}); };

    points.reserve(2 * static_cast<std::size_t>(columns) + 2);
    if (first > 0) add(first - 1);
    if (ends.empty()) {
        for (std::size_t i = first; i < last; ++i) add(i);
    } else {
        const std::vector<float>& values = curve == Curve::kRaw ? values_ : smoothed_;
        const MinMaxPyramid& pyramid = curve == Curve::kRaw ? raw_pyramid_ : smoothed_pyramid_;
        std::size_t begin = first;
        for (const std::size_t end : ends) {
            if (end <= begin) continue;
            const auto [at, low, high] = pyramid.search(values, begin, end);
            const PlotPoint lowest{x(at.lowest, axis), static_cast<double>(low)}, highest{x(at.highest, axis), static_cast<double>(high)};
            points.push_back(at.lowest < at.highest ? lowest : highest);
            if (at.lowest != at.highest) points.push_back(at.lowest < at.highest ? highest : lowest);
            begin = end;
        }
    }
    if (last < size()) add(last);
    return points;
}

std::vector<PlotPoint> Series::visibleMeans(XAxis axis, Range visible, int columns, Columns spacing) const {
    if (empty() || columns <= 0 || !(visible.size() > 0)) return {};
    const auto& [first, last, ends] = cut({axis, visible, columns, spacing});
    if (ends.empty()) return visiblePoints(Curve::kSmoothed, axis, visible, columns, spacing);
    std::vector<PlotPoint> points;
    points.reserve(static_cast<std::size_t>(columns) + 3);
    const auto add = [&](std::size_t i) { points.push_back({x(i, axis), static_cast<double>(smoothed_[i])}); };
    if (first > 0) add(first - 1);
    std::size_t begin = first;
    double sum_before = begin > 0 ? sums_[begin - 1] : 0.0;
    for (const std::size_t end : ends) {
        if (end <= begin) continue;
        const double sum = sums_[end - 1];
        points.push_back({x(begin + (end - begin) / 2, axis), (sum - sum_before) / static_cast<double>(end - begin)});
        sum_before = sum;
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
