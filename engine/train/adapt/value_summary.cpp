#include "engine/train/adapt/value_summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

namespace engine::train {
namespace {

bool isBefore(float a, float b) {
    return std::isnan(b) ? !std::isnan(a) : a < b;
}

// y at x, along straight lines between the points; the outer ones beyond them. `xs` rise.
double between(double x, std::span<const float> xs, std::span<const float> ys) {
    const auto above = static_cast<std::size_t>(
        std::upper_bound(xs.begin(), xs.end(), x, [](double a, float b) { return a < static_cast<double>(b); }) - xs.begin());
    if (above == 0) return static_cast<double>(ys.front());
    const std::size_t i = above - 1;
    const auto x0 = static_cast<double>(xs[i]), y0 = static_cast<double>(ys[i]);
    if (above == xs.size() || x0 == x) return y0;
    return (static_cast<double>(ys[above]) - y0) / (static_cast<double>(xs[above]) - x0) * (x - x0) + y0;
}

}  // namespace

void ValueSummary::add(std::vector<float> values) {
    std::sort(values.begin(), values.end(), isBefore);
    // Every so manyth value stands for those up to it.
    const double step = std::max(static_cast<double>(values.size()) / (1.0 / epsilon_), 1.0);
    Rows rows;
    for (auto i = static_cast<std::size_t>(step - 1); i < values.size(); i += static_cast<std::size_t>(step)) {
        rows.values.push_back(values[i]);
        rows.weights.push_back(static_cast<float>(step));
    }
    rows.values.insert(rows.values.end(), rows_.values.begin(), rows_.values.end());
    rows.weights.insert(rows.weights.end(), rows_.weights.begin(), rows_.weights.end());
    std::vector<std::size_t> order(rows.values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return isBefore(rows.values[a], rows.values[b]); });
    Rows merged;
    for (const std::size_t i : order) {
        merged.values.push_back(rows.values[i]);
        merged.weights.push_back(rows.weights[i]);
    }
    rows_ = compressed(merged, epsilon_);
}

std::vector<float> ValueSummary::boundaries(std::int64_t bins) const {
    std::vector<float> values = compressed(rows_, 1.0 / static_cast<double>(bins)).values;
    if (!values.empty()) values.pop_back();
    return values;
}

ValueSummary::Rows ValueSummary::compressed(const Rows& rows, double epsilon) {
    if (static_cast<double>(rows.values.size()) * epsilon < 1) return rows;
    // Sums and shares of the weights in float32, as Keras has them; what lies between two of them in double.
    std::vector<float> sums(rows.weights.size()), shares(rows.weights.size());
    std::partial_sum(rows.weights.begin(), rows.weights.end(), sums.begin());
    std::transform(sums.begin(), sums.end(), shares.begin(), [&](float sum) { return sum / sums.back(); });
    const auto count = static_cast<std::size_t>(std::ceil(1.0 / epsilon));
    Rows result;
    double before = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = epsilon + static_cast<double>(i) * epsilon;
        const double sum = between(share, shares, sums);
        result.values.push_back(static_cast<float>(between(share, shares, rows.values)));
        result.weights.push_back(static_cast<float>(sum - before));
        before = sum;
    }
    return result;
}

}  // namespace engine::train
