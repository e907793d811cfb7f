// Made-up measures of a run's layers: two layers that learn, by plain formulas. Not measured; never shown as a result.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "engine/spec/events/task_event.h"

namespace tests {

inline engine::spec::LayerMeasure sampleLayer(const std::string& name, double gradient, double ratio, std::int64_t units = 0,
                                              std::int64_t dead = 0) {
    return {.layer = name,
            .gradient_norm = gradient,
            .weights_norm = 4,
            .update_norm = 4 * ratio,
            .gradient_not_finite = 0,
            .weights_not_finite = 0,
            .units = units,
            .dead_units = dead};
}

inline engine::spec::LayerReport sampleLayers(std::int64_t step) {
    const double fall = 1 / std::sqrt(1 + static_cast<double>(step) / 20);
    engine::spec::LayerReport report{.epoch = static_cast<std::int32_t>((step - 1) / 469), .step = step, .samples = 64, .layers = {}};
    report.layers = {sampleLayer("conv2d", 0.8 * fall, 4e-3 * fall, 32, 2), sampleLayer("dense", 0.4 * fall, 1e-3 * fall, 64, 3),
                     sampleLayer("dense_1", 1.6 * fall, 2e-3 * fall)};
    return report;
}

}  // namespace tests
