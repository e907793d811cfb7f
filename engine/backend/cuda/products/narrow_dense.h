// The way back of a dense layer of few columns and a batch that is not large, as classifiers end: a kernel of its own in the place of
// three launches.
#pragma once

#include <optional>

#include "engine/backend/cuda/bound_op.h"

namespace engine::backend::cuda {

// Binds a FusedDenseBack; nullopt when the layer has too many columns, the batch is too large, or the types differ.
std::optional<BoundOp> bindNarrowDenseBack(const Context& context, const plan::Op& op);

}  // namespace engine::backend::cuda
