#include "engine/plan/plan_index.h"

#include <cstddef>

namespace engine::plan {

PlanIndex::PlanIndex(const Plan& plan) : producers_(plan.tensors.size()), consumers_(plan.tensors.size()) {
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        for (TensorId id : plan.ops[i].inputs) consumers_[static_cast<std::size_t>(id)].push_back(static_cast<int>(i));
        for (TensorId id : plan.ops[i].outputs) producers_[static_cast<std::size_t>(id)].push_back(static_cast<int>(i));
    }
}

}  // namespace engine::plan
