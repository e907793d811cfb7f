// Every kind of op to its file.
#pragma once

#include <cstddef>

#include "engine/backend/cuda/bound_op.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

// Binds the op together with the update that is fused to it; `rule` is the number of the op's optimizer, where it has one. An op that the
// host carries out gets no work. Throws Error(kUnimplemented).
BoundOp bindOp(const Context& context, const plan::Op& op, std::size_t rule);

}  // namespace engine::backend::cuda
