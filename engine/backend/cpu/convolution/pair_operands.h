// Which operands of which ops go into products as pairs of bfloat16, without a copy in float32.
#pragma once

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// Of a matrix or a convolution, forward or backward.
bool isProduct(const plan::Op& op);
// A fixed function of kernels, processor and shapes.
bool takesPairs(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// Whether such an op takes this input as it is; the others are widened.
bool isPairOperand(const plan::Op& op, plan::TensorId input);

// Whether a product finds pairs here.
inline bool holdsPairs(const Memory& memory, plan::TensorId id) {
    return memory.tensor(id).dtype == tensor::DType::kBFloat16;
}

}  // namespace engine::backend::cpu
