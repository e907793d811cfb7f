// ImageLevels and its way back: each thread has the images of its own samples, whose channels it takes together.
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/image/levels.h"

namespace engine::backend::cpu {
namespace {

class ImageLevels final : public BoundOp {
public:
    ImageLevels(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          levels_(std::get<plan::ImageLevels>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kImageLevels),
          channels_(static_cast<std::size_t>(memory.shape(op.inputs[0]).back())),
          values_(static_cast<std::size_t>(memory.sampleElements(op.inputs[0]))) {}

    std::string kernel() const override { return "value by value, extremes"; }

    // Sums first, so that they lie on their boundaries.
    ScratchBytes scratch() const override {
        const std::size_t bytes = channels_ * (sizeof(ChannelLevels) + (is_forward_ ? 0 : sizeof(LevelSums)));
        return {.per_thread = static_cast<std::int64_t>(bytes)};
    }

    std::vector<Stage> stages(std::byte*) override {
        std::vector<Access> accesses{memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])};
        if (!is_forward_) accesses.push_back(memory_.readsSamples(op_.inputs[1]));
        return {{.accesses = std::move(accesses)}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        float* scratch = step.scratchOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) is_forward_ ? forward(i, scratch) : back(i, scratch);
    }

private:
    std::span<float> valuesOf(plan::TensorId id, std::int64_t item) const {
        return {memory_.floats(id) + item * static_cast<std::int64_t>(values_), values_};
    }

    // `visit` gets the channel and the place in the image of each value, in order.
    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (std::size_t pixel = 0; pixel < values_; pixel += channels_) {
            for (std::size_t channel = 0; channel < channels_; ++channel) visit(channel, pixel + channel);
        }
    }
    std::span<ChannelLevels> extremesOf(std::span<const float> x, void* scratch) const {
        const std::span<ChannelLevels> extremes(static_cast<ChannelLevels*>(scratch), channels_);
        std::fill(extremes.begin(), extremes.end(), ChannelLevels{});
        forEach([&](std::size_t channel, std::size_t at) { extremes[channel].add(levelOf(levels_, x[at])); });
        return extremes;
    }

    void forward(std::int64_t item, void* scratch) const {
        const std::span<const float> x = valuesOf(op_.inputs[0], item);
        const std::span<float> y = valuesOf(op_.outputs[0], item);
        const std::span<const ChannelLevels> extremes = extremesOf(x, scratch);
        forEach([&](std::size_t channel, std::size_t at) { y[at] = stretchedValue(levels_, extremes[channel], x[at]); });
    }

    void back(std::int64_t item, void* scratch) const {
        const std::span<const float> dy = valuesOf(op_.inputs[0], item), x = valuesOf(op_.inputs[1], item);
        const std::span<float> dx = valuesOf(op_.outputs[0], item);
        const std::span<LevelSums> sums(static_cast<LevelSums*>(scratch), channels_);
        std::fill(sums.begin(), sums.end(), LevelSums{});
        const std::span<const ChannelLevels> extremes = extremesOf(x, sums.data() + channels_);
        forEach([&](std::size_t channel, std::size_t at) { sums[channel].add(extremes[channel], levelOf(levels_, x[at]), dy[at]); });
        forEach(
            [&](std::size_t channel, std::size_t at) { dx[at] = stretchedBack(levels_, extremes[channel], sums[channel], x[at], dy[at]); });
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::ImageLevels levels_;
    bool is_forward_;
    std::size_t channels_, values_;
};

}  // namespace

std::unique_ptr<BoundOp> bindLevels(const Memory& memory, const plan::Op& op) {
    return std::make_unique<ImageLevels>(memory, op);
}

}  // namespace engine::backend::cpu
