// Ops that work on several items of a sample as if each were a sample: the layers inside TimeDistributed.
#pragma once

#include <memory>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// Binds the op to memory whose batch is `items_per_sample` times as large, and gives it that many items for each sample of a step. Each
// thread has the items of its own samples, so that ops before and after it need not wait for other threads.
std::unique_ptr<BoundOp> bindFolded(const Memory& memory, std::int64_t items_per_sample, const Bind& bind);

}  // namespace engine::backend::cpu
