#include "engine/backend/cuda/update_rules.h"

#include <algorithm>
#include <string>

#include "engine/spec/error.h"

namespace engine::backend::cuda {

UpdateRules::UpdateRules(const plan::Plan& plan) {
    for (const plan::Op& op : plan.ops) {
        const spec::ObjectSpec* optimizer = plan::optimizerOf(op);
        if (optimizer == nullptr || numberOf(op) < count()) continue;
        if (count() == kMaxRules) {
            throw Error(ErrorCode::kUnimplemented, "executor: expected " + std::to_string(kMaxRules) + " different optimizers at most");
        }
        optimizers_.push_back(*optimizer);
        rules_.push_back(plan::updateRule(*optimizer));
    }
}

std::size_t UpdateRules::numberOf(const plan::Op& op) const {
    const spec::ObjectSpec* optimizer = plan::optimizerOf(op);
    const auto found = optimizer == nullptr ? optimizers_.end() : std::find(optimizers_.begin(), optimizers_.end(), *optimizer);
    return static_cast<std::size_t>(found - optimizers_.begin());
}

std::array<plan::StepFactors, kMaxRules> UpdateRules::factorsOf(float learning_rate, std::int64_t iteration) const {
    std::array<plan::StepFactors, kMaxRules> factors{};
    for (std::size_t i = 0; i < rules_.size(); ++i) factors[i] = plan::stepFactors(rules_[i], learning_rate, iteration);
    return factors;
}

}  // namespace engine::backend::cuda
