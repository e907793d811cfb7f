#include "engine/sweep/regression_tree.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/spec/error.h"

namespace engine::sweep {
namespace {

struct Split {
    std::size_t coordinate = 0;
    double at = 0;
};

// The one that leaves the least sum of squares; nullopt where all samples are in one place, or alike.
std::optional<Split> bestSplit(std::vector<const Sample*>& samples) {
    const auto alike = [&](const Sample* one) { return one->value == samples.front()->value; };
    if (std::all_of(samples.begin(), samples.end(), alike)) return std::nullopt;
    std::optional<Split> best;
    double best_gain = -std::numeric_limits<double>::infinity(), all = 0;
    for (const Sample* one : samples) all += one->value;
    const auto count = static_cast<double>(samples.size());
    for (std::size_t coordinate = 0; coordinate < samples.front()->at.size(); ++coordinate) {
        std::stable_sort(samples.begin(), samples.end(),
                         [&](const Sample* a, const Sample* b) { return a->at[coordinate] < b->at[coordinate]; });
        double left = 0;
        for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
            left += samples[i]->value;
            if (samples[i]->at[coordinate] == samples[i + 1]->at[coordinate]) continue;
            const auto before = static_cast<double>(i + 1);
            const double right = all - left, gain = left * left / before + right * right / (count - before);
            if (gain <= best_gain) continue;
            best_gain = gain;
            best = Split{coordinate, (samples[i]->at[coordinate] + samples[i + 1]->at[coordinate]) / 2};
        }
    }
    return best;
}

}  // namespace

double RegressionTree::Leaf::volume() const {
    double volume = 1;
    for (std::size_t i = 0; i < low.size(); ++i) volume *= high[i] - low[i];
    return volume;
}

RegressionTree::RegressionTree(const std::vector<Sample>& samples) {
    ENGINE_CHECK(!samples.empty());
    std::vector<const Sample*> all;
    all.reserve(samples.size());
    for (const Sample& one : samples) all.push_back(&one);
    const std::size_t coordinates = samples.front().at.size();
    grow(std::move(all), {std::vector<double>(coordinates, 0), std::vector<double>(coordinates, 1), 0});
}

void RegressionTree::grow(std::vector<const Sample*> samples, Leaf box) {
    const std::optional<Split> split = bestSplit(samples);
    if (!split) {
        for (const Sample* one : samples) box.value += one->value / static_cast<double>(samples.size());
        leaves_.push_back(std::move(box));
        return;
    }
    const auto middle =
        std::stable_partition(samples.begin(), samples.end(), [&](const Sample* one) { return one->at[split->coordinate] < split->at; });
    Leaf left = box;
    left.high[split->coordinate] = box.low[split->coordinate] = split->at;
    grow({samples.begin(), middle}, std::move(left));
    grow({middle, samples.end()}, std::move(box));
}

double RegressionTree::mean() const {
    double mean = 0;
    for (const Leaf& leaf : leaves_) mean += leaf.volume() * leaf.value;
    return mean;
}

double RegressionTree::variance() const {
    const double middle = mean();
    double sum = 0;
    for (const Leaf& leaf : leaves_) sum += leaf.volume() * (leaf.value - middle) * (leaf.value - middle);
    return sum;
}

double RegressionTree::varianceOf(std::size_t coordinate) const {
    std::vector<double> edges;
    for (const Leaf& leaf : leaves_) edges.insert(edges.end(), {leaf.low[coordinate], leaf.high[coordinate]});
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    // Between two edges the mean over the other coordinates stays the same. `added` is what each leaf adds to it where it begins, and takes
    // away where it ends.
    std::vector<double> added(edges.size(), 0);
    const auto placeOf = [&](double edge) {
        return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin());
    };
    for (const Leaf& leaf : leaves_) {
        const double part = leaf.value * leaf.volume() / (leaf.high[coordinate] - leaf.low[coordinate]);
        added[placeOf(leaf.low[coordinate])] += part;
        added[placeOf(leaf.high[coordinate])] -= part;
    }
    const double middle = mean();
    double sum = 0, marginal = 0;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        marginal += added[i];
        sum += (edges[i + 1] - edges[i]) * (marginal - middle) * (marginal - middle);
    }
    return sum;
}

}  // namespace engine::sweep
