// Ops that read or make bfloat16. What has no kernel for that runs the float32 kernel on copies: values are widened before and rounded
// after it. Products may take their operands as they are (see PairProducts); their results are rounded from float32 all the same.
#pragma once

#include <memory>
#include <vector>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// True when the op reads or makes a bfloat16 tensor. Casts and reshapes never count: they need no copies.
bool isMixed(const plan::Plan& plan, const plan::Op& op);
// The size of the float32 copies that the op needs, in bytes. The copies of several ops may share memory.
std::int64_t copiesBytes(const plan::Plan& plan, const plan::Op& op);

// Binds the op to memory in which copies stand for its bfloat16 tensors. `copies`: copiesBytes() of them, as long as the op lives.
std::unique_ptr<BoundOp> bindMixed(const Memory& memory, const plan::Op& op, const KernelTable& kernels, std::byte* copies,
                                   const Bind& bind);

}  // namespace engine::backend::cpu
