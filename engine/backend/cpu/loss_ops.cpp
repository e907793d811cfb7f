// The loss op: any of Keras' losses, sample weights and reductions; one row at a time, formulas in engine/backend/loss_formulas.h. Each
// row's loss is kept and summed in order by one thread.
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/loss_formulas.h"
#include "engine/backend/loss_weights.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend::cpu {
namespace {

class GeneralLoss final : public BoundOp {
public:
    GeneralLoss(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), loss_(std::get<plan::LossAttributes>(op.attributes)), columns_(memory.shape(op.inputs[0]).back()) {
        batch_.rows_per_sample = memory.sampleElements(op.inputs[0]) / columns_;
        batch_.row_elements = columns_;
        if (plan::hasClassLabels(loss_.kind)) {
            batch_.classes = reinterpret_cast<const std::int32_t*>(memory.bytes(op.inputs[1]));
        } else {
            batch_.values = memory.floats(op.inputs[1]);
        }
        ignoreClass(loss_, batch_);
        const plan::RowWeights weights = plan::rowWeights(memory.plan(), op);
        if (weights.samples != plan::kNoTensor) batch_.weights = memory.floats(weights.samples);
        if (weights.mask != plan::kNoTensor) batch_.mask = memory.cells(weights.mask);
        if (op.outputs.size() > 1) gradient_ = memory.floats(op.outputs[0]);
    }

    std::string kernel() const override { return "one row at a time"; }

    std::vector<Stage> stages(std::byte*) override {
        losses_.assign(static_cast<std::size_t>(memory_.plan().batch * batch_.rows_per_sample), 0.0);
        const std::int64_t sample_bytes = batch_.rows_per_sample * static_cast<std::int64_t>(sizeof(double));
        Stage rows{
            .accesses = {memory_.readsSamples(op_.inputs[0]), {losses_.data(), memory_.plan().batch * sample_bytes, sample_bytes, true}}};
        // The scale of a row depends on all labels and weights.
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) rows.accesses.push_back(memory_.reads(op_.inputs[i]));
        if (gradient_ != nullptr) rows.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
        return {rows, {.accesses = {}, .solo = true}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 1) return sum(step.samples);
        LossBatch batch = batch_;
        batch.samples = step.samples;
        const LossScale scale = lossScale(loss_, batch, memory_.plan().replicas);
        if (thread == 0) row_scale_ = scale.row;
        const Range mine = step.samplesOf(thread);
        for (std::int64_t r = mine.begin * batch_.rows_per_sample; r < mine.end * batch_.rows_per_sample; ++r) {
            losses_[static_cast<std::size_t>(r)] = rowOf(r, scale);
        }
    }

private:
    double rowOf(std::int64_t r, const LossScale& scale) const {
        const auto [weight, target] = rowTarget(batch_, r);
        const LossRow row{.loss = loss_,
                          .scores = memory_.floats(op_.inputs[0]) + r * columns_,
                          .n = columns_,
                          .gradient = gradient_ == nullptr ? nullptr : gradient_ + r * columns_,
                          .scale = scale.row * weight / scale.replicas};
        return weight * (batch_.classes != nullptr ? sparseCrossEntropy<float>(row, target)
                                                   : rowLoss<float>(row, batch_.values + r * columns_, scale.zero_one));
    }

    // The labels' memory may be in other use by now.
    void sum(std::int64_t samples) const {
        double total = 0;
        for (std::int64_t r = 0; r < samples * batch_.rows_per_sample; ++r) total += losses_[static_cast<std::size_t>(r)];
        float* header = memory_.floats(memory_.plan().header);
        header[plan::StepHeader::kLossSum] = static_cast<float>(total * row_scale_ * static_cast<double>(samples));
        header[plan::StepHeader::kCount] = static_cast<float>(samples);
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::LossAttributes& loss_;
    std::int64_t columns_;
    LossBatch batch_;
    float* gradient_ = nullptr;
    std::vector<double> losses_;
    double row_scale_ = 0;  // of thread 0
};

}  // namespace

std::unique_ptr<BoundOp> bindGeneralLoss(const Memory& memory, const plan::Op& op) {
    return std::make_unique<GeneralLoss>(memory, op);
}

}  // namespace engine::backend::cpu
