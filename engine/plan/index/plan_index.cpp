#include "engine/plan/index/plan_index.h"

#include <cstddef>

#include "engine/plan/index/looks.h"

namespace engine::plan {

PlanIndex::PlanIndex(const Plan& plan) : producers_(plan.tensors.size()), consumers_(plan.tensors.size()) {
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        for (TensorId id : plan.ops[i].inputs) consumers_[static_cast<std::size_t>(id)].push_back(static_cast<int>(i));
        for (TensorId id : plan.ops[i].outputs) producers_[static_cast<std::size_t>(id)].push_back(static_cast<int>(i));
    }
}

SlotIndex::SlotIndex(const Plan& plan) : slots_(plan.tensors.size()) {
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        const TensorDesc& tensor = plan.tensors[i];
        if (tensor.role == TensorRole::kSlot && tensor.of != kNoTensor) {
            slots_[static_cast<std::size_t>(tensor.of)].push_back(static_cast<TensorId>(i));
        }
    }
}

BucketIndex::BucketIndex(const Plan& plan) : buckets_(plan.tensors.size(), -1) {
    for (std::size_t i = plan.buckets.size(); i-- > 0;) {  // the first bucket counts, as bucketOf() finds it
        for (const TensorId id : plan.buckets[i].gradients) buckets_[static_cast<std::size_t>(id)] = static_cast<int>(i);
    }
}

TensorId NameIndex::find(std::string_view name) {
    for (; known_ < plan_.tensors.size(); ++known_) ids_.emplace(plan_.tensors[known_].name, static_cast<TensorId>(known_));
    ++looksOfThisThread();
    const auto found = ids_.find(std::string(name));
    return found == ids_.end() ? kNoTensor : found->second;
}

void NameIndex::forgetLast() {
    if (known_ < plan_.tensors.size()) return;
    --known_;
    const auto last = ids_.find(plan_.tensors.back().name);
    if (last != ids_.end() && last->second == static_cast<TensorId>(known_)) ids_.erase(last);
}

Op updateOp(const Plan& plan, TensorId gradient, const OptimizerAttributes& optimizer, const SlotIndex& slots) {
    const TensorId parameter = plan.tensors[static_cast<std::size_t>(gradient)].of;
    const TensorDesc& of = plan.tensors[static_cast<std::size_t>(parameter)];
    Op op{.kind = OpKind::kUpdate,
          .phase = Phase::kUpdate,
          .name = of.name + "/Update",
          .layer = of.layer,
          .inputs = {parameter, gradient},
          .outputs = {parameter},
          .attributes = optimizer};
    for (const TensorId slot : slots.of(parameter)) {
        op.inputs.push_back(slot);
        op.outputs.push_back(slot);
    }
    return op;
}

}  // namespace engine::plan
