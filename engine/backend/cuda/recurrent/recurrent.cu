// Recurrent layers: what an op has, and which way its steps go.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "engine/backend/cuda/recurrent/recurrent_cell.h"
#include "engine/backend/cuda/recurrent/recurrent_weights.h"
#include "engine/backend/dropout_mask.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"

namespace engine::backend::cuda {
namespace {

Cell cellOf(const Context& context, const plan::Op& op, plan::TensorId products) {
    Cell cell{};
    cell.a = std::get<RecurrentAttributes>(op.attributes);
    cell.settings = {};
    const spec::Shape& shape = context.shape(products);
    cell.samples = shape[0];
    cell.time = shape[1];
    cell.units = static_cast<int>(cell.a.units);
    cell.gates = static_cast<int>(plan::gatesOf(cell.a.cell));
    cell.columns = cell.gates * cell.units;
    if (cell.a.masked) cell.times = context.cells(op.inputs.back());
    cell.kept_scale = dropoutScale(cell.a.recurrent_dropout);
    return cell;
}

// A block reads U in every step at what one processor has of the cache's bandwidth, some 100 GB/s: from about 1 MiB on, a launch of a
// product and one of a pass take less. Every gate has to see the same state.
bool goesTimeByTime(const Cell& cell) {
    constexpr std::int64_t kLargeKernel = 1 << 18, kMostTimes = 2048;  // floats; nodes of a graph
    const bool is_one_product = cell.kept == nullptr && (cell.a.cell != RecurrentCell::kGru || cell.a.reset_after);
    return is_one_product && static_cast<std::int64_t>(cell.units) * cell.columns >= kLargeKernel && cell.time <= kMostTimes;
}

BoundOp bindForward(const Context& context, const plan::Op& op) {
    Forward args{};
    static_cast<Cell&>(args) = cellOf(context, op, op.inputs[0]);
    args.z = context.floats(op.inputs[0]);
    args.kernel = context.floats(op.inputs[1]);
    if (args.a.two_biases) args.bias = context.floats(op.inputs[2]);
    args.y = context.floats(op.outputs[0]);
    args.all_gates = context.floats(op.outputs[1]);
    args.previous = context.floats(op.outputs[2]);
    if (args.a.cell != RecurrentCell::kSimple) args.inner = context.floats(op.outputs[3]);
    if (args.a.recurrent_dropout > 0) args.kept = context.cells(op.outputs.back());
    args.step = context.step();
    args.layer = args.a.seed;
    args.items_per_sample = plan::itemsPerSample(context.plan(), op);
    args.threshold = dropoutThreshold(args.a.recurrent_dropout);
    return goesTimeByTime(args) ? bindRecurrentSteps(args, context.libraries()) : bindRecurrentBlocks(args);
}

BoundOp bindBackward(const Context& context, const plan::Op& op) {
    Backward args{};
    static_cast<Cell&>(args) = cellOf(context, op, op.outputs[0]);
    args.kernel = context.floats(op.inputs[0]);
    args.all_gates = context.floats(op.inputs[1]);
    args.previous = context.floats(op.inputs[2]);
    if (args.a.cell != RecurrentCell::kSimple) args.inner = context.floats(op.inputs[3]);
    const std::size_t dy_at = op.inputs.size() - (args.a.masked ? 2 : 1);
    args.dy = context.floats(op.inputs[dy_at]);
    if (args.a.recurrent_dropout > 0) args.kept = context.cells(op.inputs[dy_at - 1]);
    args.dz = context.floats(op.outputs[0]);
    std::size_t next = 1;
    if (args.a.cell == RecurrentCell::kGru) {
        if (args.a.reset_after) args.hidden = context.floats(op.outputs[next]);
        ++next;
    }
    const auto outputAt = [&](std::size_t i) { return i < op.outputs.size() ? context.floats(op.outputs[i]) : nullptr; };
    const RecurrentWeights weights(args, context.libraries(), outputAt(next), outputAt(next + 1));
    BoundOp bound = goesTimeByTime(args) ? bindRecurrentSteps(args, context.libraries()) : bindRecurrentBlocks(args);
    bound.kernel += weights.text();
    bound.scratch_bytes = std::max(bound.scratch_bytes, weights.scratchBytes());
    bound.enqueue = [steps = std::move(bound.enqueue), weights](cudaStream_t stream, std::byte* scratch) {
        steps(stream, scratch);
        weights.enqueue(stream, scratch);
    };
    return bound;
}

}  // namespace

BoundOp bindRecurrent(const Context& context, const plan::Op& op) {
    if (std::get<RecurrentAttributes>(op.attributes).window) return bindRecurrentConvolution(context, op);
    return op.kind == plan::OpKind::kRecurrent ? bindForward(context, op) : bindBackward(context, op);
}

}  // namespace engine::backend::cuda
