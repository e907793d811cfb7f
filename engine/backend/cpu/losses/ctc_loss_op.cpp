// The CTC loss: each thread takes its samples one by one, with room for the recursions of one. Formulas in
// engine/backend/losses/ctc_loss.h.
#include <algorithm>
#include <string>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/loss_weights.h"
#include "engine/backend/losses/ctc_loss.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend::cpu {
namespace {

class CtcLoss final : public BoundOp {
public:
    CtcLoss(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          loss_(std::get<plan::LossAttributes>(op.attributes)),
          room_(ctcRoom(memory.shape(op.inputs[0])[1], memory.shape(op.inputs[1]).back())) {
        labels_.classes = reinterpret_cast<const std::int32_t*>(memory.bytes(op.inputs[1]));
        labels_.layout = lossLayout(loss_, memory.shape(op.inputs[0]));
        const plan::RowWeights weights = plan::rowWeights(memory.plan(), op);
        if (weights.samples != plan::kNoTensor) labels_.weights = memory.floats(weights.samples);
        if (op.outputs.size() > 1) gradient_ = memory.floats(op.outputs[0]);
    }

    std::string kernel() const override { return "one sample at a time"; }
    ScratchBytes scratch() const override {
        return {.shared = 0, .per_thread = (room_.doubles() + room_.frames) * static_cast<std::int64_t>(sizeof(double))};
    }

    std::vector<Stage> stages(std::byte*) override {
        losses_.assign(static_cast<std::size_t>(std::max<std::int64_t>(1, memory_.batch())), 0.0);
        const auto bytes = static_cast<std::int64_t>(sizeof(double));
        Stage samples{.accesses = {memory_.readsSamples(op_.inputs[0]),
                                   {losses_.data(), static_cast<std::int64_t>(losses_.size()) * bytes, bytes, true}}};
        // The scale of a sample depends on all weights.
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) samples.accesses.push_back(memory_.reads(op_.inputs[i]));
        if (gradient_ != nullptr) samples.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
        return {samples, {.accesses = {}, .when = When::kSolo}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 1) return sum(step.samples);
        LossBatch batch = labels_;
        batch.samples = step.samples;
        LossScale scale = lossScale(loss_, batch, memory_.plan().replicas);
        scale.replicas /= step.of_step;
        if (thread == 0) scale_ = scale.row;
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const double weight = rowTarget(batch, i).weight;
            losses_[static_cast<std::size_t>(i)] =
                weight * lossOf(i, scale.row * weight / scale.replicas, reinterpret_cast<double*>(step.scratchOf(thread)));
        }
    }

private:
    double lossOf(std::int64_t i, double scale, double* scratch) const {
        const std::int64_t classes = memory_.shape(op_.inputs[0]).back(), elements = room_.frames * classes;
        const float* scores = memory_.floats(op_.inputs[0]) + i * elements;
        float* gradient = gradient_ == nullptr ? nullptr : gradient_ + i * elements;
        double* log_sums = scratch + room_.doubles();
        for (std::int64_t t = 0; t < room_.frames; ++t) {
            log_sums[t] = ctcFrame(scores + t * classes, classes, gradient == nullptr ? nullptr : gradient + t * classes, scale, OneLane{});
        }
        const CtcSample sample{.scores = scores,
                               .labels = labels_.classes + i * room_.columns,
                               .log_sums = log_sums,
                               .classes = classes,
                               .gradient = gradient,
                               .scale = scale,
                               .room = room_,
                               .memory = scratch};
        return CtcPaths(sample, OneLane{}).run();
    }

    void sum(std::int64_t samples) const {
        double total = 0;
        for (std::int64_t i = 0; i < samples; ++i) total += losses_[static_cast<std::size_t>(i)];
        float* header = memory_.floats(memory_.plan().header);
        header[plan::StepHeader::kLossSum] = static_cast<float>(total * scale_ * static_cast<double>(samples));
        header[plan::StepHeader::kCount] = static_cast<float>(samples);
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::LossAttributes& loss_;
    const CtcRoom room_;
    LossBatch labels_;
    float* gradient_ = nullptr;
    std::vector<double> losses_;
    double scale_ = 0;  // of thread 0
};

}  // namespace

std::unique_ptr<BoundOp> bindCtcLoss(const Memory& memory, const plan::Op& op) {
    return std::make_unique<CtcLoss>(memory, op);
}

}  // namespace engine::backend::cpu
