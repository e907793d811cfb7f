// Who makes and who reads each tensor of a plan. A snapshot: make a new one after changing the plan.
#pragma once

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

}  // namespace engine::plan
