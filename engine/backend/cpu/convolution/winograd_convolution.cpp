// Convolutions by Winograd's filtering, with bias, activation and pooling, a block of tiles at a time.
#include <algorithm>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/convolution/pair_operands.h"
#include "engine/backend/cpu/convolution/winograd.h"

namespace engine::backend::cpu {
namespace {

ConvolutionGeometry geometryOf(const Memory& memory, const plan::Op& op) {
    return {plan::windowOf(op), memory.shape(op.inputs[0]), memory.shape(op.outputs[0]).back()};
}

class WinogradConvolution final : public BoundOp {
public:
    WinogradConvolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          winograd_(Winograd::tileOf(geometryOf(memory, op), memory.batch(), !memory.plan().dtype_policy.empty()), geometryOf(memory, op),
                    kernels),
          m_(winograd_.m()),
          geometry_(Winograd::inWholeTiles(geometryOf(memory, op), static_cast<int>(m_), plan::hasPool(op))),
          block_(winograd_.blockOf(geometry_.out_h / m_, geometry_.out_w / m_, memory.batch(), geometry_.channels, geometry_.filters,
                                   plan::hasPool(op))) {
        checkPooled(op);
        const ConvolutionGeometry as_is = geometryOf(memory, op);
        out_h_ = as_is.out_h;
        out_w_ = as_is.out_w;
        bias_ = op.inputs.size() > 2 ? memory.floats(op.inputs[2]) : nullptr;
        relu_ = op.kind == plan::OpKind::kFusedConvBlock && plan::convolutionAttributes(op).activation == plan::Activation::kRelu;
    }

    std::string kernel() const override { return "Winograd " + geometry_.text() + (plan::hasPool(op_) ? ", pooled" : ""); }

    ScratchBytes scratch() const override {
        return {.shared = winograd_.mappedFloats(geometry_.channels, geometry_.filters) * kFloat,
                .per_thread = (imageFloats() + productFloats() + pooledFloats()) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        mapped_kernel_ = reinterpret_cast<float*>(shared);
        Access mapped{mapped_kernel_, scratch().shared, 0, true};
        const Stage map{.accesses = {memory_.reads(op_.inputs[1]), mapped}, .when = When::kEarly};
        mapped.writes = false;
        Stage convolve{.accesses = {mapped, memory_.readsSamples(op_.inputs[0])}, .fewest_samples = block_.samples};
        if (op_.inputs.size() > 2) convolve.accesses.push_back(memory_.reads(op_.inputs[2]));
        for (plan::TensorId id : op_.outputs) convolve.accesses.push_back(memory_.writesSamples(id));
        return {map, convolve};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 0) {
            const Range mine = share(geometry_.channels, thread, step.threads);
            winograd_.mapKernel(memory_.floats(op_.inputs[1]), geometry_.channels, geometry_.filters, mine, mapped_kernel_);
            return;
        }
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; i += block_.samples) {
            convolve({i, std::min(i + block_.samples, mine.end)}, step.scratchOf(thread));
        }
    }

private:
    std::int64_t imageFloats() const { return winograd_.mappedFloats(block_.tiles(), geometry_.channels); }
    std::int64_t productFloats() const { return winograd_.mappedFloats(block_.tiles(), geometry_.filters); }
    std::int64_t pooledFloats() const { return plan::hasPool(op_) ? m_ * m_ * block_.tiles() * geometry_.filters : 0; }
    std::int64_t resultElements() const { return memory_.sampleElements(op_.outputs[0]); }

    void convolve(Range samples, float* scratch) const {
        float* products = scratch + imageFloats();
        float* results = products + productFloats();
        const float* x = memory_.floats(op_.inputs[0]) + samples.begin * memory_.sampleElements(op_.inputs[0]);
        const TiledImages images = tiledImages(geometry_, x);
        const std::int64_t rows = geometry_.out_h / m_;
        for (std::int64_t row = 0; row < rows; row += block_.rows) {
            const TileGrid grid{samples.size(), std::min(block_.rows, rows - row), block_.columns};
            winograd_.mapImages(images, row, geometry_.channels, grid, scratch);
            winograd_.multiply(scratch, mapped_kernel_, grid, geometry_.channels, geometry_.filters, products);
            plan::hasPool(op_) ? pool(products, grid, samples.begin, row, results) : store(products, grid, samples.begin, row);
        }
    }

    void store(const float* products, const TileGrid& grid, std::int64_t sample, std::int64_t row) const {
        const std::int64_t y_row = out_w_ * geometry_.filters;
        winograd_.mapResults(products, geometry_.filters, grid, bias_, relu_,
                             {.values = memory_.floats(op_.outputs[0]) + sample * resultElements() + m_ * row * y_row,
                              .sample = resultElements(),
                              .row = y_row,
                              .rows = out_h_ - m_ * row,
                              .width = out_w_});
    }

    // A block of tiles has windows of the pooling as a whole.
    void pool(const float* products, const TileGrid& grid, std::int64_t sample, std::int64_t row, float* results) const {
        const std::int64_t filters = geometry_.filters, x_row = m_ * grid.columns * filters, x_sample = m_ * grid.rows * x_row;
        winograd_.mapResults(products, filters, grid, bias_, false,
                             {.values = results, .sample = x_sample, .row = x_row, .rows = m_ * grid.rows, .width = m_ * grid.columns});
        const std::int64_t first = m_ * row / 2, height = out_h_ / 2, width = out_w_ / 2, y_row = width * filters;
        for (std::int64_t i = 0; i < grid.samples; ++i) {
            const std::int64_t at = (sample + i) * resultElements() + first * y_row;
            kernels_.poolPanel({.x = results + i * x_sample,
                                .x_row = x_row,
                                .x_pixel = filters,
                                .rows = std::min(m_ * grid.rows / 2, height - first),
                                .width = std::min(m_ * grid.columns / 2, width),
                                .columns = filters,
                                .relu = relu_,
                                .y = memory_.floats(op_.outputs[0]) + at,
                                .argmax = op_.outputs.size() > 1 ? memory_.cells(op_.outputs[1]) + at : nullptr,
                                .y_row = y_row,
                                .y_pixel = filters});
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    Winograd winograd_;
    std::int64_t m_;                // results of a tile, each way
    ConvolutionGeometry geometry_;  // in whole tiles
    TileGrid block_;
    std::int64_t out_h_ = 0, out_w_ = 0;  // of the convolution, before pooling
    const float* bias_ = nullptr;
    bool relu_ = false;
    float* mapped_kernel_ = nullptr;
};

}  // namespace

std::unique_ptr<BoundOp> bindWinograd(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (holdsPairs(memory, op.inputs[0]) || !Winograd::fits(geometryOf(memory, op))) return nullptr;
    return std::make_unique<WinogradConvolution>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
