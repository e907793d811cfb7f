// Convolutions with bias, activation and pooling, sample by sample, and their gradients.
#include <algorithm>
#include <optional>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution_geometry.h"
#include "engine/backend/cpu/onednn_convolution.h"
#include "engine/backend/cpu/parameter_update.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

bool isHalving(const plan::Window2D& w) {
    return w.kernel_h == 2 && w.kernel_w == 2 && w.stride_h == 2 && w.stride_w == 2 && w.pad_top == 0 && w.pad_bottom == 0 &&
           w.pad_left == 0 && w.pad_right == 0;
}

void checkPool(const plan::Op& op) {
    if (!op.has_pool || (isHalving(op.pool) && op.window.groups == 1)) return;
    throw Error(ErrorCode::kUnimplemented, op.name + ": expected pooling 2x2 by 2 after a convolution of one group, got another");
}

class Convolution final : public BoundOp {
public:
    Convolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), geometry_(op.window, memory.shape(op.inputs[0]), memory.shape(op.inputs[1])) {
        checkPool(op);
        args_ = geometry_.args();
        args_.kernel = memory.floats(op.inputs[1]);
        args_.bias = op.inputs.size() > 2 ? memory.floats(op.inputs[2]) : nullptr;
        args_.relu = op.kind == plan::OpKind::kFusedConvBlock && op.activation == plan::Activation::kRelu;
        if (op.has_pool) return;
        general_ =
            makeOneDnnConvolution(ConvolutionPass::kForward, geometry_, kernels, {.bias = args_.bias != nullptr, .relu = args_.relu});
    }

    std::string kernel() const override {
        if (general_) return general_->name();
        return "direct " + geometry_.text() + (op_.has_pool ? ", pooled in registers" : "");
    }

    ScratchBytes scratch() const override {
        if (general_) return {.shared = general_->packedElements() * kFloat, .per_thread = general_->scratchElements() * kFloat};
        return {.shared = 0, .per_thread = geometry_.paddedElements() * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.reads(op_.inputs[1])}};
        if (op_.inputs.size() > 2) stage.accesses.push_back(memory_.reads(op_.inputs[2]));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        if (!general_) return {stage};
        packed_ = reinterpret_cast<float*>(shared);
        Access packed{packed_, general_->packedElements() * kFloat, 0, true};
        const Stage pack{.accesses = {memory_.reads(op_.inputs[1]), packed}};
        packed.writes = false;
        stage.accesses.push_back(packed);
        return {pack, stage};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (!general_) return runDirectly(step, thread);
        if (stage == 0) {
            if (thread == 0) general_->pack(args_.kernel, packed_);
            return;
        }
        const Range mine = step.samplesOf(thread);
        const std::int64_t x_size = memory_.sampleElements(op_.inputs[0]), y_size = memory_.sampleElements(op_.outputs[0]);
        general_->run({.samples = mine.size(),
                       .x = memory_.floats(op_.inputs[0]) + mine.begin * x_size,
                       .x_stride = x_size,
                       .kernel = packed_,
                       .bias = args_.bias,
                       .result = memory_.floats(op_.outputs[0]) + mine.begin * y_size,
                       .result_stride = y_size,
                       .scratch = step.scratchOf(thread)});
    }

private:
    void runDirectly(const StepState& step, int thread) {
        const Range mine = step.samplesOf(thread);
        const std::int64_t x_size = memory_.sampleElements(op_.inputs[0]), y_size = memory_.sampleElements(op_.outputs[0]);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            ConvArgs args = args_;
            args.x = geometry_.padded(memory_.floats(op_.inputs[0]) + i * x_size, step.scratchOf(thread));
            args.y = memory_.floats(op_.outputs[0]) + i * y_size;
            if (op_.outputs.size() > 1) args.argmax = memory_.cells(op_.outputs[1]) + i * y_size;
            op_.has_pool ? kernels_.convolvePooled(args) : kernels_.convolve(args);
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    ConvolutionGeometry geometry_;
    ConvArgs args_;
    std::unique_ptr<OneDnnConvolution> general_;  // null: the own kernels
    float* packed_ = nullptr;
};

// Kernel gradients are summed over runs of samples first, then over the runs.
class ConvolutionBack final : public BoundOp {
public:
    ConvolutionBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), geometry_(geometryOf(memory, op)), input_gradient_(geometry_, kernels) {
        using plan::OpKind;
        checkPool(op);
        if (op.kind == OpKind::kConv2DBackInput) {
            dy_ = op.inputs[0];
            kernel_ = op.inputs[1];
            dx_ = op.outputs[0];
        } else {
            x_ = op.inputs[0];
            dy_ = op.inputs.back();
            dkernel_ = op.outputs[0];
        }
        if (op.kind == OpKind::kFusedConvBlockBack) {
            kernel_ = op.inputs[1];
            y_ = op.inputs[2];
            if (op.has_pool) argmax_ = op.inputs[3];
            dbias_ = op.outputs[1];
            if (op.outputs.size() > 2) dx_ = op.outputs[2];
            relu_ = op.activation == plan::Activation::kRelu;
        }
        pooled_directly_ = op.has_pool && dx_ == plan::kNoTensor;
        forms_gradient_ = (relu_ || op.has_pool) && !pooled_directly_;
        chooseRuns();
        if (dx_ != plan::kNoTensor) general_input_ = makeOneDnnConvolution(ConvolutionPass::kInput, geometry_, kernels, {});
        if (dkernel_ != plan::kNoTensor && !pooled_directly_) {
            general_kernel_ = makeOneDnnConvolution(ConvolutionPass::kKernel, geometry_, kernels, {});
        }
        if (op.apply_update) {
            update_.emplace(memory, op, dkernel_);
            if (dbias_ != plan::kNoTensor) bias_update_.emplace(memory, op, dbias_);
        }
    }

    std::string kernel() const override {
        std::string text = geometry_.text();
        if (general_input_) text += " dx " + general_input_->name();
        if (general_kernel_) text += " dkernel " + general_kernel_->name();
        if ((dx_ != plan::kNoTensor && !general_input_) || (dkernel_ != plan::kNoTensor && !general_kernel_)) text = "direct " + text;
        if (dx_ != plan::kNoTensor && !general_input_) text += " dx by windows";
        if (dkernel_ != plan::kNoTensor && general_kernel_) text += " in " + std::to_string(runs_) + " runs";
        if (dkernel_ != plan::kNoTensor && !general_kernel_) text += " dkernel in " + std::to_string(runs_) + " runs";
        if (pooled_directly_) text += ", pooling folded in";
        return text + (op_.apply_update ? ", applied at once" : "");
    }

    ScratchBytes scratch() const override {
        std::int64_t most = geometry_.paddedElements();
        if (dx_ != plan::kNoTensor)
            most = std::max(most, general_input_ ? general_input_->scratchElements() : input_gradient_.scratchElements());
        if (general_kernel_) most = std::max(most, general_kernel_->packedElements() + general_kernel_->scratchElements());
        return {.shared = gradientBytes() + turnedBytes() + partBytes(), .per_thread = most * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        g_ = forms_gradient_ ? reinterpret_cast<float*>(shared) : memory_.floats(dy_);
        turned_ = reinterpret_cast<float*>(shared + gradientBytes());
        parts_ = reinterpret_cast<float*>(shared + gradientBytes() + turnedBytes());
        const Access g = forms_gradient_ ? Access{shared, gradientBytes(), 0, false} : memory_.reads(dy_);
        Access g_written = memory_.bySample(g), turned{turned_, turnedBytes(), 0, true}, parts{parts_, partBytes(), 0, true};
        g_written.writes = true;
        std::vector<Stage> all;
        if (dx_ != plan::kNoTensor || forms_gradient_) {
            Stage prepare{.accesses = {memory_.readsSamples(dy_), turned}};
            if (forms_gradient_) prepare.accesses.push_back(g_written);
            if (kernel_ != plan::kNoTensor) prepare.accesses.push_back(memory_.reads(kernel_));
            if (y_ != plan::kNoTensor) prepare.accesses.push_back(memory_.readsSamples(y_));
            if (argmax_ != plan::kNoTensor) prepare.accesses.push_back(memory_.readsSamples(argmax_));
            add(all, prepare, Work::kPrepare);
        }
        if (dx_ != plan::kNoTensor) {
            turned.writes = false;
            add(all, {.accesses = {memory_.bySample(g), turned, memory_.writesSamples(dx_)}}, Work::kInput);
        }
        if (dkernel_ != plan::kNoTensor) {
            Stage sum{.accesses = {memory_.reads(x_), g, parts}};
            if (y_ != plan::kNoTensor) sum.accesses.push_back(memory_.reads(y_));
            if (argmax_ != plan::kNoTensor) sum.accesses.push_back(memory_.reads(argmax_));
            add(all, sum, Work::kRuns);
            parts.writes = false;
            Stage finish{.accesses = {parts, memory_.writes(dkernel_)}};
            if (dbias_ != plan::kNoTensor) finish.accesses.push_back(memory_.writes(dbias_));
            if (update_) update_->addAccesses(finish.accesses);
            if (bias_update_) bias_update_->addAccesses(finish.accesses);
            add(all, finish, Work::kFinish);
        }
        return all;
    }

    void run(int stage, const StepState& step, int thread) override {
        switch (work_[static_cast<std::size_t>(stage)]) {
            case Work::kPrepare:
                return prepare(step, thread);
            case Work::kInput:
                return inputGradient(step, thread);
            case Work::kRuns:
                return sumRuns(step, thread);
            case Work::kFinish:
                return finish(step, thread);
        }
    }

private:
    enum class Work { kPrepare, kInput, kRuns, kFinish };

    static ConvolutionGeometry geometryOf(const Memory& memory, const plan::Op& op) {
        if (op.kind == plan::OpKind::kConv2DBackInput) return {op.window, memory.shape(op.outputs[0]), memory.shape(op.inputs[1])};
        return {op.window, memory.shape(op.inputs[0]), memory.shape(op.outputs[0])};
    }

    // Enough runs for many threads, as long as their sums stay small.
    void chooseRuns() {
        constexpr std::int64_t kMostBytes = 16 << 20, kFewest = 4, kMost = 16;
        runs_ = std::clamp(kMostBytes / (partElements() * kFloat), kFewest, kMost);
        runs_ = std::max<std::int64_t>(1, std::min(runs_, memory_.plan().batch));
    }

    void add(std::vector<Stage>& all, const Stage& stage, Work work) {
        all.push_back(stage);
        work_.push_back(work);
    }

    std::int64_t partElements() const { return geometry_.kernelElements() + geometry_.filters; }
    static std::int64_t whole(std::int64_t bytes) { return divideUp(bytes, 64) * 64; }
    std::int64_t gradientBytes() const { return forms_gradient_ ? memory_.plan().batch * whole(geometry_.outputElements() * kFloat) : 0; }
    std::int64_t turnedBytes() const {
        if (dx_ == plan::kNoTensor) return 0;
        return whole((general_input_ ? general_input_->packedElements() : geometry_.kernelElements()) * kFloat);
    }
    std::int64_t partBytes() const { return dkernel_ != plan::kNoTensor ? runs_ * partElements() * kFloat : 0; }
    std::int64_t gradientStride() const {
        return forms_gradient_ ? gradientBytes() / memory_.plan().batch / kFloat : geometry_.outputElements();
    }

    void prepare(const StepState& step, int thread) {
        if (general_input_) {
            if (thread == 0) general_input_->pack(memory_.floats(kernel_), turned_);
        } else if (dx_ != plan::kNoTensor) {
            input_gradient_.turnKernel(memory_.floats(kernel_), thread, step.threads, turned_);
        }
        if (!forms_gradient_) return;
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(dy_);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const float *y = memory_.floats(y_) + i * size, *dy = memory_.floats(dy_) + i * size;
            float* g = g_ + i * gradientStride();
            if (op_.has_pool) {
                unpool(y, dy, memory_.cells(argmax_) + i * size, g);
            } else {
                kernels_.reluGradient(y, dy, size, g);
            }
        }
    }

    void unpool(const float* y, const float* dy, const std::uint8_t* cells, float* g) const {
        const std::int64_t filters = geometry_.filters, row = geometry_.out_w * filters;
        if (geometry_.out_h % 2 != 0 || geometry_.out_w % 2 != 0) std::fill_n(g, geometry_.outputElements(), 0.0F);
        for (std::int64_t h = 0; h < geometry_.out_h / 2; ++h) {
            for (std::int64_t w = 0; w < geometry_.out_w / 2; ++w, y += filters, dy += filters, cells += filters) {
                kernels_.spreadPooled(relu_ ? y : nullptr, dy, cells, filters, g + 2 * h * row + 2 * w * filters, row);
            }
        }
    }

    void inputGradient(const StepState& step, int thread) {
        const Range mine = step.samplesOf(thread);
        if (general_input_) {
            const std::int64_t size = memory_.sampleElements(dx_);
            general_input_->run({.samples = mine.size(),
                                 .dy = g_ + mine.begin * gradientStride(),
                                 .dy_stride = gradientStride(),
                                 .kernel = turned_,
                                 .result = memory_.floats(dx_) + mine.begin * size,
                                 .result_stride = size,
                                 .scratch = step.scratchOf(thread)});
            return;
        }
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            float* dx = memory_.floats(dx_) + i * memory_.sampleElements(dx_);
            input_gradient_.run(g_ + i * gradientStride(), turned_, step.scratchOf(thread), dx);
        }
    }

    void sumRuns(const StepState& step, int thread) {
        const Range mine = share(runs_, thread, step.threads);
        for (std::int64_t run = mine.begin; run < mine.end; ++run) {
            float* part = parts_ + run * partElements();
            std::fill_n(part, partElements(), 0.0F);
            const Range samples = share(step.samples, run, runs_);
            if (general_kernel_) {
                addSamples(samples, part, step.scratchOf(thread));
                continue;
            }
            for (std::int64_t i = samples.begin; i < samples.end; ++i) addSample(i, part, step.scratchOf(thread));
        }
    }

    // The scratch holds the packed sum, then what oneDNN needs.
    void addSamples(Range samples, float* part, float* scratch) {
        const std::int64_t x_size = memory_.sampleElements(x_);
        general_kernel_->run({.samples = samples.size(),
                              .x = memory_.floats(x_) + samples.begin * x_size,
                              .x_stride = x_size,
                              .dy = g_ + samples.begin * gradientStride(),
                              .dy_stride = gradientStride(),
                              .result = scratch,
                              .scratch = scratch + general_kernel_->packedElements()});
        general_kernel_->unpack(scratch, part);
        if (dbias_ == plan::kNoTensor) return;
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            kernels_.addColumns(g_ + i * gradientStride(), geometry_.out_h * geometry_.out_w, geometry_.filters,
                                part + geometry_.kernelElements());
        }
    }

    void addSample(std::int64_t i, float* part, float* scratch) {
        ConvArgs conv = geometry_.args();
        conv.x = geometry_.padded(memory_.floats(x_) + i * memory_.sampleElements(x_), scratch);
        float* bias_part = part + geometry_.kernelElements();
        if (pooled_directly_) {
            const std::int64_t at = i * memory_.sampleElements(dy_);
            kernels_.pooledConvolutionGradient({.conv = conv,
                                                .y = memory_.floats(y_) + at,
                                                .dy = memory_.floats(dy_) + at,
                                                .argmax = memory_.cells(argmax_) + at,
                                                .relu = relu_,
                                                .dkernel = part,
                                                .dbias = bias_part});
            return;
        }
        const float* g = g_ + i * gradientStride();
        kernels_.convolutionGradient({.conv = conv, .dy = g, .dkernel = part, .row_begin = 0, .row_end = geometry_.kernelRows()});
        if (dbias_ != plan::kNoTensor) kernels_.addColumns(g, geometry_.out_h * geometry_.out_w, geometry_.filters, bias_part);
    }

    void finish(const StepState& step, int thread) {
        const Range mine = shareLines(geometry_.kernelElements(), thread, step.threads);
        float* dkernel = memory_.floats(dkernel_) + mine.begin;
        kernels_.addParts(parts_ + mine.begin, partElements(), runs_, nullptr, false, 1, mine.size(), dkernel);
        if (update_) update_->apply(kernels_, update_->stepSize(step.control), mine, dkernel);
        if (dbias_ == plan::kNoTensor || thread != step.threads - 1) return;
        float* dbias = memory_.floats(dbias_);
        kernels_.addParts(parts_ + geometry_.kernelElements(), partElements(), runs_, nullptr, false, 1, geometry_.filters, dbias);
        if (bias_update_) bias_update_->apply(kernels_, bias_update_->stepSize(step.control), {0, geometry_.filters}, dbias);
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    ConvolutionGeometry geometry_;
    InputGradient input_gradient_;
    plan::TensorId x_ = plan::kNoTensor, kernel_ = plan::kNoTensor, y_ = plan::kNoTensor, argmax_ = plan::kNoTensor, dy_ = plan::kNoTensor;
    plan::TensorId dkernel_ = plan::kNoTensor, dbias_ = plan::kNoTensor, dx_ = plan::kNoTensor;
    bool relu_ = false, pooled_directly_ = false, forms_gradient_ = false;
    std::int64_t runs_ = 1;
    float *g_ = nullptr, *turned_ = nullptr, *parts_ = nullptr;
    std::vector<Work> work_;
    std::optional<ParameterUpdate> update_, bias_update_;
    std::unique_ptr<OneDnnConvolution> general_input_, general_kernel_;  // null: the own kernels
};

}  // namespace

std::unique_ptr<BoundOp> bindConvolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<Convolution>(memory, op, kernels);
}

std::unique_ptr<BoundOp> bindConvolutionBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<ConvolutionBack>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
