// Ops behind a gate (plan::Op::gate): where it is closed, the first input is the first output.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// Puts `bound`, which was bound for `op` with `items_per_sample` items a sample, behind the op's gate: it does not run in a step in which
// the gate is closed. `memory` and `op` outlive what is returned.
std::unique_ptr<BoundOp> bindGated(const Memory& memory, const plan::Op& op, std::int64_t items_per_sample, std::unique_ptr<BoundOp> bound);

}  // namespace engine::backend::cpu
