// Keras' constraints as plain loops: one definition for every back-end. Weights are few and a step applies them once.
#pragma once

#include <cmath>
#include <span>

#include "engine/plan/plan.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// A constraint of norms as a formula: plain values.
struct NormConstraint {
    plan::ConstraintKind kind = plan::ConstraintKind::kMaxNorm;
    double minimum = 0, maximum = 1, rate = 1;
};
inline NormConstraint normConstraint(const plan::ConstraintAttributes& constraint) {
    return {constraint.kind, constraint.minimum, constraint.maximum, constraint.rate};
}

// What the values of a norm are multiplied with, from the sum of their squares.
TANDEM_DEVICE inline double constraintFactor(const NormConstraint& constraint, double squares) {
    constexpr double kEpsilon = 1e-7;  // Keras' backend.epsilon()
    const double norm = std::sqrt(squares);
    const auto within = [norm](double low, double high) { return norm < low ? low : high < norm ? high : norm; };
    double wanted = 1;
    if (constraint.kind == plan::ConstraintKind::kMaxNorm) wanted = within(0.0, constraint.maximum);
    if (constraint.kind == plan::ConstraintKind::kMinMaxNorm) {
        wanted = constraint.rate * within(constraint.minimum, constraint.maximum) + (1 - constraint.rate) * norm;
    }
    return wanted / (kEpsilon + norm);
}

// `weight` holds the values of `shape` in C order and is changed in place; formulas: engine/plan/op_attributes.h.
void applyConstraint(const plan::ConstraintAttributes& constraint, const spec::Shape& shape, std::span<float> weight);

}  // namespace engine::backend
