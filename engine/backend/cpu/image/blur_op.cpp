// RandomBlur and its way back: each thread has the images of its own samples.
#include "engine/backend/image/blur.h"

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {
namespace {

class RandomBlur final : public BoundOp {
public:
    RandomBlur(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          blur_(std::get<plan::RandomBlur>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kRandomBlur),
          cells_(std::int64_t{blur_.kernel_h} * blur_.kernel_w),
          values_(memory.sampleElements(op.inputs[0])) {
        const spec::Shape& batch = memory.shape(op.inputs[0]);
        image_ = {batch[1], batch[2], batch[3]};
    }

    std::string kernel() const override { return "rows of windows"; }

    // The window's weights and one row of sums; on the way back an image of gradients, too.
    ScratchBytes scratch() const override {
        const std::int64_t floats = cells_ + image_.rowValues() + (is_forward_ ? 0 : values_);
        return {.per_thread = floats * static_cast<std::int64_t>(sizeof(float))};
    }

    std::vector<Stage> stages(std::byte*) override {
        std::vector<Access> accesses{memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])};
        if (!is_forward_) accesses.push_back(memory_.readsSamples(op_.inputs[1]));
        return {{.accesses = std::move(accesses)}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const RandomItem item = step.randomItemOf(blur_.seed, i);
            image(i, item, drawBlurNumbers(item.key, blur_, item.sample), step.scratchOf(thread));
        }
    }

private:
    std::span<float> valuesOf(plan::TensorId id, std::int64_t item) const {
        return {memory_.floats(id) + item * values_, static_cast<std::size_t>(values_)};
    }

    void image(std::int64_t i, const RandomItem& item, const BlurNumbers& numbers, float* scratch) const {
        const std::span<float> weights(scratch, static_cast<std::size_t>(cells_));
        if (numbers.changes) fillBlurWeights(blur_, drawBlurDeviations(item.key, blur_), weights);
        const std::span<float> sums(scratch + cells_, static_cast<std::size_t>(image_.rowValues()));
        const std::span<const float> x = valuesOf(op_.inputs[is_forward_ ? 0 : 1], i);
        const std::span<float> result = valuesOf(op_.outputs[0], i);
        if (is_forward_) {
            mixed(numbers, weights, x, sums, [&](std::size_t at, float value) { result[at] = blurHeld(blur_, value); });
            return;
        }
        const std::span<const float> dy = valuesOf(op_.inputs[0], i);
        const std::span<float> held(sums.data() + sums.size(), static_cast<std::size_t>(values_));
        mixed(numbers, weights, x, sums, [&](std::size_t at, float value) { held[at] = dy[at] * blurHeldSlope(blur_, value); });
        mixed(numbers, weights, held, sums, [&](std::size_t at, float value) { result[at] = value; });
    }

    // Hands out each value of an image, or of its gradients, mixed with what its window sums up to.
    template <typename Take>
    void mixed(const BlurNumbers& numbers, std::span<const float> weights, std::span<const float> x, std::span<float> sums,
               const Take& take) const {
        for (std::int64_t row = 0; row < image_.height; ++row) {
            const auto begin = static_cast<std::size_t>(row * image_.rowValues());
            if (!numbers.changes) {
                for (std::size_t i = begin; i < begin + sums.size(); ++i) take(i, x[i]);
                continue;
            }
            blurRow(blur_, weights, image_, x, row, sums);
            for (std::size_t i = 0; i < sums.size(); ++i) take(begin + i, blurMixed(blur_, numbers.amount, x[begin + i], sums[i]));
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::RandomBlur blur_;
    bool is_forward_;
    std::int64_t cells_, values_;
    BlurredImage image_{};
};

}  // namespace

std::unique_ptr<BoundOp> bindBlur(const Memory& memory, const plan::Op& op) {
    return std::make_unique<RandomBlur>(memory, op);
}

}  // namespace engine::backend::cpu
