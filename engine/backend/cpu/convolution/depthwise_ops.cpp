// Convolutions with as many groups as channels, and their gradients: vectors along the filters, sample by sample.
#include <algorithm>
#include <optional>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/parameter_update.h"

namespace engine::backend::cpu {
namespace {

// One of the three ops: x and dy are those of the convolution that the gradients belong to.
class DepthwiseOp : public BoundOp {
public:
    DepthwiseOp(const Memory& memory, const plan::Op& op, const KernelTable& kernels, plan::TensorId x, plan::TensorId y)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          x_(x),
          y_(y),
          geometry_(plan::windowOf(op), memory.shape(x), memory.shape(y).back()),
          args_(geometry_.args()) {}

    std::string kernel() const override { return "depthwise " + geometry_.text(); }
    ScratchBytes scratch() const override { return {.per_thread = geometry_.paddedElements() * kFloat}; }

protected:
    float* xOf(std::int64_t sample) const { return memory_.floats(x_) + sample * memory_.sampleElements(x_); }
    float* yOf(std::int64_t sample) const { return memory_.floats(y_) + sample * memory_.sampleElements(y_); }
    ConvArgs argsOf(std::int64_t sample, float* scratch) const {
        ConvArgs args = args_;
        args.x = geometry_.padded(xOf(sample), scratch);
        return args;
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    plan::TensorId x_, y_;
    ConvolutionGeometry geometry_;
    ConvArgs args_;
};

class Depthwise final : public DepthwiseOp {
public:
    Depthwise(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : DepthwiseOp(memory, op, kernels, op.inputs[0], op.outputs[0]) {}

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(x_), memory_.reads(op_.inputs[1]), memory_.writesSamples(y_)}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            ConvArgs args = argsOf(i, step.scratchOf(thread));
            args.kernel = memory_.floats(op_.inputs[1]);
            args.y = yOf(i);
            kernels_.depthwise(args);
        }
    }
};

class DepthwiseInput final : public DepthwiseOp {
public:
    DepthwiseInput(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : DepthwiseOp(memory, op, kernels, op.outputs[0], op.inputs[0]) {}

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(y_), memory_.reads(op_.inputs[1]), memory_.writesSamples(x_)}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        ConvArgs args = args_;
        args.kernel = memory_.floats(op_.inputs[1]);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            float* image = geometry_.isPadded() ? step.scratchOf(thread) : xOf(i);
            std::fill_n(image, geometry_.paddedHeight() * geometry_.paddedWidth() * geometry_.channels, 0.0F);
            kernels_.depthwiseInput(args, yOf(i), image);
            if (geometry_.isPadded()) takeInner(image, xOf(i));
        }
    }

private:
    void takeInner(const float* image, float* x) const {
        const std::int64_t row = geometry_.width * geometry_.channels, padded_row = geometry_.paddedWidth() * geometry_.channels;
        image += geometry_.window.pad_top * padded_row + geometry_.window.pad_left * geometry_.channels;
        for (std::int64_t h = 0; h < geometry_.height; ++h) kernels_.copyValues(image + h * padded_row, row, x + h * row);
    }
};

// Summed over runs of samples first, then over the runs.
class DepthwiseKernel final : public DepthwiseOp {
public:
    DepthwiseKernel(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : DepthwiseOp(memory, op, kernels, op.inputs[0], op.inputs[1]), runs_(std::clamp<std::int64_t>(memory.batch(), 1, kMostRuns)) {
        if (op.fused_update) update_.emplace(memory, op, op.outputs[0]);
    }

    std::string kernel() const override {
        return DepthwiseOp::kernel() + " in " + std::to_string(runs_) + " runs" + (update_ ? ", applied at once" : "");
    }
    ScratchBytes scratch() const override {
        return {.shared = runs_ * partElements() * kFloat, .per_thread = DepthwiseOp::scratch().per_thread};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        parts_ = reinterpret_cast<float*>(shared);
        Access parts{parts_, runs_ * partElements() * kFloat, 0, true};
        const Stage sum{.accesses = {memory_.reads(x_), memory_.reads(y_), parts}};
        parts.writes = false;
        Stage finish{.accesses = {parts, memory_.writes(op_.outputs[0])}};
        if (update_) update_->addAccesses(finish.accesses);
        return {sum, finish};
    }

    void run(int stage, const StepState& step, int thread) override { stage == 0 ? sumRuns(step, thread) : finish(step, thread); }

private:
    static constexpr std::int64_t kMostRuns = 16;

    std::int64_t partElements() const { return divideUp(geometry_.kernelElements(), 16) * 16; }

    void sumRuns(const StepState& step, int thread) {
        const Range mine = share(runs_, thread, step.threads);
        for (std::int64_t run = mine.begin; run < mine.end; ++run) {
            float* part = parts_ + run * partElements();
            std::fill_n(part, partElements(), 0.0F);
            const Range samples = share(step.samples, run, runs_);
            for (std::int64_t i = samples.begin; i < samples.end; ++i) {
                kernels_.depthwiseKernel(argsOf(i, step.scratchOf(thread)), yOf(i), part);
            }
        }
    }

    void finish(const StepState& step, int thread) {
        const Range mine = shareLines(geometry_.kernelElements(), thread, step.threads);
        float* dkernel = memory_.floats(op_.outputs[0]) + mine.begin;
        kernels_.addParts(parts_ + mine.begin, partElements(), runs_, nullptr, false, 1, mine.size(), dkernel);
        if (update_) update_->apply(kernels_, update_->factors(step.control), mine, dkernel);
    }

    std::int64_t runs_;
    float* parts_ = nullptr;
    std::optional<ParameterUpdate> update_;
};

}  // namespace

std::unique_ptr<BoundOp> bindDepthwise(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    const bool is_input = op.kind == plan::OpKind::kConv2DBackInput;
    const std::int64_t channels = memory.shape(is_input ? op.outputs[0] : op.inputs[0]).back();
    if (plan::windowOf(op).groups == 1 || plan::windowOf(op).groups != channels) return nullptr;
    if (is_input) return std::make_unique<DepthwiseInput>(memory, op, kernels);
    if (op.kind == plan::OpKind::kConv2D) return std::make_unique<Depthwise>(memory, op, kernels);
    if (op.kind == plan::OpKind::kConv2DBackKernel) return std::make_unique<DepthwiseKernel>(memory, op, kernels);
    return nullptr;
}

}  // namespace engine::backend::cpu
