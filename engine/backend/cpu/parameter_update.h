// The optimizer applied to a parameter, or to a run of them, piece by piece.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/flat_update.h"
#include "engine/plan/optimizer.h"

namespace engine::backend::cpu {

class ParameterUpdate {
public:
    // Of the parameter that `gradient` belongs to.
    ParameterUpdate(const Memory& memory, const plan::Op& op, plan::TensorId gradient);
    ParameterUpdate(const plan::Op& op, const FlatRun& run);

    std::int64_t count() const { return prototype_.count; }
    const float* gradient() const { return prototype_.gradient; }
    float stepSize(const StepControl& control) const { return plan::stepSize(rule_, control.learning_rate, control.iteration); }
    // Elements begin to end; gradient[0] belongs to element `begin`.
    void apply(const KernelTable& kernels, float step_size, Range elements, const float* gradient) const;
    void addAccesses(std::vector<Access>& accesses) const;

private:
    void setRule();

    plan::UpdateRule rule_;
    UpdateArgs prototype_{};
};

}  // namespace engine::backend::cpu
