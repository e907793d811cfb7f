#include "engine/run/weight_history.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace engine::run {

using namespace spec;

namespace {

constexpr double kNoWeight = std::numeric_limits<double>::quiet_NaN();

std::vector<double> bucketLimits(const Distribution& distribution) {
    std::vector<double> limits;
    const std::size_t buckets = distribution.counts.size();
    for (std::size_t i = 0; i <= buckets && buckets > 0; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(buckets);
        limits.push_back(distribution.minimum + part * (distribution.maximum - distribution.minimum));
    }
    return limits;
}

void append(std::vector<VariableHistory>& histories, const std::vector<Distribution>& distributions, const NormEntry& when) {
    std::size_t place = 0;  // reports have the same variables in the same order: the one at this place is looked at first
    for (const Distribution& distribution : distributions) {
        const std::size_t here = place++;
        const bool is_here = here < histories.size() && histories[here].name == distribution.name;
        auto at = is_here ? histories.begin() + static_cast<std::ptrdiff_t>(here)
                          : std::find_if(histories.begin(), histories.end(),
                                         [&](const VariableHistory& h) { return h.name == distribution.name; });
        if (at == histories.end()) at = histories.insert(at, {.name = distribution.name, .entries = {}});
        at->entries.push_back({.step = when.step,
                               .epoch = when.epoch,
                               .time_s = when.time_s,
                               .minimum = distribution.minimum,
                               .maximum = distribution.maximum,
                               .mean = distribution.mean,
                               .deviation = distribution.deviation,
                               .norm = distribution.norm,
                               .not_finite = distribution.not_finite,
                               .limits = bucketLimits(distribution),
                               .counts = distribution.counts});
    }
}

}  // namespace

const LayerMeasure* LayerEntry::find(std::string_view layer) const {
    const auto at = std::find_if(report.layers.begin(), report.layers.end(), [&](const LayerMeasure& one) { return one.layer == layer; });
    return at == report.layers.end() ? nullptr : &*at;
}

double updateRatio(const LayerMeasure& layer) {
    const double ratio = layer.weights_norm > 0 ? layer.update_norm / layer.weights_norm : kNoWeight;
    return std::isfinite(ratio) ? ratio : kNoWeight;
}

double deadShare(const LayerMeasure& layer) {
    return layer.units > 0 ? static_cast<double>(layer.dead_units) / static_cast<double>(layer.units) : kNoWeight;
}

std::vector<std::string> WeightHistory::layerNames() const {
    std::vector<std::string> names;
    for (const LayerEntry& entry : layers_) {
        for (const LayerMeasure& layer : entry.report.layers) {
            if (std::find(names.begin(), names.end(), layer.layer) == names.end()) names.push_back(layer.layer);
        }
    }
    return names;
}

void WeightHistory::add(const LayerReport& report, double time_s) {
    std::erase_if(layers_, [&](const LayerEntry& entry) { return entry.report.step >= report.step; });
    layers_.push_back({time_s, report});
}

void WeightHistory::add(const WeightReport& report, double time_s) {
    if (!norms_.empty() && norms_.back().step >= static_cast<double>(report.step)) dropReportsAfter(static_cast<double>(report.step) - 1);
    const NormEntry entry{.step = static_cast<double>(report.step),
                          .epoch = static_cast<double>(report.epoch),
                          .time_s = time_s,
                          .weights = report.weights_norm,
                          .gradients = report.gradients.empty() ? kNoWeight : report.gradients_norm};
    norms_.push_back(entry);
    append(weights_, report.weights, entry);
    append(gradients_, report.gradients, entry);
    if (!report.filters.name.empty()) filters_.push_back({entry.step, entry.epoch, time_s, report.filters});
}

void WeightHistory::dropAfter(double last_step) {
    dropReportsAfter(last_step);
    std::erase_if(layers_, [&](const LayerEntry& entry) { return static_cast<double>(entry.report.step) > last_step; });
}

void WeightHistory::dropReportsAfter(double last_step) {
    const auto isLater = [&](const auto& entry) { return entry.step > last_step; };
    for (auto* histories : {&weights_, &gradients_}) {
        for (VariableHistory& history : *histories) std::erase_if(history.entries, isLater);
    }
    std::erase_if(norms_, isLater);
    std::erase_if(filters_, isLater);
}

}  // namespace engine::run
