// A run's weights and gradients in numbers and pictures, as its observers get them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/model_spec.h"
#include "engine/train/gradient_probe.h"

namespace engine::train {

// The distribution of the values in TensorBoard's buckets (engine/export/histogram.h). With no finite value everything but not_finite is 0.
spec::Distribution distributionOf(std::string name, std::span<const float> values);

inline constexpr std::int64_t kMostDenseValues = std::int64_t{1} << 15;

// The filters of the kernel (height, width, channels, filters) of the model's first Conv2D. In a model of images whose first layer with
// weights is Dense, behind a Flatten, they are that kernel's instead: each unit's weights lie as the pixels that it sees, (height, width,
// channels, units), for as many units as kMostDenseValues numbers hold. The name is empty where a model has neither.
spec::FilterPictures filterPictures(const spec::ModelSpec& model, const backend::Variables& variables);

// Everything but epoch and step. Optimizer slots are left out.
spec::WeightReport weightReport(const spec::ModelSpec& model, const backend::Variables& variables,
                                std::span<const GradientProbe::Gradient> gradients);

}  // namespace engine::train
