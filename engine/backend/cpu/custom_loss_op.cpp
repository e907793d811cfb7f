// A loss of the program's own: thread 0 asks for it, the others wait.
#include <algorithm>

#include "engine/backend/cpu/bound_op.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

class CustomLossOp final : public BoundOp {
public:
    CustomLossOp(const Memory& memory, const plan::Op& op, const CustomLoss& loss)
        : memory_(memory), scores_(op.inputs.front()), dscores_(op.outputs.front()), loss_(loss) {
        if (!loss_) throw Error(ErrorCode::kInvalidArgument, op.name + ": expected a loss in the executor's options, got none");
    }

    std::string kernel() const override { return "the program's function"; }
    std::vector<Stage> stages(std::byte*) override { return {{.accesses = {memory_.reads(scores_), memory_.writes(dscores_)}}}; }

    void run(int, const StepState& step, int thread) override {
        if (thread != 0) return;
        const auto floats = static_cast<std::size_t>(step.samples * memory_.sampleElements(scores_));
        const std::span<float> gradient(memory_.floats(dscores_), floats);
        std::fill(gradient.begin(), gradient.end(), 0.0F);
        const double sum = loss_({.batch = *step.batch, .outputs = {memory_.floats(scores_), floats}, .gradient = gradient});
        float* header = memory_.floats(memory_.plan().header);
        header[plan::StepHeader::kLossSum] = static_cast<float>(sum);
        header[plan::StepHeader::kCount] = static_cast<float>(step.samples);
    }

private:
    const Memory& memory_;
    const plan::TensorId scores_, dscores_;
    const CustomLoss loss_;
};

}  // namespace

std::unique_ptr<BoundOp> bindCustomLoss(const Memory& memory, const plan::Op& op, const CustomLoss& loss) {
    return std::make_unique<CustomLossOp>(memory, op, loss);
}

}  // namespace engine::backend::cpu
