// The optimizer applied to a parameter, or to a run of them, piece by piece.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/flat_update.h"
#include "engine/plan/optimizer.h"

namespace engine::backend::cpu {

class ParameterUpdate {
public:
    // The update of the parameter that `gradient` belongs to.
    ParameterUpdate(const Memory& memory, const plan::Op& op, plan::TensorId gradient);
    ParameterUpdate(const plan::Op& op, const FlatRun& run);

    std::int64_t count() const { return run_.count; }
    const float* gradient() const { return run_.gradient; }
    plan::StepFactors factors(const StepControl& control) const {
        return plan::stepFactors(rule_, control.learning_rate, control.iteration);
    }
    // Elements begin to end; gradient[0] belongs to element `begin`.
    void apply(const KernelTable& kernels, const plan::StepFactors& factors, Range elements, const float* gradient) const;
    void addAccesses(std::vector<Access>& accesses) const;

private:
    void applyVectorised(const KernelTable& kernels, const plan::StepFactors& factors, const FlatRun& piece) const;

    plan::UpdateRule rule_;
    FlatRun run_;
    std::optional<UpdateFormula> vectorised_;  // nothing: the plain loop of engine/backend/flat_update.h
};

}  // namespace engine::backend::cpu
