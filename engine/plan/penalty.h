// Keras' regularizers: l1 sum |x| + l2 sum x^2 of a weight, or of a layer's output (divided by the samples then), or how far the rows or
// columns of a weight are from orthogonal, added to the loss.
#pragma once

#include <optional>
#include <string_view>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/plan.h"
#include "engine/spec/model_spec.h"

namespace engine::plan {

// The regularizer in a field of a layer ("kernel_regularizer"); nothing when the field is absent, null or does nothing. Throws
// Error(kUnimplemented) for a class that no executor has.
std::optional<Penalty> penaltyOf(const spec::LayerSpec& layer, std::string_view field);

// The layer's variable that such a field means: "kernel", "depthwise_kernel", "embeddings"; kNoTensor when the layer has none.
TensorId penalisedVariable(NameIndex& names, const spec::LayerSpec& layer, std::string_view field);

}  // namespace engine::plan
