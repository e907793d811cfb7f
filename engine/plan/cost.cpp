#include "engine/plan/cost.h"

#include "engine/plan/index/plan_index.h"
#include "engine/plan/op_table.h"

namespace engine::plan {
namespace {

const TensorDesc& tensorOf(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

std::int64_t trafficOf(const Plan& plan, const Op& op, const SlotIndex& slots) {
    if (rowOf(op.kind).is_alias) return 0;
    std::int64_t bytes = 0;
    for (TensorId id : op.inputs) bytes += byteCount(tensorOf(plan, id));
    for (TensorId id : op.outputs) {
        const bool applied = op.fused_update && tensorOf(plan, id).role == TensorRole::kGradient;
        if (!applied) bytes += byteCount(tensorOf(plan, id));
        if (!applied) continue;
        // Parameter and slots are read and written in the gradient's place.
        const TensorId parameter = tensorOf(plan, id).of;
        bytes += 2 * byteCount(tensorOf(plan, parameter));
        for (TensorId slot : slots.of(parameter)) bytes += 2 * byteCount(tensorOf(plan, slot));
    }
    return bytes;
}

}  // namespace

PlanCost cost(const Plan& plan) {
    PlanCost total;
    const SlotIndex slots(plan);
    for (const Op& op : plan.ops) {
        const auto work = rowOf(op.kind).work;
        total.ops.push_back({.name = op.name,
                             .phase = op.phase,
                             .multiply_adds = work == nullptr ? 0 : work(plan, op),
                             .bytes = trafficOf(plan, op, slots)});
        total.multiply_adds += total.ops.back().multiply_adds;
        total.bytes += total.ops.back().bytes;
    }
    for (const Bucket& bucket : plan.buckets) total.reduced_bytes += bucket.bytes;
    return total;
}

}  // namespace engine::plan
