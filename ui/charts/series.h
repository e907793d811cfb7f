// SPDX-License-Identifier: GPL-3.0-or-later
// One curve of a chart: its points, their smoothed twin and what of them is worth drawing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ui/charts/min_max_pyramid.h"

namespace ui::models {

// The x axes: steps; seconds since the first point of the run, its pauses left out; seconds since 1970 (UTC); epochs done, 1.5 in the
// middle of the second.
enum class XAxis { kStep, kRelative, kWall, kEpoch };
// The way in which the pixel columns divide the axis.
enum class Columns { kEven, kLogarithmic };

struct PlotPoint {
    double x = 0;
    double y = 0;
    friend bool operator==(const PlotPoint&, const PlotPoint&) = default;
};

struct SeriesPoint {
    std::int64_t step = 0;
    std::int64_t time_unix_ns = 0;
    float value = 0;
    float smoothed = 0;
    friend bool operator==(const SeriesPoint&, const SeriesPoint&) = default;
};

struct Range {
    double lower = 0;
    double upper = 1;
    double size() const { return upper - lower; }
    friend bool operator==(const Range&, const Range&) = default;
};

// TensorBoard's de-biased exponential average: last = last·w + (1 − w)·y, shown = last / (1 − wⁿ), n counting finite points;
// a series that is constant so far is shown untouched.
class Smoother {
public:
    explicit Smoother(double weight = 0.0) : weight_(weight) {}
    double next(double value);

private:
    double weight_;
    double last_ = 0;
    double power_ = 1;  // wⁿ
    std::optional<double> constant_;
    bool is_constant_ = true;
};

// A stretch in which nobody worked on the run: it was over, and started again later.
struct Pause {
    std::int64_t from_unix_ns = 0, to_unix_ns = 0;
    friend bool operator==(const Pause&, const Pause&) = default;
};

// Returns the nanoseconds of `pauses` that lie before a time. The pauses are ordered by time and do not overlap.
std::int64_t pausedBefore(const std::vector<Pause>& pauses, std::int64_t time_unix_ns);

// Points of rising step. A point at or before the last step replaces everything from there on: a restarted attempt supersedes what it
// repeats. Non-finite values are counted and not kept. Owned by a chart; GUI thread only.
class Series {
public:
    enum class Curve { kRaw, kSmoothed };

    void append(std::int64_t step, std::int64_t time_unix_ns, float value);
    void clear();
    // Sets the weight of the smoothing, 0 (none) to below 1, and computes the smoothed curve anew.
    void setSmoothing(double weight);
    double smoothing() const { return weight_; }
    // Sets the zero of the relative axis.
    void setOrigin(std::int64_t time_unix_ns) {
        origin_unix_ns_ = time_unix_ns;
        changed();
    }
    // Sets the pauses that the relative axis leaves out; they are ordered by time and do not overlap.
    void setPauses(std::vector<Pause> pauses) {
        pauses_ = std::move(pauses);
        changed();
    }
    // Sets what the epoch axis divides by, and the epoch that step 0 begins; 0 steps (unknown yet): the axis shows steps.
    void setStepsPerEpoch(double steps, double first_epoch = 0) {
        steps_per_epoch_ = steps;
        first_epoch_ = first_epoch;
        changed();
    }

    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    std::int64_t nonFiniteCount() const { return non_finite_; }
    // Returns the step from which on no value was finite; nullopt while the newest one is.
    std::optional<std::int64_t> notFiniteSince() const { return not_finite_since_; }
    SeriesPoint at(std::size_t index) const;  // index < size()
    double x(std::size_t index, XAxis axis) const {
        return axis == XAxis::kStep || axis == XAxis::kEpoch ? stepX(stepAt(index), axis) : timeX(times_[index], axis);
    }
    // Returns the place on the axis of a moment of the run that is no point of the series.
    double xOf(std::int64_t step, std::int64_t time_unix_ns, XAxis axis) const {
        return axis == XAxis::kStep || axis == XAxis::kEpoch ? stepX(step, axis) : timeX(time_unix_ns, axis);
    }
    float y(std::size_t index, Curve curve) const { return curve == Curve::kRaw ? values_[index] : smoothed_[index]; }
    std::optional<Range> xRange(XAxis axis) const;
    Range valueRange() const;  // lowest and highest raw value; not empty()
    // The same of the points in sight; nullopt where there are none.
    std::optional<Range> valueRange(XAxis axis, Range visible) const;
    // Returns the newest point whose x is not beyond `x`.
    std::optional<std::size_t> indexAtOrBefore(double x, XAxis axis) const;

    // Returns what a plot `columns` pixels wide needs to look as if every point of [visible] had been drawn: at most two points a column,
    // its lowest and highest in their order, and one neighbour beyond either edge. Returns all points when there are fewer.
    std::vector<PlotPoint> visiblePoints(Curve curve, XAxis axis, Range visible, int columns, Columns spacing = Columns::kEven) const;

    // Returns the smoothed curve with the mean of each column, one point a column; as visiblePoints() when there are fewer points.
    std::vector<PlotPoint> visibleMeans(XAxis axis, Range visible, int columns, Columns spacing = Columns::kEven) const;

private:
    // The arguments of one look at the series. Its result is kept until they or the series change: every curve of a chart asks for the
    // same.
    struct Look {
        XAxis axis = XAxis::kStep;
        Range visible;
        int columns = 0;
        Columns spacing = Columns::kEven;
        friend bool operator==(const Look&, const Look&) = default;
    };
    struct Cut {
        std::size_t first = 0, last = 0;  // points in sight
        std::vector<std::size_t> ends;    // of the columns, the last one's is `last`; empty where there are few points
    };

    // Evenly rising steps need no look at them: far apart, each would have to come from memory.
    std::int64_t stepAt(std::size_t index) const {
        return even_ ? steps_.front() + static_cast<std::int64_t>(index) * stride_ : steps_[index];
    }
    double stepX(std::int64_t step, XAxis axis) const {
        const auto count = static_cast<double>(step);
        return axis == XAxis::kEpoch && steps_per_epoch_ > 0 ? first_epoch_ + count / steps_per_epoch_ : count;
    }
    double timeX(std::int64_t time_unix_ns, XAxis axis) const {
        if (axis == XAxis::kRelative) time_unix_ns -= origin_unix_ns_ + (pauses_.empty() ? 0 : pausedBefore(pauses_, time_unix_ns));
        return static_cast<double>(time_unix_ns) * 1e-9;
    }
    void truncateFrom(std::int64_t step);
    void rebuildSmoothed();
    void changed() { look_.reset(); }
    // Returns the first index from `from` on whose x is not below the wanted one.
    std::size_t lowerBound(double wanted, XAxis axis, std::size_t from = 0) const;
    std::size_t lowerBoundOfEvenSteps(double wanted, XAxis axis, std::size_t from) const;
    const Cut& cut(const Look& look) const;

    std::vector<std::int64_t> steps_;
    std::int64_t stride_ = 0;  // between two steps, where all of them rise by the same
    bool even_ = true;         // whether they do
    std::vector<std::int64_t> times_;
    std::vector<float> values_;
    std::vector<float> smoothed_;
    std::vector<double> sums_;  // of smoothed_ up to and with each point
    MinMaxPyramid raw_pyramid_;
    MinMaxPyramid smoothed_pyramid_;
    Smoother smoother_;
    double weight_ = 0;
    std::int64_t origin_unix_ns_ = 0;
    std::vector<Pause> pauses_;
    double steps_per_epoch_ = 0, first_epoch_ = 0;
    std::int64_t non_finite_ = 0;
    std::optional<std::int64_t> not_finite_since_;
    mutable std::optional<Look> look_;  // that cut_ was made for
    mutable Cut cut_;
};

// Returns the y range that shows `values` well: all of them, or (when few lie far outside the rest) from the 8th to the 92nd percentile,
// much as TensorBoard's "ignore outliers" does; 5 % of room on both sides. nullopt without a finite value.
std::optional<Range> robustRange(std::vector<double> values);

}  // namespace ui::models
