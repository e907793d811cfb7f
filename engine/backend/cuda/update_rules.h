// The optimizers of a plan, each with a number: kernels know a rule by that, and a step brings the factors of all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/backend/cuda/step_parameters.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

// Constant after construction. Knows nothing of a device.
class UpdateRules {
public:
    // Equal optimizers have one number, in the order in which the plan's ops name them. Throws Error(kUnimplemented) for more than
    // kMaxRules.
    explicit UpdateRules(const plan::Plan& plan);

    std::size_t count() const { return rules_.size(); }
    // count() for an op that has none.
    std::size_t numberOf(const plan::Op& op) const;
    // The factors of a step, by the rule's number; `iteration` is how many updates were done before.
    std::array<plan::StepFactors, kMaxRules> factorsOf(float learning_rate, std::int64_t iteration) const;

private:
    std::vector<spec::ObjectSpec> optimizers_;
    std::vector<plan::UpdateRule> rules_;
};

}  // namespace engine::backend::cuda
