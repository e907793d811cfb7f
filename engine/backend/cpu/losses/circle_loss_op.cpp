// The circle loss: each thread compares its samples with all others, then makes their gradients from what all threads found.
#include <string>
#include <vector>

#include "engine/backend/circle_loss.h"
#include "engine/backend/cpu/bound_op.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend::cpu {
namespace {

class CircleLoss final : public BoundOp {
public:
    CircleLoss(const Memory& memory, const plan::Op& op) : memory_(memory), op_(op), loss_(std::get<plan::LossAttributes>(op.attributes)) {
        labels_.classes = reinterpret_cast<const std::int32_t*>(memory.bytes(op.inputs[1]));
        const plan::RowWeights weights = plan::rowWeights(memory.plan(), op);
        if (weights.samples != plan::kNoTensor) labels_.weights = memory.floats(weights.samples);
        if (op.outputs.size() > 1) gradient_ = memory.floats(op.outputs[0]);
    }

    std::string kernel() const override { return "each sample with all"; }

    std::vector<Stage> stages(std::byte*) override {
        const std::int64_t batch = memory_.batch();
        rows_.resize(static_cast<std::size_t>(batch));
        distances_.resize(static_cast<std::size_t>(batch * batch));
        const auto row_bytes = static_cast<std::int64_t>(sizeof(CircleRow)), line_bytes = batch * static_cast<std::int64_t>(sizeof(float));
        Stage compares{
            .accesses = {{rows_.data(), batch * row_bytes, row_bytes, true}, {distances_.data(), batch * line_bytes, line_bytes, true}}};
        for (const plan::TensorId id : op_.inputs) compares.accesses.push_back(memory_.reads(id));
        Stage differentiates{.accesses = {{rows_.data(), batch * row_bytes, 0, false}}};
        for (const plan::TensorId id : op_.inputs) differentiates.accesses.push_back(memory_.reads(id));
        if (gradient_ != nullptr) differentiates.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
        return {compares, differentiates, {.accesses = {}, .when = When::kSolo}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 2) return writeHeader(step.samples);
        const CircleBatch batch = batchOf(step.samples);
        const Range mine = step.samplesOf(thread);
        if (stage == 0) {
            for (std::int64_t i = mine.begin; i < mine.end; ++i) compareWithOthers(batch, i);
            return;
        }
        const LossScale scale = circleScale(batch);
        if (thread == 0 && step.strip == 0) loss_of_batch_ = circleSum(batch) * scale.row;
        for (std::int64_t i = mine.begin; gradient_ != nullptr && i < mine.end; ++i) {
            circleGradient(batch, scale, i, gradient_ + i * batch.columns);
        }
    }

private:
    CircleBatch batchOf(std::int64_t samples) {
        LossBatch labels = labels_;
        labels.samples = samples;
        return {.loss = loss_,
                .labels = labels,
                .scores = memory_.floats(op_.inputs[0]),
                .columns = memory_.shape(op_.inputs[0]).back(),
                .distances = distances_.data(),
                .rows = rows_.data()};
    }

    void writeHeader(std::int64_t samples) const {
        float* header = memory_.floats(memory_.plan().header);
        header[plan::StepHeader::kLossSum] = static_cast<float>(loss_of_batch_ * static_cast<double>(samples));
        header[plan::StepHeader::kCount] = static_cast<float>(samples);
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::LossAttributes& loss_;
    LossBatch labels_;
    float* gradient_ = nullptr;
    std::vector<CircleRow> rows_;
    std::vector<float> distances_;
    double loss_of_batch_ = 0;  // of thread 0
};

}  // namespace

std::unique_ptr<BoundOp> bindCircleLoss(const Memory& memory, const plan::Op& op) {
    return std::make_unique<CircleLoss>(memory, op);
}

}  // namespace engine::backend::cpu
