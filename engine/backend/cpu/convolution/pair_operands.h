// Which operands of which ops go into products as pairs of bfloat16, without a copy in float32.
#pragma once

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// True for a product of matrices or a convolution, forward or backward.
bool isProduct(const plan::Op& op);
// True when the op's kernel multiplies pairs; this depends on kernels, processor and shapes alone.
bool takesPairs(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// True when such an op takes this input as it is; other inputs are widened to float32.
bool isPairOperand(const plan::Op& op, plan::TensorId input);

// True when the tensor is bfloat16, whose values a product reads as pairs.
inline bool holdsPairs(const Memory& memory, plan::TensorId id) {
    return memory.tensor(id).dtype == tensor::DType::kBFloat16;
}

}  // namespace engine::backend::cpu
