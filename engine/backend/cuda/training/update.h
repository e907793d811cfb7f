// Updates of weights, for the ops that do more than that.
#pragma once

#include <cstddef>

#include "engine/backend/cuda/bound_op.h"

namespace engine::backend::cuda {

// What a gradient op with a fused update does: its gradients, then the update of their parameters.
BoundOp withUpdate(BoundOp gradients, const Context& context, const plan::Op& op, std::size_t rule);

}  // namespace engine::backend::cuda
