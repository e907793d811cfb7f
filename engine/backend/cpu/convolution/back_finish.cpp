#include "engine/backend/cpu/convolution/back_finish.h"

namespace engine::backend::cpu {

BackFinish::BackFinish(const Memory& memory, const plan::Op& op, const BackOperands& of, const ConvolutionGeometry& geometry,
                       const KernelTable& kernels)
    : memory_(memory), of_(of), geometry_(geometry), kernels_(kernels) {
    if (!op.fused_update) return;
    update_.emplace(memory, op, of.dkernel);
    if (of.dbias != plan::kNoTensor) bias_update_.emplace(memory, op, of.dbias);
}

void BackFinish::addAccesses(std::vector<Access>& accesses) const {
    accesses.push_back(memory_.writes(of_.dkernel));
    if (of_.dbias != plan::kNoTensor) accesses.push_back(memory_.writes(of_.dbias));
    if (update_) update_->addAccesses(accesses);
    if (bias_update_) bias_update_->addAccesses(accesses);
}

void BackFinish::run(const StepState& step, int thread, const Parts* kernel, const Parts& bias) const {
    const Range mine = shareLines(geometry_.kernelElements(), thread, step.threads);
    float* dkernel = memory_.floats(of_.dkernel) + mine.begin;
    if (kernel != nullptr)
        kernels_.addParts(kernel->values + mine.begin, kernel->step, kernel->count, nullptr, false, 1, mine.size(), dkernel);
    if (update_) update_->apply(kernels_, update_->factors(step.control), mine, dkernel);
    if (!hasBias(step, thread)) return;
    float* dbias = memory_.floats(of_.dbias);
    kernels_.addParts(bias.values, bias.step, bias.count, nullptr, false, 1, geometry_.filters, dbias);
    if (bias_update_) bias_update_->apply(kernels_, bias_update_->factors(step.control), {0, geometry_.filters}, dbias);
}

}  // namespace engine::backend::cpu
