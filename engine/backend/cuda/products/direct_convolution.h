// Convolutions of few channels with all that is fused to them, in one kernel a way: a thread has a filter's weights in registers and the
// block its image in shared memory. Only .cu files include it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/backend/cuda/bound_op.h"

namespace engine::backend::cuda {

// kFusedConvBlock, or kFusedConvBlockBack without dx; nothing for what these kernels do not cover.
std::optional<BoundOp> bindDirectConvolution(const Context& context, const plan::Op& op);

}  // namespace engine::backend::cuda
