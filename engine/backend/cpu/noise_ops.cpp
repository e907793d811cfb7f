// Dropout's masks and normal noise, sample by sample.
#include <algorithm>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/dropout_mask.h"
#include "engine/backend/gaussian_noise.h"

namespace engine::backend::cpu {
namespace {

// A mask with sizes 1 is spread over the values of a sample in the thread's scratch first.
class Dropout final : public BoundOp {
public:
    Dropout(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          dropout_(std::get<plan::DropoutAttributes>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kDropout),
          mask_(is_forward_ ? op.outputs[1] : op.inputs[1]),
          is_shared_(memory.shape(mask_) != memory.shape(op.inputs[0])) {}

    std::string kernel() const override { return std::string(is_forward_ ? "mask of Philox" : "mask") + (is_shared_ ? ", shared" : ""); }
    ScratchBytes scratch() const override { return {.per_thread = is_shared_ ? memory_.sampleElements(op_.inputs[0]) : 0}; }

    std::vector<Stage> stages(std::byte*) override {
        const Access mask = is_forward_ ? memory_.writesSamples(mask_) : memory_.readsSamples(mask_);
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), mask, memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]), units = memory_.sampleElements(mask_);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            std::uint8_t* mask = memory_.cells(mask_) + i * units;
            if (is_forward_) {
                const RandomItem random = step.randomItemOf(dropout_.seed, i);
                fillDropoutMask(random.key, dropout_.rate, random.sample, {mask, static_cast<std::size_t>(units)});
            }
            if (is_shared_) {
                auto* values = reinterpret_cast<std::uint8_t*>(step.scratchOf(thread));
                spread(mask, values);
                mask = values;
            }
            kernels_.applyMask(memory_.floats(op_.inputs[0]) + i * size, mask, size, dropoutScale(dropout_.rate),
                               memory_.floats(op_.outputs[0]) + i * size);
        }
    }

private:
    // Spreads a sample's mask over its values, the last axis first: `to` receives a byte for each value.
    void spread(const std::uint8_t* mask, std::uint8_t* to) const { spreadAxis(1, mask, to); }

    // Returns the values and the mask's that the axes from `axis` on take.
    struct Extent {
        std::int64_t values = 1, mask = 1;
    };
    Extent spreadAxis(std::size_t axis, const std::uint8_t* mask, std::uint8_t* to) const {
        const spec::Shape &x = memory_.shape(op_.inputs[0]), &m = memory_.shape(mask_);
        if (axis == x.size()) {
            *to = *mask;
            return {};
        }
        if (axis + 1 == x.size() && m[axis] != 1) {
            std::copy_n(mask, x[axis], to);
            return {x[axis], x[axis]};
        }
        Extent inner;
        for (std::int64_t i = 0; i < m[axis]; ++i) inner = spreadAxis(axis + 1, mask + i * inner.mask, to + i * inner.values);
        if (m[axis] == 1) {
            for (std::int64_t i = 1; i < x[axis]; ++i) std::copy_n(to, inner.values, to + i * inner.values);
        }
        return {inner.values * x[axis], inner.mask * m[axis]};
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    const plan::DropoutAttributes& dropout_;
    bool is_forward_;
    plan::TensorId mask_;
    bool is_shared_;
};

class GaussianNoise final : public BoundOp {
public:
    GaussianNoise(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), noise_(std::get<plan::GaussianNoiseAttributes>(op.attributes)) {}

    std::string kernel() const override { return "Box and Muller of Philox"; }
    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const auto size = static_cast<std::size_t>(memory_.sampleElements(op_.inputs[0]));
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::int64_t begin = i * static_cast<std::int64_t>(size);
            applyGaussianNoise(noise_, step.randomItemOf(noise_.seed, i), {memory_.floats(op_.inputs[0]) + begin, size},
                               {memory_.floats(op_.outputs[0]) + begin, size});
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const plan::GaussianNoiseAttributes& noise_;
};

}  // namespace

std::unique_ptr<BoundOp> bindNoise(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kGaussianNoise) return std::make_unique<GaussianNoise>(memory, op);
    return std::make_unique<Dropout>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
