#include "engine/backend/cuda/step_fault.h"

#include <string>

#include "engine/backend/hashing.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {

void throwIfSet(const plan::Plan& plan, const StepFault& fault) {
    if (fault.is_set == 0) return;
    const plan::Op& op = plan.ops.at(static_cast<std::size_t>(fault.op));
    const plan::TensorDesc& ids = plan.tensors[static_cast<std::size_t>(op.inputs[0])];
    const std::int64_t ids_of_item = plan::elementCount(ids) / ids.shape.front();
    if (op.kind == plan::OpKind::kIndex) {
        throw Error(ErrorCode::kOutOfRange,
                    unknownValueText(op.layer, static_cast<float>(fault.id), static_cast<std::size_t>(fault.item / ids_of_item)));
    }
    const plan::TensorDesc& table = plan.tensors[static_cast<std::size_t>(op.inputs[1])];
    throw Error(ErrorCode::kOutOfRange, op.layer + ": expected ids from 0 to " + std::to_string(table.shape[0] - 1) + ", got " +
                                            std::to_string(fault.id) + " in sample " + std::to_string(fault.item / ids_of_item) +
                                            " of the batch");
}

}  // namespace engine::backend::cuda
