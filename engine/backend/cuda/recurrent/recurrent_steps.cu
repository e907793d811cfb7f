// The steps in time of a recurrent layer one after the other: the library multiplies all samples' states with U, then a pass goes over the
// units. Used for kernels that no block holds: each would read all of U anew in every step.
#include <cstdint>

#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/libraries.h"
#include "engine/backend/cuda/products/scratch.h"
#include "engine/backend/cuda/recurrent/recurrent_cell.h"

namespace engine::backend::cuda {
namespace {

// What goes from step to step, of all samples: (samples, units) and (samples, columns).
struct States {
    float *h, *c, *products;
};

// The sums of a unit of a sample, taken from its row of products; null stands for the products of states that are 0.
struct SumsOfProducts {
    const Forward& op;
    const float* products;
    std::int64_t row;
    int unit;

    __device__ float gate(int gate) const {
        const int column = gate * op.units + unit;
        const float product = (products == nullptr ? 0 : products[column]) + op.stateBias(column);
        return op.isApart(gate) ? product : product + op.outer(row, column);
    }
    __device__ float apart() const { return op.outer(row, 2 * op.units + unit); }
    __device__ float reset() const { return 0; }
};

__global__ void forwardStep(Forward op, Division units, States states, std::int64_t s) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= op.samples * op.units) return;
    const Division::Parts place = units(at);
    const auto unit = static_cast<int>(place.rest);
    const float* products = s == 0 ? nullptr : states.products + place.quotient * op.columns;
    float c = s == 0 || states.c == nullptr ? 0 : states.c[at];
    const SumsOfProducts sums{op, products, op.row(place.quotient, s), unit};
    states.h[at] = takeStep(op, place.quotient, s, unit, s == 0 ? 0 : states.h[at], c, sums);
    if (states.c != nullptr) states.c[at] = c;
}

struct Gradients {
    float *straight, *dc;  // (samples, units): what went past U
    float *gates, *dh;     // (samples, columns) and, by U, (samples, units)
};

__global__ void backwardStep(Backward op, Division units, Gradients gradients, std::int64_t s) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= op.samples * op.units) return;
    const Division::Parts place = units(at);
    const auto unit = static_cast<int>(place.rest);
    const bool is_last = s + 1 == op.time;
    float dc = is_last || gradients.dc == nullptr ? 0 : gradients.dc[at];
    const float dh = is_last ? 0 : gradients.straight[at] + gradients.dh[at];
    float* gates = gradients.gates + place.quotient * op.columns;
    const auto store = [&](int gate, float value) { gates[gate * op.units + unit] = value; };
    gradients.straight[at] = takeStepBack(op, place.quotient, s, unit, dh, dc, store);
    if (gradients.dc != nullptr) gradients.dc[at] = dc;
}

constexpr auto kFloat = static_cast<std::int64_t>(sizeof(float));

}  // namespace

BoundOp bindRecurrentSteps(const Forward& op, Libraries* libraries) {
    const BoundWork product = bindProduct(libraries, {.m = op.samples, .n = op.columns, .k = op.units});
    const std::int64_t count = op.samples * op.units;
    const bool has_c = op.a.cell == RecurrentCell::kLstm;
    ScratchLayout layout;
    const std::int64_t h_at = layout.add(count * kFloat), c_at = layout.add(has_c ? count * kFloat : 0);
    const std::int64_t products_at = layout.add(op.samples * op.columns * kFloat), work_at = layout.add(product.scratch_bytes);
    const Division units(op.units);
    return {.kernel = "time by time, U by " + product.kernel,
            .scratch_bytes = layout.bytes(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                const States states{.h = reinterpret_cast<float*>(scratch + h_at),
                                    .c = has_c ? reinterpret_cast<float*>(scratch + c_at) : nullptr,
                                    .products = reinterpret_cast<float*>(scratch + products_at)};
                for (std::int64_t s = 0; s < op.time; ++s) {
                    if (s > 0) product.enqueue(stream, {.a = states.h, .b = op.kernel, .c = states.products}, scratch + work_at);
                    launch("step of a recurrent layer", gridOf(count), stream, forwardStep, op, units, states, s);
                }
            }};
}

BoundOp bindRecurrentSteps(const Backward& op, Libraries* libraries) {
    const BoundWork product = bindProduct(libraries, {.m = op.samples, .n = op.units, .k = op.columns, .b_transposed = true});
    const std::int64_t count = op.samples * op.units;
    const bool has_c = op.a.cell == RecurrentCell::kLstm;
    ScratchLayout layout;
    const std::int64_t straight_at = layout.add(count * kFloat), dc_at = layout.add(has_c ? count * kFloat : 0);
    const std::int64_t gates_at = layout.add(op.samples * op.columns * kFloat), dh_at = layout.add(count * kFloat);
    const std::int64_t work_at = layout.add(product.scratch_bytes);
    const Division units(op.units);
    return {.kernel = "time by time, U by " + product.kernel,
            .scratch_bytes = layout.bytes(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                const Gradients gradients{.straight = reinterpret_cast<float*>(scratch + straight_at),
                                          .dc = has_c ? reinterpret_cast<float*>(scratch + dc_at) : nullptr,
                                          .gates = reinterpret_cast<float*>(scratch + gates_at),
                                          .dh = reinterpret_cast<float*>(scratch + dh_at)};
                for (std::int64_t s = op.time; s-- > 0;) {
                    launch("step back of a recurrent layer", gridOf(count), stream, backwardStep, op, units, gradients, s);
                    if (s > 0) product.enqueue(stream, {.a = gradients.gates, .b = op.kernel, .c = gradients.dh}, scratch + work_at);
                }
            }};
}

}  // namespace engine::backend::cuda
