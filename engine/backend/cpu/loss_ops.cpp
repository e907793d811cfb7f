// The loss op: any of Keras' losses but the circle loss and CTC, sample weights and reductions; one row at a time, formulas in
// engine/backend/loss_formulas.h. Each row's loss is kept and summed in order by one thread. A row over several samples is one thread's.
#include <algorithm>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/loss_formulas.h"
#include "engine/backend/loss_weights.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend::cpu {
namespace {

class GeneralLoss final : public BoundOp {
public:
    GeneralLoss(const Memory& memory, const plan::Op& op) : memory_(memory), op_(op), loss_(std::get<plan::LossAttributes>(op.attributes)) {
        batch_.layout = lossLayout(loss_, memory.shape(op.inputs[0]));
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

    std::string kernel() const override { return batch_.layout.joins() ? "rows of all samples" : "one row at a time"; }

    std::vector<Stage> stages(std::byte*) override {
        const std::int64_t batch = memory_.batch();
        losses_.assign(static_cast<std::size_t>(std::max<std::int64_t>(1, batch_.layout.rows(batch))), 0.0);
        const auto bytes = static_cast<std::int64_t>(losses_.size() * sizeof(double));
        Stage rows;
        if (batch_.layout.joins()) {
            rows.accesses = {memory_.reads(op_.inputs[0]), {losses_.data(), bytes, 0, true}};
        } else {
            rows.accesses = {memory_.readsSamples(op_.inputs[0]), {losses_.data(), bytes, batch == 0 ? 0 : bytes / batch, true}};
        }
        // The scale of a row depends on all labels and weights.
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) rows.accesses.push_back(memory_.reads(op_.inputs[i]));
        if (gradient_ != nullptr) {
            rows.accesses.push_back(batch_.layout.joins() ? memory_.writes(op_.outputs[0]) : memory_.writesSamples(op_.outputs[0]));
        }
        return {rows, {.accesses = {}, .when = When::kSolo}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 1) return sum(step.samples);
        LossBatch batch = batch_;
        batch.samples = step.samples;
        LossScale scale = lossScale(loss_, batch, memory_.plan().replicas);
        scale.replicas /= step.of_step;
        if (thread == 0) row_scale_ = scale.row;
        const Range mine = rowsOf(step, thread);
        for (std::int64_t r = mine.begin; r < mine.end; ++r) losses_[static_cast<std::size_t>(r)] = rowOf(batch, r, scale);
    }

private:
    Range rowsOf(const StepState& step, int thread) const {
        const LossLayout& layout = batch_.layout;
        if (layout.joins()) return share(layout.rows(step.samples), thread, step.threads);
        const Range samples = step.samplesOf(thread);
        return {samples.begin * layout.rows_per_sample, samples.end * layout.rows_per_sample};
    }

    double rowOf(const LossBatch& batch, std::int64_t r, const LossScale& scale) const {
        const auto [weight, target] = rowTarget(batch, r);
        const std::int64_t begin = batch.layout.begin(r);
        const LossRow row{.loss = loss_,
                          .scores = memory_.floats(op_.inputs[0]) + begin,
                          .n = batch.layout.rowElements(batch.samples),
                          .gradient = gradient_ == nullptr ? nullptr : gradient_ + begin,
                          .scale = scale.row * weight / scale.replicas,
                          .stride = batch.layout.stride};
        return weight *
               (batch.classes != nullptr ? classLoss<float>(row, target) : rowLoss<float>(row, batch.values + begin, scale.zero_one));
    }

    // The labels' memory may be in other use by now.
    void sum(std::int64_t samples) const {
        double total = 0;
        for (std::int64_t r = 0; r < batch_.layout.rows(samples); ++r) total += losses_[static_cast<std::size_t>(r)];
        float* header = memory_.floats(memory_.plan().header);
        header[plan::StepHeader::kLossSum] = static_cast<float>(total * row_scale_ * static_cast<double>(samples));
        header[plan::StepHeader::kCount] = static_cast<float>(samples);
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::LossAttributes& loss_;
    LossBatch batch_;
    float* gradient_ = nullptr;
    std::vector<double> losses_;
    double row_scale_ = 0;  // of thread 0
};

}  // namespace

std::unique_ptr<BoundOp> bindGeneralLoss(const Memory& memory, const plan::Op& op) {
    switch (std::get<plan::LossAttributes>(op.attributes).kind) {
        case plan::LossKind::kCircle:
            return bindCircleLoss(memory, op);
        case plan::LossKind::kCtc:
            return bindCtcLoss(memory, op);
        default:
            return std::make_unique<GeneralLoss>(memory, op);
    }
}

}  // namespace engine::backend::cpu
