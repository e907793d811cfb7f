// Which rows of a tensor count, and what is made of these alone: each thread its samples.
#include <algorithm>
#include <string>
#include <variant>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {
namespace {

class MaskOp : public BoundOp {
public:
    MaskOp(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : memory_(memory), op_(op), kernels_(kernels) {}

    std::string kernel() const override { return "row by row"; }
    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

protected:
    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
};

class MakeMask final : public MaskOp {
public:
    using MaskOp::MaskOp;

    void run(int, const StepState& step, int thread) override {
        const float value = std::get<plan::MaskAttributes>(op_.attributes).value;
        const std::int64_t rows = memory_.sampleElements(op_.outputs[0]), width = memory_.sampleElements(op_.inputs[0]) / rows;
        const Range mine = step.samplesOf(thread);
        for (std::int64_t row = mine.begin * rows; row < mine.end * rows; ++row) {
            const float* x = memory_.floats(op_.inputs[0]) + row * width;
            memory_.cells(op_.outputs[0])[row] = std::any_of(x, x + width, [value](float one) { return one != value; }) ? 1 : 0;
        }
    }
};

class ApplyMask final : public MaskOp {
public:
    using MaskOp::MaskOp;

    void run(int, const StepState& step, int thread) override {
        const std::int64_t rows = memory_.sampleElements(op_.inputs[1]), width = memory_.sampleElements(op_.inputs[0]) / rows;
        const Range mine = step.samplesOf(thread);
        for (std::int64_t row = mine.begin * rows; row < mine.end * rows; ++row) {
            float* y = memory_.floats(op_.outputs[0]) + row * width;
            if (memory_.cells(op_.inputs[1])[row] != 0) {
                kernels_.copyValues(memory_.floats(op_.inputs[0]) + row * width, width, y);
            } else {
                std::fill_n(y, width, 0.0F);
            }
        }
    }
};

class MaskedMean final : public MaskOp {
public:
    using MaskOp::MaskOp;

    void run(int, const StepState& step, int thread) override {
        const bool is_forward = op_.kind == plan::OpKind::kMaskedMean;
        const std::int64_t time = memory_.sampleElements(op_.inputs[1]);
        const std::int64_t width = memory_.sampleElements(is_forward ? op_.outputs[0] : op_.inputs[0]);
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::uint8_t* steps = memory_.cells(op_.inputs[1]) + i * time;
            const auto counted = static_cast<float>(std::count(steps, steps + time, std::uint8_t{1}));
            const float* from = memory_.floats(op_.inputs[0]) + i * width * (is_forward ? time : 1);
            float* to = memory_.floats(op_.outputs[0]) + i * width * (is_forward ? 1 : time);
            if (is_forward) std::fill_n(to, width, 0.0F);
            for (std::int64_t s = 0; s < time; ++s) {
                if (is_forward) {
                    if (steps[s] != 0) kernels_.addValues(from + s * width, width, to);
                } else {
                    std::transform(from, from + width, to + s * width, [&](float dy) { return steps[s] != 0 ? dy / counted : 0; });
                }
            }
            if (is_forward) std::transform(to, to + width, to, [&](float sum) { return sum / counted; });
        }
    }
};

}  // namespace

std::unique_ptr<BoundOp> bindMask(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    switch (op.kind) {
        case plan::OpKind::kMask:
            return std::make_unique<MakeMask>(memory, op, kernels);
        case plan::OpKind::kApplyMask:
            return std::make_unique<ApplyMask>(memory, op, kernels);
        default:
            return std::make_unique<MaskedMean>(memory, op, kernels);
    }
}

}  // namespace engine::backend::cpu
