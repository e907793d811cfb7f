// A run's weights and gradients in numbers and pictures, as its observers get them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/model_spec.h"
#include "engine/train/gradient_probe.h"

namespace engine::train {

// With TensorBoard's buckets (engine/export/histogram.h). No finite value: everything but not_finite is 0.
spec::Distribution distributionOf(std::string name, std::span<const float> values);

// Of the kernel (height, width, channels, filters) of the model's first Conv2D; without a name when it has none.
spec::FilterPictures filterPictures(const spec::ModelSpec& model, const backend::Variables& variables);

// Everything but epoch and step. Optimizer slots are left out.
spec::WeightReport weightReport(const spec::ModelSpec& model, const backend::Variables& variables,
                                std::span<const GradientProbe::Gradient> gradients);

}  // namespace engine::train
