// Convolutions with bias, activation and pooling, some samples at a time.
#include <algorithm>
#include <optional>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/convolution/pair_operands.h"
#include "engine/backend/cpu/convolution/panel_convolution.h"

namespace engine::backend::cpu {
namespace {

class Convolution final : public BoundOp {
public:
    Convolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          pairs_(holdsPairs(memory, op.inputs[0]) ? pairProducts(kernels.isa) : nullptr),
          geometry_(geometryOf(memory, op)),
          product_(geometry_.filters / plan::windowOf(op).groups, plan::windowOf(op).groups, geometry_.offsets(),
                   geometry_.channels / plan::windowOf(op).groups, kernels, pairs_),
          block_(pixelBlock(geometry_.out_h, geometry_.out_w, memory.batch())) {
        checkPooled(op);
        bias_ = op.inputs.size() > 2 ? memory.floats(op.inputs[2]) : nullptr;
        relu_ = op.kind == plan::OpKind::kFusedConvBlock && plan::convolutionAttributes(op).activation == plan::Activation::kRelu;
        pools_in_registers_ = plan::hasPool(op) && pairs_ == nullptr && geometry_.isShallow();
    }

    std::string kernel() const override {
        if (pools_in_registers_) return "direct " + geometry_.text() + ", pooled in registers";
        return "panels " + geometry_.text() + (plan::hasPool(op_) ? ", pooled" : "");
    }

    ScratchBytes scratch() const override {
        if (pools_in_registers_) return {.shared = 0, .per_thread = geometry_.paddedElements() * kFloat};
        return {.shared = (product_.packedElements() + pairedElements()) * kFloat,
                .per_thread = (block_.samples * geometry_.paddedElements() + (plan::hasPool(op_) ? panelElements() : 0)) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.reads(op_.inputs[1])}, .fewest_samples = block_.samples};
        if (op_.inputs.size() > 2) stage.accesses.push_back(memory_.reads(op_.inputs[2]));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        if (pools_in_registers_) return {stage};
        packed_ = reinterpret_cast<float*>(shared);
        Access packed{packed_, scratch().shared, 0, true};
        const Stage pack{.accesses = {memory_.reads(op_.inputs[1]), packed}, .when = When::kEarly};
        packed.writes = false;
        stage.accesses.push_back(packed);
        return {pack, stage};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (pools_in_registers_) return poolInRegisters(step, thread);
        if (stage == 0) return pack(step, thread);
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; i += block_.samples) {
            const Range samples{i, std::min(i + block_.samples, mine.end)};
            plan::hasPool(op_) ? pool(samples, step.scratchOf(thread)) : convolve(samples, step.scratchOf(thread));
        }
    }

private:
    static ConvolutionGeometry geometryOf(const Memory& memory, const plan::Op& op) {
        const ConvolutionGeometry geometry(plan::windowOf(op), memory.shape(op.inputs[0]), memory.shape(op.outputs[0]).back());
        return holdsPairs(memory, op.inputs[0]) ? geometry.ofChannelPairs() : geometry;
    }

    std::int64_t pairedElements() const { return pairs_ == nullptr ? 0 : geometry_.kernelElements(); }
    std::int64_t panelElements() const { return block_.samples * block_.rows * geometry_.out_w * product_.cut().width; }
    const float* kernelValues() const { return memory_.floats(op_.inputs[1]); }
    std::int64_t inputElements() const { return memory_.sampleElements(op_.inputs[0]) / (pairs_ == nullptr ? 1 : 2); }
    std::int64_t resultElements() const { return memory_.sampleElements(op_.outputs[0]); }

    void pack(const StepState& step, int thread) {
        if (pairs_ != nullptr) return packPairs(thread, step.threads);
        packKernel(geometry_, product_, kernelValues(), thread, step.threads, kernels_, packed_);
    }

    // A thread packs the rows that it has paired.
    void packPairs(int thread, int threads) {
        float* paired = packed_ + product_.packedElements();
        const auto* kernel = reinterpret_cast<const std::uint16_t*>(memory_.bytes(op_.inputs[1]));
        const std::int64_t filters = geometry_.filters;
        const Range mine = share(product_.count(), thread, threads);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::uint16_t* low = kernel + 2 * i * filters;
            kernels_.pairRows(low, low + filters, filters, paired + i * filters);
        }
        packKernel(geometry_, product_, paired, thread, threads, kernels_, packed_);
    }

    // The arguments without the place of the result.
    PanelArgs argsOf(Range samples, float* scratch) const {
        const WindowImage x = geometry_.image(memory_.floats(op_.inputs[0]) + samples.begin * inputElements(), samples.size(), scratch);
        return {.x = x.values,
                .x_sample = x.sample,
                .x_row = x.row,
                .x_pixel = x.pixel,
                .panel = packed_,
                .samples = samples.size(),
                .rows = geometry_.out_h,
                .width = geometry_.out_w,
                .bias = bias_,
                .relu = relu_};
    }

    void convolve(Range samples, float* scratch) const {
        PanelArgs args = argsOf(samples, scratch);
        args.y = memory_.floats(op_.outputs[0]) + samples.begin * resultElements();
        args.y_sample = resultElements();
        args.y_row = geometry_.out_w * geometry_.filters;
        args.y_pixel = geometry_.filters;
        product_.run(args, block_.rows);
    }

    // A panel's results of some rows, then the largest of each four.
    void pool(Range samples, float* scratch) const {
        PanelArgs all = argsOf(samples, scratch + panelElements());
        all.y = scratch;
        all.y_pixel = product_.cut().width;
        all.y_row = geometry_.out_w * all.y_pixel;
        all.relu = false;
        for (std::int64_t row = 0; row / 2 < geometry_.out_h / 2; row += block_.rows) {
            for (std::int64_t panel = 0; panel < product_.cut().panels; ++panel) {
                PanelArgs args = product_.argsOf(all, 0, panel);
                args.rows = std::min(block_.rows, geometry_.out_h - row);
                args.x += row * args.x_row;
                args.y_sample = args.rows * args.y_row;
                product_.convolve(args);
                for (std::int64_t i = 0; i < samples.size(); ++i) poolPanel(args, i, samples.begin + i, row / 2, panel);
            }
        }
    }

    void poolPanel(const PanelArgs& from, std::int64_t index, std::int64_t sample, std::int64_t row, std::int64_t panel) const {
        const std::int64_t width = geometry_.out_w / 2, filters = geometry_.filters;
        const std::int64_t at = sample * resultElements() + row * width * filters + product_.cut().of(panel).begin;
        kernels_.poolPanel({.x = from.y + index * from.y_sample,
                            .x_row = from.y_row,
                            .x_pixel = from.y_pixel,
                            .rows = from.rows / 2,
                            .width = width,
                            .columns = from.columns,
                            .relu = relu_,
                            .y = memory_.floats(op_.outputs[0]) + at,
                            .argmax = op_.outputs.size() > 1 ? memory_.cells(op_.outputs[1]) + at : nullptr,
                            .y_row = width * filters,
                            .y_pixel = filters});
    }

    void poolInRegisters(const StepState& step, int thread) {
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            ConvArgs args = geometry_.args();
            args.kernel = kernelValues();
            args.bias = bias_;
            args.relu = relu_;
            args.x = geometry_.padded(memory_.floats(op_.inputs[0]) + i * inputElements(), step.scratchOf(thread));
            args.y = memory_.floats(op_.outputs[0]) + i * resultElements();
            if (op_.outputs.size() > 1) args.argmax = memory_.cells(op_.outputs[1]) + i * resultElements();
            kernels_.convolvePooled(args);
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    const PairProducts* pairs_;  // null: floats. Else x and kernel hold pairs of bfloat16, which the geometry counts as channels
    ConvolutionGeometry geometry_;
    PanelProduct product_;
    PixelBlock block_;
    const float* bias_ = nullptr;
    bool relu_ = false, pools_in_registers_ = false;
    float* packed_ = nullptr;
};

}  // namespace

std::unique_ptr<BoundOp> bindConvolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (auto depthwise = bindDepthwise(memory, op, kernels)) return depthwise;
    if (auto winograd = bindWinograd(memory, op, kernels)) return winograd;
    return std::make_unique<Convolution>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
