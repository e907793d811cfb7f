// RandomMix and its way back: each thread has the images of its own samples, some values of all inputs at a time.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/image/random_mix.h"

namespace engine::backend::cpu {
namespace {

class RandomMix final : public BoundOp {
public:
    RandomMix(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          mix_(std::get<plan::RandomMix>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kRandomMix),
          mixed_(op.inputs.begin() + (is_forward_ ? 0 : 2), op.inputs.end()),
          weights_(is_forward_ ? op.outputs[1] : op.inputs[1]),
          values_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return "runs of values"; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (const plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        for (const plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const auto inputs = static_cast<std::int64_t>(mixed_.size());
        for (std::int64_t item = mine.begin; item < mine.end; ++item) {
            float* weights = memory_.floats(weights_) + item * inputs;
            if (is_forward_) fillMixWeights(step.randomItemOf(mix_.seed, item).key, mix_, static_cast<int>(inputs), weights);
            const std::int64_t end = (item + 1) * values_;
            for (std::int64_t at = item * values_; at < end; at += kRun) mix({at, std::min(at + kRun, end)}, weights);
        }
    }

private:
    static constexpr std::int64_t kRun = 256;

    // The values of some places. Inputs are added in order.
    void mix(Range places, const float* weights) const {
        std::array<float, kRun> sums{};
        const std::int64_t count = places.size();
        for (std::size_t k = 0; k < mixed_.size(); ++k) {
            const float* in = memory_.floats(mixed_[k]) + places.begin;
            for (std::int64_t i = 0; i < count; ++i) sums[static_cast<std::size_t>(i)] += weights[k] * in[i];
        }
        if (is_forward_) {
            float* y = memory_.floats(op_.outputs[0]) + places.begin;
            for (std::int64_t i = 0; i < count; ++i) y[i] = mixHeld(mix_, sums[static_cast<std::size_t>(i)]);
            return;
        }
        const float* dy = memory_.floats(op_.inputs[0]) + places.begin;
        for (std::int64_t i = 0; i < count; ++i) {
            float& held = sums[static_cast<std::size_t>(i)];
            held = dy[i] * mixHeldSlope(mix_, held);
        }
        for (std::size_t k = 0; k < mixed_.size(); ++k) {
            float* gradient = memory_.floats(op_.outputs[k]) + places.begin;
            for (std::int64_t i = 0; i < count; ++i) gradient[i] = weights[k] * sums[static_cast<std::size_t>(i)];
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::RandomMix mix_;
    bool is_forward_;
    std::vector<plan::TensorId> mixed_;  // the image, then what each chain made of it
    plan::TensorId weights_;
    std::int64_t values_;  // of an image
};

}  // namespace

std::unique_ptr<BoundOp> bindMix(const Memory& memory, const plan::Op& op) {
    return std::make_unique<RandomMix>(memory, op);
}

}  // namespace engine::backend::cpu
