// Normalisation within a sample: groups of channels, rows, and rows of length 1.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {
namespace {

constexpr std::int64_t kMaxGroupBlocks = 16;

// Forward and backward. Gradients of gamma and beta grow in a memory a block of samples and are put together in order.
class GroupNorm final : public BoundOp {
public:
    GroupNorm(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          attributes_(std::get<plan::GroupNormAttributes>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kGroupNorm),
          channels_(attributes_.groups * attributes_.width),
          blocks_(std::min(memory.batch(), kMaxGroupBlocks)) {
        std::size_t next = 1;
        if (attributes_.scale) gamma_ = memory.floats(op.inputs[next++]);
        if (is_forward_ && attributes_.center) beta_ = memory.floats(op.inputs[next]);
        sums_gradients_ = op.outputs.size() > 1;
    }

    std::string kernel() const override {
        return sums_gradients_ ? "by group, sums in " + std::to_string(blocks_) + " blocks" : std::string("by group");
    }
    ScratchBytes scratch() const override { return {.shared = sums_gradients_ ? 2 * blocks_ * channels_ * kFloat : 0, .per_thread = 0}; }

    std::vector<Stage> stages(std::byte* shared) override {
        parts_ = reinterpret_cast<float*>(shared);
        Stage values;
        if (!sums_gradients_) {
            for (plan::TensorId id : op_.inputs) {
                const bool by_sample = id == op_.inputs[0] || (!is_forward_ && id == op_.inputs.back());
                values.accesses.push_back(by_sample ? memory_.readsSamples(id) : memory_.reads(id));
            }
            values.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
            return {values};
        }
        for (plan::TensorId id : op_.inputs) values.accesses.push_back(memory_.reads(id));
        values.accesses.push_back(memory_.writes(op_.outputs[0]));
        values.accesses.push_back({shared, scratch().shared, 0, true});
        Stage sums{.accesses = {{shared, scratch().shared, 0, false}}};
        for (std::size_t i = 1; i < op_.outputs.size(); ++i) sums.accesses.push_back(memory_.writes(op_.outputs[i]));
        return {values, sums};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 1) return combine(shareLines(channels_, thread, step.threads));
        if (!sums_gradients_) return runSamples(step.samplesOf(thread), nullptr);
        const Range blocks = share(blocks_, thread, step.threads);
        for (std::int64_t block = blocks.begin; block < blocks.end; ++block) runBlock(block, share(step.samples, block, blocks_));
    }

private:
    void runBlock(std::int64_t block, Range samples) const {
        float* sums = parts_ + 2 * block * channels_;
        std::fill_n(sums, 2 * channels_, 0.0F);
        runSamples(samples, sums);
    }

    // dgamma: the gradients of gamma and, behind them, of beta, which grow; null where they are not wanted.
    void runSamples(Range samples, float* dgamma) const {
        const std::int64_t item = attributes_.positions * channels_, items = memory_.sampleElements(op_.inputs[0]) / item;
        const float* dy = is_forward_ ? nullptr : memory_.floats(op_.inputs.back());
        for (std::int64_t i = samples.begin * items; i < samples.end * items; ++i) {
            for (std::int64_t group = 0; group < attributes_.groups; ++group) {
                const std::int64_t channel = group * attributes_.width, at = i * item + channel;
                GroupNormArgs args{.x = memory_.floats(op_.inputs[0]) + at,
                                   .positions = attributes_.positions,
                                   .stride = channels_,
                                   .width = attributes_.width,
                                   .epsilon = static_cast<float>(attributes_.epsilon),
                                   .subtracts_mean = attributes_.subtracts_mean,
                                   .gamma = gamma_ == nullptr ? nullptr : gamma_ + channel,
                                   .beta = beta_ == nullptr ? nullptr : beta_ + channel,
                                   .y = memory_.floats(op_.outputs[0]) + at};
                if (is_forward_) {
                    kernels_.groupNorm(args);
                    continue;
                }
                args.dy = dy + at;
                if (dgamma != nullptr) {
                    args.dgamma = dgamma + channel;
                    args.dbeta = dgamma + channels_ + channel;
                }
                kernels_.groupNormBack(args);
            }
        }
    }

    void combine(Range channels) const {
        std::size_t output = 1;
        for (int which = 0; which < 2; ++which) {
            if (which == 0 ? !attributes_.scale : !attributes_.center) continue;
            float* to = memory_.floats(op_.outputs[output++]);
            for (std::int64_t c = channels.begin; c < channels.end; ++c) {
                double sum = 0;
                for (std::int64_t block = 0; block < blocks_; ++block) sum += parts_[(2 * block + which) * channels_ + c];
                to[c] = static_cast<float>(sum);
            }
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    const plan::GroupNormAttributes& attributes_;
    bool is_forward_, sums_gradients_ = false;
    std::int64_t channels_, blocks_;
    const float *gamma_ = nullptr, *beta_ = nullptr;
    float* parts_ = nullptr;
};

class UnitNorm final : public BoundOp {
public:
    UnitNorm(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), width_(std::get<plan::GroupNormAttributes>(op.attributes).width) {}

    std::string kernel() const override { return "by rows"; }
    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.writesSamples(op_.outputs[0])}};
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        return {stage};
    }
    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]);
        const float *x = memory_.floats(op_.inputs[0]), *dy = op_.inputs.size() > 1 ? memory_.floats(op_.inputs[1]) : nullptr;
        for (std::int64_t at = mine.begin * size; at < mine.end * size; at += width_) {
            kernels_.unitNorm(x + at, dy == nullptr ? nullptr : dy + at, width_, static_cast<float>(plan::kMostUnitFactor),
                              memory_.floats(op_.outputs[0]) + at);
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    std::int64_t width_;
};

}  // namespace

std::unique_ptr<BoundOp> bindGroupNorm(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kUnitNorm || op.kind == plan::OpKind::kUnitNormBack) {
        return std::make_unique<UnitNorm>(memory, op, kernels);
    }
    return std::make_unique<GroupNorm>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
