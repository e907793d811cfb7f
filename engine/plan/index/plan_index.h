// Who makes and who reads each tensor of a plan. A snapshot: make a new one after changing the plan.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/plan/plan.h"

namespace engine::plan {

class PlanIndex {
public:
    explicit PlanIndex(const Plan& plan);

    // Indices of ops, ascending. A tensor that an op updates in place counts for both.
    const std::vector<int>& producers(TensorId id) const { return producers_[static_cast<std::size_t>(id)]; }
    const std::vector<int>& consumers(TensorId id) const { return consumers_[static_cast<std::size_t>(id)]; }

private:
    std::vector<std::vector<int>> producers_;
    std::vector<std::vector<int>> consumers_;
};

// The slots of each parameter, by one pass over the tensors. A snapshot like PlanIndex.
class SlotIndex {
public:
    explicit SlotIndex(const Plan& plan);

    // In the optimizer's order, as slotsOf() of engine/plan/plan.h gives them.
    const std::vector<TensorId>& of(TensorId parameter) const { return slots_[static_cast<std::size_t>(parameter)]; }

private:
    std::vector<std::vector<TensorId>> slots_;
};

// The op that applies the gradient to its parameter, with the parameter's slots.
Op updateOp(const Plan& plan, TensorId gradient, const OptimizerAttributes& optimizer, const SlotIndex& slots);

// The bucket of each gradient: bucketOf() of engine/plan/plan.h for all of them. A snapshot like PlanIndex.
class BucketIndex {
public:
    explicit BucketIndex(const Plan& plan);

    // -1 for a tensor of none.
    int of(TensorId gradient) const { return buckets_[static_cast<std::size_t>(gradient)]; }

private:
    std::vector<int> buckets_;
};

// findTensor() of engine/plan/plan.h for many names of a plan under construction. The plan outlives it and may grow meanwhile; names stay.
class NameIndex {
public:
    explicit NameIndex(const Plan& plan) : plan_(plan) {}

    // The first tensor of that name, kNoTensor when there is none.
    TensorId find(std::string_view name);
    // Forgets the plan's last tensor. Call it before the tensor is removed.
    void forgetLast();

private:
    const Plan& plan_;
    std::unordered_map<std::string, TensorId> ids_;
    std::size_t known_ = 0;  // of the plan's tensors
};

}  // namespace engine::plan
