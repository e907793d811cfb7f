#include <utility>
#include <vector>

#include "engine/plan/passes/passes.h"

namespace engine::plan {

Plan withoutSlots(Plan plan) {
    std::vector<TensorId> moved(plan.tensors.size(), kNoTensor);
    std::vector<TensorDesc> kept;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        if (plan.tensors[i].role == TensorRole::kSlot) continue;
        moved[i] = static_cast<TensorId>(kept.size());
        kept.push_back(std::move(plan.tensors[i]));
    }
    const auto move = [&moved](TensorId& id) {
        if (id != kNoTensor) id = moved[static_cast<std::size_t>(id)];
    };
    for (TensorDesc& tensor : kept) move(tensor.of);
    plan.tensors = std::move(kept);
    for (Op& op : plan.ops) {
        for (TensorId& id : op.inputs) move(id);
        for (TensorId& id : op.outputs) move(id);
    }
    for (Bucket& bucket : plan.buckets) {
        for (TensorId& id : bucket.gradients) move(id);
    }
    for (TensorId* id : {&plan.input, &plan.label, &plan.sample_weight, &plan.output, &plan.header}) move(*id);
    return plan;
}

}  // namespace engine::plan
