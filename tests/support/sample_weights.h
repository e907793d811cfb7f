// Made-up reports of a chief about its weights: bumps that widen over the epochs, by plain formulas. Not measured; never shown as a result.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace tests {

inline engine::spec::Distribution sampleDistribution(const std::string& name, double centre, double width) {
    constexpr int kBuckets = 40;
    engine::spec::Distribution out;
    out.name = name;
    out.minimum = centre - 3 * width;
    out.maximum = centre + 3 * width;
    out.mean = centre;
    out.deviation = width;
    out.norm = 17 * width;
    for (int i = 0; i < kBuckets; ++i) {
        const double x = -3 + 6 * (i + 0.5) / kBuckets;
        out.counts.push_back(std::llround(4000 * std::exp(-x * x / 2)));
    }
    return out;
}

// Returns the report of one epoch, from 0: a convolution with `kernels` of 3 x 3 and a dense layer, their gradients, the kernels as
// pictures.
inline engine::spec::WeightReport sampleWeights(int epoch, int kernels = 32) {
    engine::spec::WeightReport report;
    report.epoch = epoch;
    report.step = 469 * (epoch + 1);
    const double grown = 0.05 + 0.01 * epoch;
    report.weights = {sampleDistribution("conv2d/kernel", 0.01 * epoch, grown), sampleDistribution("conv2d/bias", 0, grown / 4),
                      sampleDistribution("dense/kernel", -0.01 * epoch, grown / 2)};
    report.gradients = {sampleDistribution("conv2d/kernel", 0, 0.01 / (1 + epoch)), sampleDistribution("conv2d/bias", 0, 0.004),
                        sampleDistribution("dense/kernel", 0, 0.002)};
    report.weights_norm = 40 * grown;
    report.gradients_norm = 0.3 / (1 + epoch);
    report.filters = {"conv2d/kernel", 3, 3, 1, kernels, {}};
    for (int kernel = 0; kernel < kernels; ++kernel) {
        for (int pixel = 0; pixel < 9; ++pixel) report.filters.values.push_back(static_cast<float>(std::sin(kernel * 1.3 + pixel * 0.9)));
    }
    return report;
}

}  // namespace tests
