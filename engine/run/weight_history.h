// What was reported of the run's weights and gradients: every fit.histogram_freq epochs, and of its layers in some steps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace engine::run {

// What a WeightReport says of one variable or its gradient, at the end of an epoch.
struct DistributionEntry {
    double step = 0, epoch = 0, time_s = 0;  // steps done in all; from 0; since the run was created
    double minimum = 0, maximum = 0, mean = 0, deviation = 0, norm = 0;
    std::int64_t not_finite = 0;       // values left out of the rest
    std::vector<double> limits;        // of the buckets, rising: one more than counts. All equal where all values are
    std::vector<std::int64_t> counts;  // of values per bucket
};

struct VariableHistory {
    std::string name;  // "conv2d/kernel"
    std::vector<DistributionEntry> entries;
};

// The norms of all weights together and of all gradients together.
struct NormEntry {
    double step = 0, epoch = 0, time_s = 0;
    double weights = 0;
    double gradients = 0;  // NaN where the report had none
};

struct FilterEntry {
    double step = 0, epoch = 0, time_s = 0;
    spec::FilterPictures filters;
};

struct LayerEntry {
    double time_s = 0;  // since the run was created
    spec::LayerReport report;
    // The layer's entry; nullptr where the report has none.
    const spec::LayerMeasure* find(std::string_view layer) const;
};

// Update norm over weight norm; NaN of a layer whose weights are all 0, of one that is not trained, and of what is not finite.
double updateRatio(const spec::LayerMeasure& layer);
// The dead share of its units, from 0 to 1; NaN for a layer without ReLU-like activations.
double deadShare(const spec::LayerMeasure& layer);

// Owned by a RunHistory; one thread. Its entries stand in order of step; all are empty when the project asks for no reports. References
// live until the next change.
class WeightHistory {
public:
    // The histories in the model's order.
    const std::vector<VariableHistory>& weights() const { return weights_; }
    const std::vector<VariableHistory>& gradients() const { return gradients_; }
    const std::vector<NormEntry>& norms() const { return norms_; }
    // The filters of the first convolution; empty when the model has none.
    const std::vector<FilterEntry>& filters() const { return filters_; }
    // What was measured of each layer, in some steps.
    const std::vector<LayerEntry>& layers() const { return layers_; }
    // The names of all layers in layers(), in the order in which they were first told.
    std::vector<std::string> layerNames() const;

    // A report of a step that was reported before takes the place of that one and of all of its kind after it. `time_s`: since the run was
    // created.
    void add(const spec::WeightReport& report, double time_s);
    void add(const spec::LayerReport& report, double time_s);
    // Reports of later steps go.
    void dropAfter(double last_step);

private:
    void dropReportsAfter(double last_step);

    std::vector<VariableHistory> weights_, gradients_;
    std::vector<NormEntry> norms_;
    std::vector<FilterEntry> filters_;
    std::vector<LayerEntry> layers_;
};

}  // namespace engine::run
