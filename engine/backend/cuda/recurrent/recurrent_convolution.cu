// A ConvLSTM time by time: the library convolves all samples' states with U, then a pass goes over the units of all cells. Volumes are
// images whose rows are those that a window sees in planes and rows, laid under each other.
#include <array>
#include <cstdint>
#include <variant>

#include "engine/backend/activation_formulas.h"
#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/libraries.h"
#include "engine/backend/cuda/products/scratch.h"
#include "engine/backend/dropout_mask.h"
#include "engine/plan/op_table.h"

namespace engine::backend::cuda {
namespace {

using plan::RecurrentAttributes;

constexpr auto kFloat = static_cast<std::int64_t>(sizeof(float));
constexpr int kGates = 4;

// What both directions read. An item is a cell of a sample.
struct Cells {
    using Formulas = ActivationFormulas<float>;

    RecurrentAttributes a;
    plan::ActivationSettings settings;
    std::int64_t samples, time, cells;
    std::int64_t planes, rows, row_cells;  // cells is their product
    int window_planes, window_rows, window_cells;
    int units, columns, groups;  // groups: parts of U that see a state of their own, the gates or one
    Division by_units, by_cells;
    const float* kernel;
    const std::uint8_t* times;  // (samples, time), or null: all count
    std::uint8_t* kept;         // (samples, cells, gates, units) of recurrent dropout, or null
    float kept_scale;

    std::int64_t items() const { return samples * cells; }
    std::int64_t states() const { return items() * units; }

    // The place of an item's cell at a step, and whether that step counts.
    struct Place {
        std::int64_t row;
        bool counts;
    };
    __device__ Place place(std::int64_t sample, std::int64_t cell, std::int64_t step) const {
        const std::int64_t at = sample * time + (a.go_backwards ? time - 1 - step : step);
        return {at * cells + cell, times == nullptr || times[at] != 0};
    }
    // What group `group` sees of a unit of an item's state.
    __device__ float seen(std::int64_t item, int group, int unit) const {
        if (kept == nullptr) return 1;
        return kept[(item * kGates + group) * units + unit] != 0 ? kept_scale : 0;
    }
    __device__ bool putsOut(std::int64_t step) const { return a.return_sequences || step + 1 == time; }
    // Where an item's output of a step lies.
    __device__ std::int64_t outputOf(std::int64_t sample, std::int64_t cell, std::int64_t step) const {
        return (a.return_sequences ? sample * time + step : sample) * cells + cell;
    }
    __device__ float activate(float x) const { return Formulas::value(a.activation, settings, x); }
    __device__ float gate(float x) const { return Formulas::value(a.recurrent_activation, settings, x); }
    __device__ float slope(float y) const { return Formulas::derivative(a.activation, settings, y); }
    __device__ float gateSlope(float y) const { return Formulas::derivative(a.recurrent_activation, settings, y); }
};

struct StepOfCells : Cells {
    const float* z;
    float *y, *all_gates, *all_seen, *inner;
    const StepParameters* step;
    std::int64_t layer, items_per_sample;  // of the dropout's key
    std::uint64_t threshold;
};

struct StepOfCellsBack : Cells {
    const float *all_gates, *inner, *dy;
    float* dz;
};

// The mask of each sample, four numbers a thread.
__global__ void drawMasks(StepOfCells op, std::int64_t words) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= op.samples * words) return;
    const DropoutKey of_layer{op.step->seed, op.step->epoch, op.step->iteration, op.layer};
    const std::int64_t item = i / words, word = i % words, sample = item / op.items_per_sample, count = op.cells * op.columns;
    const std::uint32_t number = sample >= op.step->samples    ? 0
                                 : op.step->indices == nullptr ? static_cast<std::uint32_t>(sample)
                                                               : op.step->indices[sample];
    const tensor::RandomStream random = randomStream(keyOfItem(of_layer, op.items_per_sample, item), tensor::RandomPurpose::kDropout);
    const tensor::PhiloxCounter drawn = random.block(number, static_cast<std::uint64_t>(word));
    for (int k = 0; k < 4 && word * 4 + k < count; ++k) {
        op.kept[item * count + word * 4 + k] = drawn[static_cast<std::size_t>(k)] >= op.threshold ? 1 : 0;
    }
}

// What goes from step to step, of all items: states (units), what the products see of them (groups units), and these (columns).
struct States {
    float *h, *seen, *products;
};

__global__ void forwardStep(StepOfCells op, States states, std::int64_t s) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= op.samples * op.cells * op.units) return;
    const Division::Parts of_unit = op.by_units(at);
    const std::int64_t item = of_unit.quotient;
    const auto unit = static_cast<int>(of_unit.rest);
    const Division::Parts of_cell = op.by_cells(item);
    const Cells::Place place = op.place(of_cell.quotient, of_cell.rest, s);
    const std::int64_t row = place.row;
    const int width = op.groups * op.units;
    for (int group = 0; group < op.groups; ++group) {
        const int column = group * op.units + unit;
        op.all_seen[row * width + column] = s == 0 ? 0 : states.seen[item * width + column];
    }
    float h = s == 0 ? 0 : states.h[at];
    float c = s == 0 ? 0 : op.inner[op.place(of_cell.quotient, of_cell.rest, s - 1).row * op.units + unit];
    if (place.counts) {
        float* gates = op.all_gates + row * op.columns;
        const auto sum = [&](int gate) {
            const int column = gate * op.units + unit;
            return op.z[row * op.columns + column] + (s == 0 ? 0 : states.products[item * op.columns + column]);
        };
        const float input = op.gate(sum(0)), forget = op.gate(sum(1)), candidate = op.activate(sum(2)), output = op.gate(sum(3));
        c = forget * c + input * candidate;
        h = output * op.activate(c);
        gates[unit] = input;
        gates[op.units + unit] = forget;
        gates[2 * op.units + unit] = candidate;
        gates[3 * op.units + unit] = output;
    }
    op.inner[row * op.units + unit] = c;
    states.h[at] = h;
    for (int group = 0; group < op.groups; ++group) states.seen[item * width + group * op.units + unit] = h * op.seen(item, group, unit);
    if (!op.putsOut(s)) return;
    op.y[op.outputOf(of_cell.quotient, of_cell.rest, s) * op.units + unit] = !place.counts && op.a.zero_output_for_mask ? 0.0F : h;
}

struct Gradients {
    float *straight, *dc;  // (items, units): what went past U
    float *gates, *seen;   // (items, columns) and, by U, (items, groups units)
};

__global__ void backwardStep(StepOfCellsBack op, Gradients gradients, std::int64_t s) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= op.samples * op.cells * op.units) return;
    const Division::Parts of_unit = op.by_units(at);
    const std::int64_t item = of_unit.quotient;
    const auto unit = static_cast<int>(of_unit.rest);
    const Division::Parts of_cell = op.by_cells(item);
    const Cells::Place place = op.place(of_cell.quotient, of_cell.rest, s);
    const std::int64_t row = place.row;
    const bool is_last = s + 1 == op.time;
    float dh = is_last ? 0 : gradients.straight[at], dc = is_last ? 0 : gradients.dc[at];
    for (int group = 0; !is_last && group < op.groups; ++group) {
        dh += gradients.seen[(item * op.groups + group) * op.units + unit] * op.seen(item, group, unit);
    }
    if (op.putsOut(s) && (place.counts || !op.a.zero_output_for_mask)) {
        dh += op.dy[op.outputOf(of_cell.quotient, of_cell.rest, s) * op.units + unit];
    }
    const auto put = [&](int gate, float value) {
        op.dz[row * op.columns + gate * op.units + unit] = value;
        gradients.gates[item * op.columns + gate * op.units + unit] = value;
    };
    if (!place.counts) {  // the gradients of the states pass by
        for (int gate = 0; gate < kGates; ++gate) put(gate, 0);
    } else {
        const float* gates = op.all_gates + row * op.columns;
        const float input = gates[unit], forget = gates[op.units + unit], candidate = gates[2 * op.units + unit],
                    output = gates[3 * op.units + unit];
        const float active = op.activate(op.inner[row * op.units + unit]);
        const float before = s == 0 ? 0 : op.inner[op.place(of_cell.quotient, of_cell.rest, s - 1).row * op.units + unit];
        const float all = dc + dh * output * op.slope(active);
        put(0, all * candidate * op.gateSlope(input));
        put(1, all * before * op.gateSlope(forget));
        put(2, all * input * op.slope(candidate));
        put(3, dh * active * op.gateSlope(output));
        dc = all * forget;
        dh = 0;
    }
    gradients.straight[at] = dh;
    gradients.dc[at] = dc;
}

// The rows of cells that a window sees in planes and rows, under each other: (samples, planes, rows, window_planes, window_rows,
// row_width).
struct SeenRows {
    std::int64_t samples, planes, rows, row_width;
    int window_planes, window_rows;

    std::int64_t elements() const { return samples * planes * rows * row_width; }
    std::int64_t laidOut() const { return elements() * window_planes * window_rows; }
    __device__ int before(int window) const { return (window - 1) / 2; }
};

__global__ void layRows(SeenRows of, const float* seen, float* laid) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t cells = of.window_planes * of.window_rows;
    if (at >= of.samples * of.planes * of.rows * of.row_width * cells) return;
    const std::int64_t column = at % of.row_width, line = at / of.row_width, tap = line % cells, place = line / cells;
    const std::int64_t row = place % of.rows + tap % of.window_rows - of.before(of.window_rows);
    const std::int64_t plane = place / of.rows % of.planes + tap / of.window_rows - of.before(of.window_planes);
    const bool is_inside = row >= 0 && row < of.rows && plane >= 0 && plane < of.planes;
    const std::int64_t sample = place / (of.rows * of.planes);
    laid[at] = is_inside ? seen[((sample * of.planes + plane) * of.rows + row) * of.row_width + column] : 0;
}

// The sum of each row's copies.
__global__ void gatherRows(SeenRows of, const float* laid, float* seen) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= of.samples * of.planes * of.rows * of.row_width) return;
    const std::int64_t column = at % of.row_width, place = at / of.row_width;
    const std::int64_t row = place % of.rows, plane = place / of.rows % of.planes, sample = place / (of.rows * of.planes);
    float sum = 0;
    for (int d = 0; d < of.window_planes; ++d) {
        const std::int64_t of_plane = plane - d + of.before(of.window_planes);
        if (of_plane < 0 || of_plane >= of.planes) continue;
        for (int h = 0; h < of.window_rows; ++h) {
            const std::int64_t of_row = row - h + of.before(of.window_rows);
            if (of_row < 0 || of_row >= of.rows) continue;
            const std::int64_t line = ((sample * of.planes + of_plane) * of.rows + of_row) * of.window_planes * of.window_rows +
                                      static_cast<std::int64_t>(d) * of.window_rows + h;
            sum += laid[line * of.row_width + column];
        }
    }
    seen[at] = sum;
}

Cells cellsOf(const Context& context, const plan::Op& op, plan::TensorId products) {
    Cells cells{};
    cells.a = std::get<RecurrentAttributes>(op.attributes);
    const spec::Shape& shape = context.shape(products);
    const std::size_t axes = shape.size() - 3;
    cells.samples = shape[0];
    cells.time = shape[1];
    cells.planes = axes > 2 ? shape[axes - 1] : 1;
    cells.rows = axes > 1 ? shape[axes] : 1;
    cells.row_cells = shape[axes + 1];
    cells.cells = cells.planes * cells.rows * cells.row_cells;
    const std::array<int, 3> window = *cells.a.window;
    cells.window_planes = window[0];
    cells.window_rows = window[1];
    cells.window_cells = window[2];
    cells.units = static_cast<int>(cells.a.units);
    cells.columns = kGates * cells.units;
    cells.groups = cells.a.recurrent_dropout > 0 ? kGates : 1;
    cells.by_units = Division(cells.units);
    cells.by_cells = Division(cells.cells);
    if (cells.a.masked) cells.times = context.cells(op.inputs.back());
    cells.kept_scale = dropoutScale(cells.a.recurrent_dropout);
    return cells;
}

// The convolution of what is seen with U, or its way back.
class StateConvolution {
public:
    StateConvolution(const Cells& of, Libraries* libraries, ConvolutionWay way, ScratchLayout& layout) {
        const int width = of.groups * of.units;
        rows_ = {.samples = of.samples,
                 .planes = of.planes,
                 .rows = of.rows,
                 .row_width = of.row_cells * width,
                 .window_planes = of.window_planes,
                 .window_rows = of.window_rows};
        Convolution work{.way = way};
        const int before = (of.window_cells - 1) / 2, above = (of.window_rows - 1) / 2;
        work.window = {.kernel_w = of.window_cells, .pad_left = before, .pad_right = of.window_cells - 1 - before, .groups = of.groups};
        std::int64_t rows = of.planes * of.rows;
        lays_rows_ = of.planes > 1 && of.window_planes * of.window_rows > 1;
        if (lays_rows_) {
            work.window.kernel_h = work.window.stride_h = of.window_planes * of.window_rows;
            rows *= work.window.kernel_h;
        } else if (of.planes > 1) {
            work.window.kernel_h = 1;
        } else {
            work.window.kernel_h = of.window_rows;
            work.window.pad_top = above;
            work.window.pad_bottom = of.window_rows - 1 - above;
        }
        work.x = {of.samples, rows, of.row_cells, width};
        work.kernel = plan::kernelShape(work.window, width, of.columns);
        work.y = {of.samples, of.planes * of.rows, of.row_cells, of.columns};
        // A single plane meets the middle of the window's planes alone.
        if (of.planes == 1)
            kernel_at_ = std::int64_t{(of.window_planes - 1) / 2} * of.window_rows * of.window_cells * of.units * of.columns;
        work_ = bindConvolutionWork(libraries, work);
        laid_at_ = layout.add(lays_rows_ ? rows_.laidOut() * kFloat : 0);
        work_at_ = layout.add(work_.scratch_bytes);
    }

    const std::string& kernel() const { return work_.kernel; }

    // seen -> products.
    void forward(cudaStream_t stream, const Cells& of, const float* seen, float* products, std::byte* scratch) const {
        auto* laid = reinterpret_cast<float*>(scratch + laid_at_);
        if (lays_rows_) launch("rows of a recurrent convolution", gridOf(rows_.laidOut()), stream, layRows, rows_, seen, laid);
        work_.enqueue(stream, {.a = lays_rows_ ? laid : seen, .b = of.kernel + kernel_at_, .c = products}, scratch + work_at_);
    }
    // Gradients of products -> of what was seen.
    void back(cudaStream_t stream, const Cells& of, const float* products, float* seen, std::byte* scratch) const {
        auto* laid = reinterpret_cast<float*>(scratch + laid_at_);
        work_.enqueue(stream, {.a = products, .b = of.kernel + kernel_at_, .c = lays_rows_ ? laid : seen}, scratch + work_at_);
        if (lays_rows_) launch("rows of a recurrent convolution", gridOf(rows_.elements()), stream, gatherRows, rows_, laid, seen);
    }

private:
    SeenRows rows_{};
    bool lays_rows_ = false;
    std::int64_t kernel_at_ = 0, laid_at_ = 0, work_at_ = 0;  // floats of U; bytes of scratch
    BoundWork work_{};
};

BoundOp bindForward(const Context& context, const plan::Op& op) {
    StepOfCells args{};
    static_cast<Cells&>(args) = cellsOf(context, op, op.inputs[0]);
    args.z = context.floats(op.inputs[0]);
    args.kernel = context.floats(op.inputs[1]);
    args.y = context.floats(op.outputs[0]);
    args.all_gates = context.floats(op.outputs[1]);
    args.all_seen = context.floats(op.outputs[2]);
    args.inner = context.floats(op.outputs[3]);
    if (args.a.recurrent_dropout > 0) args.kept = context.cells(op.outputs.back());
    args.step = context.step();
    args.layer = args.a.seed;
    args.items_per_sample = plan::itemsPerSample(context.plan(), op);
    args.threshold = dropoutThreshold(args.a.recurrent_dropout);
    ScratchLayout layout;
    const std::int64_t h_at = layout.add(args.states() * kFloat), seen_at = layout.add(args.states() * args.groups * kFloat);
    const std::int64_t products_at = layout.add(args.items() * args.columns * kFloat);
    const StateConvolution convolution(args, context.libraries(), ConvolutionWay::kForward, layout);
    return {.kernel = "time by time, U by " + convolution.kernel(),
            .scratch_bytes = layout.bytes(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                const States states{.h = reinterpret_cast<float*>(scratch + h_at),
                                    .seen = reinterpret_cast<float*>(scratch + seen_at),
                                    .products = reinterpret_cast<float*>(scratch + products_at)};
                if (args.kept != nullptr) {
                    const std::int64_t words = (args.cells * args.columns + 3) / 4;
                    launch("mask of a recurrent layer", gridOf(args.samples * words), stream, drawMasks, args, words);
                }
                for (std::int64_t s = 0; s < args.time; ++s) {
                    if (s > 0) convolution.forward(stream, args, states.seen, states.products, scratch);
                    launch("step of a recurrent layer", gridOf(args.states()), stream, forwardStep, args, states, s);
                }
            }};
}

BoundOp bindBackward(const Context& context, const plan::Op& op) {
    StepOfCellsBack args{};
    static_cast<Cells&>(args) = cellsOf(context, op, op.outputs[0]);
    args.kernel = context.floats(op.inputs[0]);
    args.all_gates = context.floats(op.inputs[1]);
    args.inner = context.floats(op.inputs[2]);
    std::size_t next = 3;
    if (args.a.recurrent_dropout > 0) args.kept = context.cells(op.inputs[next++]);
    args.dy = context.floats(op.inputs[next]);
    args.dz = context.floats(op.outputs[0]);
    ScratchLayout layout;
    const std::int64_t straight_at = layout.add(args.states() * kFloat), dc_at = layout.add(args.states() * kFloat);
    const std::int64_t gates_at = layout.add(args.items() * args.columns * kFloat),
                       seen_at = layout.add(args.states() * args.groups * kFloat);
    const StateConvolution convolution(args, context.libraries(), ConvolutionWay::kBackInput, layout);
    return {.kernel = "time by time, U by " + convolution.kernel(),
            .scratch_bytes = layout.bytes(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                const Gradients gradients{.straight = reinterpret_cast<float*>(scratch + straight_at),
                                          .dc = reinterpret_cast<float*>(scratch + dc_at),
                                          .gates = reinterpret_cast<float*>(scratch + gates_at),
                                          .seen = reinterpret_cast<float*>(scratch + seen_at)};
                for (std::int64_t s = args.time; s-- > 0;) {
                    launch("step back of a recurrent layer", gridOf(args.states()), stream, backwardStep, args, gradients, s);
                    if (s > 0) convolution.back(stream, args, gradients.gates, gradients.seen, scratch);
                }
            }};
}

}  // namespace

BoundOp bindRecurrentConvolution(const Context& context, const plan::Op& op) {
    return op.kind == plan::OpKind::kRecurrent ? bindForward(context, op) : bindBackward(context, op);
}

}  // namespace engine::backend::cuda
