// Every kind of op to its file.
#pragma once

#include <cstddef>

#include "engine/backend/cuda/bound_op.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

// With the update that is fused to it; `rule`: the number of the op's optimizer, where it has one. Without work for ops that the host does.
// Throws Error(kUnimplemented).
BoundOp bindOp(const Context& context, const plan::Op& op, std::size_t rule);

}  // namespace engine::backend::cuda
