// Keras' constraints: what is done to a weight after every update.
#pragma once

#include <optional>
#include <string_view>

#include "engine/plan/plan.h"
#include "engine/spec/model_spec.h"

namespace engine::plan {

// The constraint in a field of a layer ("kernel_constraint") for a variable of that rank; nothing when the field is absent or null. Throws
// Error: kUnimplemented for a class that no executor has, kInvalidArgument for an axis beyond the rank.
std::optional<ConstraintAttributes> constraintOf(const spec::LayerSpec& layer, std::string_view field, std::size_t rank);

}  // namespace engine::plan
