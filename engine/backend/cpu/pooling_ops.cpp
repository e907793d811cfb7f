// Max and average pooling with any window, stride and padding, or with windows that adapt to the result, vectors along the channels.
#include <algorithm>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

struct PoolSizes {
    std::int64_t height, width, channels, out_h, out_w;
    PoolSizes(const spec::Shape& x_shape, const spec::Shape& y_shape) {
        const spec::Shape x = plan::imageShape(x_shape), y = plan::imageShape(y_shape);
        height = x[1];
        width = x[2];
        channels = x[3];
        out_h = y[1];
        out_w = y[2];
    }
    plan::CellRange rows(const plan::Window2D& w, std::int64_t row) const { return plan::rowsOfWindow(w, row, out_h, height); }
    plan::CellRange columns(const plan::Window2D& w, std::int64_t column) const { return plan::columnsOfWindow(w, column, out_w, width); }
};

class MaxPool final : public BoundOp {
public:
    MaxPool(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), sizes_(memory.shape(op.inputs[0]), memory.shape(op.outputs[0])) {}

    std::string kernel() const override { return "maximum along channels"; }
    ScratchBytes scratch() const override {
        return {.shared = 0, .per_thread = sizes_.channels * static_cast<std::int64_t>(sizeof(std::int32_t))};
    }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0])}};
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        auto* cells = reinterpret_cast<std::int32_t*>(step.scratchOf(thread));
        const Range mine = step.samplesOf(thread);
        const std::int64_t x_size = memory_.sampleElements(op_.inputs[0]), pixels = sizes_.out_h * sizes_.out_w;
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const float* x = memory_.floats(op_.inputs[0]) + i * x_size;
            for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
                const std::int64_t at = (i * pixels + pixel) * sizes_.channels;
                poolPixel(x, pixel / sizes_.out_w, pixel % sizes_.out_w, memory_.floats(op_.outputs[0]) + at, cells);
                if (op_.outputs.size() > 1) storeCells(cells, at);
            }
        }
    }

private:
    void poolPixel(const float* x, std::int64_t out_row, std::int64_t out_column, float* y, std::int32_t* cells) const {
        const plan::Window2D& w = std::get<plan::Window2D>(op_.attributes);
        const plan::CellRange rows = sizes_.rows(w, out_row), columns = sizes_.columns(w, out_column);
        const std::int64_t row_end = std::min(rows.end, sizes_.height), column_end = std::min(columns.end, sizes_.width);
        bool first = true;
        for (std::int64_t row = std::max<std::int64_t>(rows.begin, 0); row < row_end; ++row) {
            for (std::int64_t column = std::max<std::int64_t>(columns.begin, 0); column < column_end; ++column) {
                const auto cell = static_cast<std::int32_t>((row - rows.begin) * w.kernel_w + column - columns.begin);
                kernels_.maximum(x + (row * sizes_.width + column) * sizes_.channels, sizes_.channels, cell, first, y, cells);
                first = false;
            }
        }
    }

    void storeCells(const std::int32_t* cells, std::int64_t at) const {
        const plan::TensorId argmax = op_.outputs[1];
        if (memory_.tensor(argmax).dtype == tensor::DType::kUInt8) {
            std::uint8_t* to = memory_.cells(argmax) + at;
            for (std::int64_t c = 0; c < sizes_.channels; ++c) to[c] = static_cast<std::uint8_t>(cells[c]);
        } else {
            std::copy_n(cells, sizes_.channels, reinterpret_cast<std::int32_t*>(memory_.bytes(argmax)) + at);
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    PoolSizes sizes_;
};

class MaxPoolBack final : public BoundOp {
public:
    MaxPoolBack(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), sizes_(memory.shape(op.outputs[0]), memory.shape(op.inputs[0])) {
        const plan::Window2D& w = std::get<plan::Window2D>(op.attributes);
        for (int kh = 0; kh < w.kernel_h; ++kh)
            for (int kw = 0; kw < w.kernel_w; ++kw) offsets_.push_back((kh * sizes_.width + kw) * sizes_.channels);
    }

    std::string kernel() const override { return "scatter by arg-max"; }

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.readsSamples(op_.inputs[1]),
                              memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const bool narrow = memory_.tensor(op_.inputs[1]).dtype == tensor::DType::kUInt8;
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            if (narrow) {
                scatter(i, memory_.cells(op_.inputs[1]));
            } else {
                scatter(i, reinterpret_cast<const std::int32_t*>(memory_.bytes(op_.inputs[1])));
            }
        }
    }

private:
    template <typename Cell>
    void scatter(std::int64_t sample, const Cell* cells) const {
        const plan::Window2D& w = std::get<plan::Window2D>(op_.attributes);
        const std::int64_t dx_size = memory_.sampleElements(op_.outputs[0]);
        float* dx = memory_.floats(op_.outputs[0]) + sample * dx_size;
        std::fill_n(dx, dx_size, 0.0F);
        std::int64_t at = sample * memory_.sampleElements(op_.inputs[0]);
        const float* dy = memory_.floats(op_.inputs[0]);
        for (std::int64_t row = 0; row < sizes_.out_h; ++row) {
            for (std::int64_t column = 0; column < sizes_.out_w; ++column) {
                const std::int64_t origin = (sizes_.rows(w, row).begin * sizes_.width + sizes_.columns(w, column).begin) * sizes_.channels;
                for (std::int64_t c = 0; c < sizes_.channels; ++c, ++at) dx[origin + offsets_[cells[at]] + c] += dy[at];
            }
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    PoolSizes sizes_;
    std::vector<std::int64_t> offsets_;  // of a window's cells
};

// Of a window that is the whole image: its equal maxima share the gradient.
class GlobalMaxBack final : public BoundOp {
public:
    GlobalMaxBack(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), sizes_(memory.shape(op.outputs[0]), memory.shape(op.inputs[0])) {}

    std::string kernel() const override { return "shares along channels"; }
    ScratchBytes scratch() const override {
        return {.shared = 0, .per_thread = sizes_.channels * static_cast<std::int64_t>(sizeof(float))};
    }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.writesSamples(op_.outputs[0])}};
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        auto* shares = reinterpret_cast<float*>(step.scratchOf(thread));
        const Range mine = step.samplesOf(thread);
        const std::int64_t channels = sizes_.channels, size = sizes_.height * sizes_.width * channels;
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const float *dy = memory_.floats(op_.inputs[0]) + i * channels, *x = memory_.floats(op_.inputs[1]) + i * size,
                        *y = memory_.floats(op_.inputs[2]) + i * channels;
            float* dx = memory_.floats(op_.outputs[0]) + i * size;
            std::fill_n(shares, channels, 0.0F);
            for (std::int64_t cell = 0; cell < size; cell += channels) {
                for (std::int64_t c = 0; c < channels; ++c) shares[c] += x[cell + c] == y[c] ? 1.0F : 0.0F;
            }
            // A NaN equals nothing, so that 0 / 0 shows a broken model on the way back, too.
            for (std::int64_t c = 0; c < channels; ++c) shares[c] = dy[c] / shares[c];
            for (std::int64_t cell = 0; cell < size; cell += channels) {
                for (std::int64_t c = 0; c < channels; ++c) dx[cell + c] = (x[cell + c] == y[c] ? 1.0F : 0.0F) * shares[c];
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    PoolSizes sizes_;
};

// The mean in both directions: it is taken over those of a window's cells that lie in the image.
class AveragePool final : public BoundOp {
public:
    AveragePool(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          is_forward_(op.kind == plan::OpKind::kAveragePool2D),
          x_(is_forward_ ? op.inputs[0] : op.outputs[0]),
          y_(is_forward_ ? op.outputs[0] : op.inputs[0]),
          sizes_(memory.shape(x_), memory.shape(y_)) {}

    std::string kernel() const override { return is_forward_ ? "mean along channels" : "shares along channels"; }

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t x_size = memory_.sampleElements(x_), y_size = memory_.sampleElements(y_);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            float *x = memory_.floats(x_) + i * x_size, *y = memory_.floats(y_) + i * y_size;
            if (!is_forward_) std::fill_n(x, x_size, 0.0F);
            for (std::int64_t row = 0; row < sizes_.out_h; ++row)
                for (std::int64_t column = 0; column < sizes_.out_w; ++column, y += sizes_.channels) pixel(x, row, column, y);
        }
    }

private:
    void pixel(float* x, std::int64_t out_row, std::int64_t out_column, float* y) const {
        const plan::Window2D& w = std::get<plan::Window2D>(op_.attributes);
        const Range rows = inside(sizes_.rows(w, out_row), sizes_.height), columns = inside(sizes_.columns(w, out_column), sizes_.width);
        const WindowSumArgs args{.rows = rows.size(),
                                 .columns = columns.size(),
                                 .row_stride = sizes_.width * sizes_.channels,
                                 .channels = sizes_.channels,
                                 .scale = 1.0F / static_cast<float>(rows.size() * columns.size())};
        float* first = x + (rows.begin * sizes_.width + columns.begin) * sizes_.channels;
        is_forward_ ? kernels_.sumWindow(args, first, y) : kernels_.addToWindow(args, y, first);
    }

    static Range inside(const plan::CellRange& cells, std::int64_t limit) {
        return {std::max<std::int64_t>(cells.begin, 0), std::min(cells.end, limit)};
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    bool is_forward_;
    plan::TensorId x_, y_;
    PoolSizes sizes_;
};

}  // namespace

std::unique_ptr<BoundOp> bindPooling(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kMaxPool2D) return std::make_unique<MaxPool>(memory, op, kernels);
    if (op.kind == plan::OpKind::kMaxPool2DBack && op.inputs.size() > 2) return std::make_unique<GlobalMaxBack>(memory, op);
    if (op.kind == plan::OpKind::kMaxPool2DBack) return std::make_unique<MaxPoolBack>(memory, op);
    return std::make_unique<AveragePool>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
