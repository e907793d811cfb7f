#include "engine/backend/constraint.h"

#include <algorithm>
#include <vector>

namespace engine::backend {

void applyConstraint(const plan::ConstraintAttributes& constraint, const spec::Shape& shape, std::span<float> weight) {
    if (constraint.kind == plan::ConstraintKind::kNonNeg) {
        for (float& value : weight) value = std::max(value, 0.0F);
        return;
    }
    spec::Shape kept = shape;  // 1 along the axes of the norm
    for (const int axis : constraint.axes) kept[static_cast<std::size_t>(axis)] = 1;
    const std::vector<std::int64_t> norm_of = plan::broadcastIndices(shape, kept);
    std::vector<double> factors(weight.size(), 0.0);
    for (std::size_t i = 0; i < weight.size(); ++i) {
        factors[static_cast<std::size_t>(norm_of[i])] += static_cast<double>(weight[i]) * static_cast<double>(weight[i]);
    }
    for (double& factor : factors) factor = constraintFactor(normConstraint(constraint), factor);
    for (std::size_t i = 0; i < weight.size(); ++i) {
        weight[i] = static_cast<float>(static_cast<double>(weight[i]) * factors[static_cast<std::size_t>(norm_of[i])]);
    }
}

}  // namespace engine::backend
