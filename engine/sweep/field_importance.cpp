#include "engine/sweep/field_importance.h"

#include <algorithm>
#include <cmath>

#include "engine/sweep/regression_tree.h"

namespace engine::sweep {
namespace {

constexpr int kTrees = 64;

std::vector<Sample> samplesOf(const Sweep& sweep) {
    std::vector<Sample> samples;
    for (const Trial& trial : sweep.trials()) {
        if (trial.values.empty() || !std::isfinite(trial.values.front())) continue;
        Sample sample{{}, trial.values.front()};
        for (std::size_t i = 0; i < trial.configuration.size(); ++i) {
            sample.at.push_back(placeOf(sweep.settings().fields[i], trial.configuration[i]).value_or(0.5));
        }
        samples.push_back(std::move(sample));
    }
    if (samples.size() <= kMostForImportance) return samples;
    std::vector<Sample> some;
    for (std::size_t i = 0; i < kMostForImportance; ++i) some.push_back(samples[i * samples.size() / kMostForImportance]);
    return some;
}

}  // namespace

std::optional<FieldImportance> importanceOf(const Sweep& sweep) {
    const std::vector<Sample> samples = samplesOf(sweep);
    if (samples.size() < kLeastForImportance) return std::nullopt;
    FieldImportance importance{std::vector<double>(sweep.settings().fields.size(), 0), 0, static_cast<int>(samples.size())};
    Draws draws(sweep.settings().seed);
    int counted = 0;
    for (int tree = 0; tree < kTrees; ++tree) {
        std::vector<Sample> drawn;
        for (std::size_t i = 0; i < samples.size(); ++i) drawn.push_back(samples[draws.below(samples.size())]);
        const RegressionTree grown(drawn);
        const double all = grown.variance();
        if (!(all > 0)) continue;
        ++counted;
        for (std::size_t field = 0; field < importance.alone.size(); ++field) importance.alone[field] += grown.varianceOf(field) / all;
    }
    if (counted == 0) return std::nullopt;
    double sum = 0;
    for (double& share : importance.alone) sum += share = std::clamp(share / counted, 0.0, 1.0);
    importance.together = std::max(0.0, 1 - sum);
    return importance;
}

}  // namespace engine::sweep
