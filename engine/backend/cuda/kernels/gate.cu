// Gates (plan::Op::gate): the choice of engine/backend/image/gate.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/gate.h"

namespace engine::backend::cuda {
namespace {

// A thread a time of TimeDistributed; one without it.
__global__ void drawGatesKernel(const StepParameters* step, plan::Gate gate, std::int64_t times, std::int32_t* is_open) {
    const std::int64_t time = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (time >= times) return;
    DropoutKey key;
    key.seed = step->seed;
    key.epoch = step->epoch;
    key.iteration = step->iteration;
    key.layer = gate.seed;
    is_open[time] = isOpen(gate, keyOfItem(key, times, time)) ? 1 : 0;
}

template <typename Bits>
struct PassClosed {
    const std::int32_t* is_open;  // (times)
    Division values, times;       // of an item, of a sample
    const Bits* in;
    Bits* out;

    template <int width>
    __device__ void run(std::int64_t at) const {
        if (is_open[times(values(at).quotient).rest] != 0) return;
        copyPack<width>(in + at, out + at);
    }
};

template <typename Bits>
BoundOp bindGate(BoundOp bound, const Context& context, const plan::Op& op) {
    const std::int64_t batch = context.plan().batch, count = context.elements(op.inputs[0]);
    const std::int64_t items = context.shape(op.inputs[0]).front(), times = batch == 0 ? 1 : std::max<std::int64_t>(items / batch, 1);
    const StepParameters* step = context.step();
    const Bits* in = context.as<Bits>(op.inputs[0]);
    Bits* out = context.as<Bits>(op.outputs[0]);
    const Division values(items == 0 ? 1 : std::max<std::int64_t>(count / items, 1));
    const bool is_aligned = times == 1 && areAligned(in, out);  // a vector may belong to two items
    bound.kernel += ", behind a gate";
    bound.scratch_bytes = std::max(bound.scratch_bytes, times * static_cast<std::int64_t>(sizeof(std::int32_t)));
    bound.enqueue = [=, gate = *op.gate, enqueue = std::move(bound.enqueue)](cudaStream_t stream, std::byte* scratch) {
        enqueue(stream, scratch);
        auto* is_open = reinterpret_cast<std::int32_t*>(scratch);  // the op has done with its scratch memory
        launch("gate", gridOf(times, 64), stream, drawGatesKernel, step, gate, times, is_open);
        launchPointwise<kVectorOf<Bits>>("gate", PassClosed<Bits>{is_open, values, Division(times), in, out}, count, is_aligned, stream);
    };
    return bound;
}

}  // namespace

BoundOp withGate(BoundOp bound, const Context& context, const plan::Op& op) {
    BoundOp gated;
    withBits(context.tensor(op.inputs[0]), [&]<typename Bits>() { gated = bindGate<Bits>(std::move(bound), context, op); });
    return gated;
}

}  // namespace engine::backend::cuda
