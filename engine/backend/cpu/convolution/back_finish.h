// The last stage of a convolution's gradients, whichever way formed them: what was summed apart becomes dkernel and dbias, and the
// optimizer is applied where the op does that at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/back_operands.h"
#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/parameter_update.h"

namespace engine::backend::cpu {

class BackFinish {
public:
    // All but `op` must outlive this. The op has a dkernel, or nothing here is called.
    BackFinish(const Memory& memory, const plan::Op& op, const BackOperands& of, const ConvolutionGeometry& geometry,
               const KernelTable& kernels);

    // False where a dkernel that is formed whole leaves nothing to do: there is no bias, and no optimizer to apply.
    bool hasMoreThanKernel() const { return update_ || of_.dbias != plan::kNoTensor; }
    // What the stage reads and writes beside the parts.
    void addAccesses(std::vector<Access>& accesses) const;

    // Sums of `count` parts, the first one at `values` and each `step` floats behind the one before.
    struct Parts {
        const float* values = nullptr;
        std::int64_t step = 0, count = 0;
    };
    // True for the thread that takes the bias, where there is one.
    bool hasBias(const StepState& step, int thread) const { return of_.dbias != plan::kNoTensor && thread == step.threads - 1; }
    // The thread's share. `kernel`: (kernel elements) each; nullptr: dkernel holds its sums already. `bias`: (filters) each; read by
    // the thread that has it.
    void run(const StepState& step, int thread, const Parts* kernel, const Parts& bias) const;

private:
    const Memory& memory_;
    const BackOperands& of_;
    const ConvolutionGeometry& geometry_;
    const KernelTable& kernels_;
    std::optional<ParameterUpdate> update_, bias_update_;
};

}  // namespace engine::backend::cpu
