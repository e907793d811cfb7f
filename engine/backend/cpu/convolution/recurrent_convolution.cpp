// The steps in time of a ConvLSTM. Each thread takes its own samples through all times; the convolution of a state is a product for each
// row of cells: what the window sees of each cell of the row, side by side, times U.
#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/dropout_mask.h"

namespace engine::backend::cpu {
namespace {

using plan::RecurrentAttributes;

constexpr std::int64_t kGates = 4;

// Sizes of products (N, T, cells, columns) with up to three axes of cells.
struct Sizes {
    std::int64_t time, planes = 1, rows = 1, row_cells = 1, units, columns;
    std::array<int, 3> window;
    std::int64_t groups;  // parts of U that see a state of their own: the gates, or one
    bool backwards;

    Sizes(const RecurrentAttributes& a, const spec::Shape& products)
        : time(products[1]),
          units(a.units),
          columns(products.back()),
          window(*a.window),
          groups(a.recurrent_dropout > 0 ? kGates : 1),
          backwards(a.go_backwards) {
        const std::size_t axes = products.size() - 3;
        row_cells = products[1 + axes];
        if (axes > 1) rows = products[axes];
        if (axes > 2) planes = products[axes - 1];
    }
    std::int64_t cells() const { return planes * rows * row_cells; }
    std::int64_t state() const { return cells() * units; }          // numbers of a state
    std::int64_t products() const { return cells() * columns; }     // of its products
    std::int64_t seen() const { return cells() * groups * units; }  // of what these see of it
    std::int64_t depth() const { return std::int64_t{window[0]} * window[1] * window[2] * units; }
    std::int64_t groupColumns() const { return columns / groups; }
    // The row of sequences that step s of a sample works on.
    std::int64_t at(std::int64_t sample, std::int64_t s) const { return sample * time + (backwards ? time - 1 - s : s); }
};

class ConvolvedOp : public BoundOp {
protected:
    ConvolvedOp(const Memory& memory, const plan::Op& op, const KernelTable& kernels, plan::TensorId products)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          a_(std::get<RecurrentAttributes>(op.attributes)),
          size_(a_, memory.shape(products)),
          scale_(dropoutScale(a_.recurrent_dropout)) {}

    bool isDropped() const { return size_.groups > 1; }
    bool counts(std::int64_t row) const { return times_ == nullptr || times_[row] != 0; }
    const std::uint8_t* maskOf(std::int64_t sample) const { return mask_ + sample * size_.products(); }
    bool putsOut(std::int64_t s) const { return a_.return_sequences || s + 1 == size_.time; }
    // Where the output of a step lies, in states.
    std::int64_t outputOf(std::int64_t sample, std::int64_t s) const { return a_.return_sequences ? sample * size_.time + s : sample; }

    void activate(plan::Activation function, const float* x, std::int64_t count, float* y) const {
        kernels_.activate({.function = function, .x = x, .y = y, .count = count});
    }
    // g times the derivative at the value y.
    void derive(plan::Activation function, const float* y, std::int64_t count, float* g) const {
        kernels_.activateBack({.function = function, .x = y, .dy = g, .y = g, .count = count});
    }

    // function(first cell, plane, row) for each row of cells.
    template <typename Function>
    void forRows(Function&& function) const {
        for (std::int64_t plane = 0; plane < size_.planes; ++plane)
            for (std::int64_t row = 0; row < size_.rows; ++row) function((plane * size_.rows + row) * size_.row_cells, plane, row);
    }

    // function(the window's cell, its place in the image beside each other column, the columns of the image's row that have one). A row of
    // the window beyond the image has no column.
    template <typename Function>
    void forWindow(std::int64_t plane, std::int64_t row, Function&& function) const {
        std::int64_t tap = 0;
        for (int d = 0; d < size_.window[0]; ++d)
            for (int h = 0; h < size_.window[1]; ++h) {
                const std::int64_t at_plane = plane + d - (size_.window[0] - 1) / 2, at_row = row + h - (size_.window[1] - 1) / 2;
                const bool is_inside = at_plane >= 0 && at_plane < size_.planes && at_row >= 0 && at_row < size_.rows;
                const std::int64_t first = (at_plane * size_.rows + at_row) * size_.row_cells;
                for (int w = 0; w < size_.window[2]; ++w, ++tap) {
                    const std::int64_t shift = w - (size_.window[2] - 1) / 2;
                    const Range columns{std::clamp<std::int64_t>(-shift, 0, size_.row_cells),
                                        std::clamp<std::int64_t>(size_.row_cells - shift, 0, size_.row_cells)};
                    function(tap, first + shift, is_inside ? columns : Range{});
                }
            }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    const RecurrentAttributes& a_;
    Sizes size_;
    float scale_;
    std::uint8_t* mask_ = nullptr;         // (samples, cells, gates, units); null when nothing is dropped
    const std::uint8_t* times_ = nullptr;  // (samples, time); null when all steps count
};

class Convolved final : public ConvolvedOp {
public:
    Convolved(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : ConvolvedOp(memory, op, kernels, op.inputs[0]) {
        z_ = memory.floats(op.inputs[0]);
        kernel_ = memory.floats(op.inputs[1]);
        y_ = memory.floats(op.outputs[0]);
        gates_ = memory.floats(op.outputs[1]);
        seen_ = memory.floats(op.outputs[2]);
        inner_ = memory.floats(op.outputs[3]);
        if (isDropped()) mask_ = memory.cells(op.outputs.back());
        if (a_.masked) times_ = memory.cells(op.inputs.back());
    }

    std::string kernel() const override { return "each thread its samples through time, U by rows of cells"; }
    ScratchBytes scratch() const override {
        return {.shared = 0, .per_thread = (size_.state() + size_.row_cells * size_.depth()) * kFloat};
    }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.reads(op_.inputs[1])}, .fewest_samples = kAllSamples};
        if (times_ != nullptr) stage.accesses.push_back(memory_.readsSamples(op_.inputs.back()));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range samples = step.samplesOf(thread);
        float *h = step.scratchOf(thread), *patches = h + size_.state();
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            if (isDropped()) {
                const RandomItem random = step.randomItemOf(a_.seed, i);
                fillDropoutMask(random.key, a_.recurrent_dropout, random.sample,
                                {mask_ + i * size_.products(), static_cast<std::size_t>(size_.products())});
            }
            std::fill_n(h, size_.state(), 0.0F);
            for (std::int64_t s = 0; s < size_.time; ++s) takeStep(i, s, h, patches);
        }
    }

private:
    void takeStep(std::int64_t i, std::int64_t s, float* h, float* patches) const {
        const std::int64_t row = size_.at(i, s);
        look(i, h, seen_ + row * size_.seen());
        const bool is_counted = counts(row);
        const float* before = s == 0 ? nullptr : inner_ + size_.at(i, s - 1) * size_.state();
        float* inner = inner_ + row * size_.state();
        if (is_counted) {
            float* gates = gates_ + row * size_.products();
            kernels_.copyValues(z_ + row * size_.products(), size_.products(), gates);
            if (s > 0) convolve(seen_ + row * size_.seen(), gates, patches);
            for (std::int64_t cell = 0; cell < size_.cells(); ++cell) {
                const std::int64_t at = cell * size_.units;
                finishCell(gates + cell * size_.columns, before == nullptr ? nullptr : before + at, inner + at, h + at);
            }
        } else if (before != nullptr) {
            kernels_.copyValues(before, size_.state(), inner);
        } else {
            std::fill_n(inner, size_.state(), 0.0F);
        }
        if (!putsOut(s)) return;
        float* out = y_ + outputOf(i, s) * size_.state();
        if (!is_counted && a_.zero_output_for_mask) {
            std::fill_n(out, size_.state(), 0.0F);
        } else {
            kernels_.copyValues(h, size_.state(), out);
        }
    }

    // What the products see of a state.
    void look(std::int64_t i, const float* h, float* seen) const {
        if (!isDropped()) return kernels_.copyValues(h, size_.state(), seen);
        const std::uint8_t* mask = maskOf(i);
        for (std::int64_t cell = 0; cell < size_.cells(); ++cell, h += size_.units)
            for (std::int64_t gate = 0; gate < kGates; ++gate, mask += size_.units, seen += size_.units) {
                kernels_.applyMask(h, mask, size_.units, scale_, seen);
            }
    }

    // gates += the convolution of what is seen.
    void convolve(const float* seen, float* gates, float* patches) const {
        const std::int64_t u = size_.units, stride = size_.groups * u, depth = size_.depth();
        forRows([&](std::int64_t cell, std::int64_t plane, std::int64_t row) {
            for (std::int64_t group = 0; group < size_.groups; ++group) {
                forWindow(plane, row, [&](std::int64_t tap, std::int64_t first, Range columns) {
                    for (std::int64_t column = 0; column < size_.row_cells; ++column) {
                        float* to = patches + column * depth + tap * u;
                        if (column < columns.begin || column >= columns.end) {
                            std::fill_n(to, u, 0.0F);
                        } else {
                            kernels_.copyValues(seen + (first + column) * stride + group * u, u, to);
                        }
                    }
                });
                kernels_.product({.a = patches,
                                  .a_row = depth,
                                  .b = kernel_ + group * size_.groupColumns(),
                                  .b_row = size_.columns,
                                  .c = gates + cell * size_.columns + group * size_.groupColumns(),
                                  .c_row = size_.columns,
                                  .rows = size_.row_cells,
                                  .columns = size_.groupColumns(),
                                  .count = depth,
                                  .accumulate = true});
            }
        });
    }

    // The gates as they act, and the new states of a cell.
    void finishCell(float* g, const float* before, float* inner, float* h) const {
        const std::int64_t u = size_.units;
        activate(a_.recurrent_activation, g, 2 * u, g);
        activate(a_.activation, g + 2 * u, u, g + 2 * u);
        activate(a_.recurrent_activation, g + 3 * u, u, g + 3 * u);
        kernels_.multiply(g, g + 2 * u, u, inner);
        if (before != nullptr) kernels_.multiplyAdd(g + u, before, u, inner);
        activate(a_.activation, inner, u, h);
        kernels_.multiply(h, g + 3 * u, u, h);
    }

    const float *z_, *kernel_;
    float *y_, *gates_, *seen_, *inner_;
};

class ConvolvedBack final : public ConvolvedOp {
public:
    ConvolvedBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : ConvolvedOp(memory, op, kernels, op.outputs[0]) {
        kernel_ = memory.floats(op.inputs[0]);
        gates_ = memory.floats(op.inputs[1]);
        inner_ = memory.floats(op.inputs[2]);
        std::size_t next = 3;
        if (isDropped()) mask_ = memory.cells(op.inputs[next++]);
        dy_ = memory.floats(op.inputs[next]);
        if (a_.masked) times_ = memory.cells(op.inputs.back());
        dz_ = memory.floats(op.outputs[0]);
    }

    std::string kernel() const override { return "each thread its samples back through time, U by rows of cells"; }
    ScratchBytes scratch() const override {
        return {.shared = size_.columns * size_.depth() * kFloat,
                .per_thread = (2 * size_.state() + size_.row_cells * size_.depth() + size_.units) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        turned_ = reinterpret_cast<float*>(shared);
        const Access turned{shared, scratch().shared, 0, true};
        Stage through{.accesses = {{shared, scratch().shared, 0, false}}, .fewest_samples = kAllSamples};
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) through.accesses.push_back(memory_.readsSamples(op_.inputs[i]));
        through.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
        return {{.accesses = {memory_.reads(op_.inputs[0]), turned}}, through};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 0) {
            const Range rows = share(size_.depth(), thread, step.threads);
            return kernels_.transpose(kernel_ + rows.begin * size_.columns, size_.columns, rows.size(), size_.columns, turned_ + rows.begin,
                                      size_.depth());
        }
        const Range samples = step.samplesOf(thread);
        float *dh = step.scratchOf(thread), *dc = dh + size_.state(), *patches = dc + size_.state();
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            std::fill_n(dh, 2 * size_.state(), 0.0F);
            for (std::int64_t s = size_.time; s-- > 0;) takeStep(i, s, dh, dc, patches);
        }
    }

private:
    void takeStep(std::int64_t i, std::int64_t s, float* dh, float* dc, float* patches) const {
        const std::int64_t row = size_.at(i, s);
        const bool is_counted = counts(row);
        if (putsOut(s) && (is_counted || !a_.zero_output_for_mask)) {
            kernels_.addValues(dy_ + outputOf(i, s) * size_.state(), size_.state(), dh);
        }
        float* dz = dz_ + row * size_.products();
        if (!is_counted) {  // the gradients of the states pass by
            std::fill_n(dz, size_.products(), 0.0F);
            return;
        }
        const float *gates = gates_ + row * size_.products(), *inner = inner_ + row * size_.state();
        const float* before = s == 0 ? nullptr : inner_ + size_.at(i, s - 1) * size_.state();
        float* active = patches + size_.row_cells * size_.depth();
        for (std::int64_t cell = 0; cell < size_.cells(); ++cell) {
            const std::int64_t at = cell * size_.units, of_gates = cell * size_.columns;
            cellGradients(gates + of_gates, inner + at, before == nullptr ? nullptr : before + at, dh + at, dc + at, dz + of_gates, active);
        }
        if (s == 0) return;
        std::fill_n(dh, size_.state(), 0.0F);
        convolveBack(i, dz, dh, patches);
    }

    // dz of a cell's gates, from dh and dc; dc becomes that of the step before.
    void cellGradients(const float* g, const float* inner, const float* before, float* dh, float* dc, float* dz, float* active) const {
        const std::int64_t u = size_.units;
        activate(a_.activation, inner, u, active);
        kernels_.multiply(dh, active, u, dz + 3 * u);
        derive(a_.recurrent_activation, g + 3 * u, u, dz + 3 * u);
        kernels_.multiply(dh, g + 3 * u, u, dh);
        derive(a_.activation, active, u, dh);
        kernels_.addValues(dh, u, dc);
        kernels_.multiply(dc, g + 2 * u, u, dz);
        if (before != nullptr) {
            kernels_.multiply(dc, before, u, dz + u);
        } else {
            std::fill_n(dz + u, u, 0.0F);
        }
        derive(a_.recurrent_activation, g, 2 * u, dz);
        kernels_.multiply(dc, g, u, dz + 2 * u);
        derive(a_.activation, g + 2 * u, u, dz + 2 * u);
        kernels_.multiply(dc, g + u, u, dc);
    }

    // Adds to dh what the products' gradients give the state before.
    void convolveBack(std::int64_t i, const float* dz, float* dh, float* patches) const {
        const std::int64_t u = size_.units, depth = size_.depth();
        forRows([&](std::int64_t cell, std::int64_t plane, std::int64_t row) {
            for (std::int64_t group = 0; group < size_.groups; ++group) {
                kernels_.product({.a = dz + cell * size_.columns + group * size_.groupColumns(),
                                  .a_row = size_.columns,
                                  .b = turned_ + group * size_.groupColumns() * depth,
                                  .b_row = depth,
                                  .c = patches,
                                  .c_row = depth,
                                  .rows = size_.row_cells,
                                  .columns = depth,
                                  .count = size_.groupColumns()});
                forWindow(plane, row, [&](std::int64_t tap, std::int64_t first, Range columns) {
                    for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                        float* part = patches + column * depth + tap * u;
                        if (isDropped()) {
                            const std::uint8_t* mask = maskOf(i) + (first + column) * size_.columns + group * u;
                            kernels_.applyMask(part, mask, u, scale_, part);
                        }
                        kernels_.addValues(part, u, dh + (first + column) * u);
                    }
                });
            }
        });
    }

    const float *kernel_, *gates_, *inner_, *dy_;
    float *dz_, *turned_ = nullptr;  // U transposed
};

}  // namespace

std::unique_ptr<BoundOp> bindRecurrentConvolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kRecurrent) return std::make_unique<Convolved>(memory, op, kernels);
    return std::make_unique<ConvolvedBack>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
