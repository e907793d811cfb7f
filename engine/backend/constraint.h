// Keras' constraints as plain loops: one definition for every back-end. Weights are few and a step applies them once.
#pragma once

#include <span>

#include "engine/plan/plan.h"

namespace engine::backend {

// `weight` holds the values of `shape` in C order and is changed in place; formulas: engine/plan/plan.h.
void applyConstraint(const plan::ConstraintAttributes& constraint, const spec::Shape& shape, std::span<float> weight);

}  // namespace engine::backend
