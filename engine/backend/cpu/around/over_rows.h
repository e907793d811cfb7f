// Products of a whole table (plan::multiplyTables()): the table's rows stand where other ops have samples.
#pragma once

#include <memory>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// Binds the op to memory whose batch are the rows of its first input and runs it over all of them, once a step.
std::unique_ptr<BoundOp> bindOverRows(const Memory& memory, const plan::Op& op, const Bind& bind);

}  // namespace engine::backend::cpu
