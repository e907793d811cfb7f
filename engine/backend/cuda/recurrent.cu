// The steps in time of SimpleRNN, LSTM and GRU: a block takes some samples through all times in one launch. States lie in shared memory,
// the recurrent kernel, too, where it fits. The sums over all samples and times for dU come after it, split over rows and joined in order.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "engine/backend/activation_formulas.h"
#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/launch.h"
#include "engine/backend/cuda/libraries.h"
#include "engine/backend/cuda/reduce.h"
#include "engine/backend/cuda/transpose.h"
#include "engine/backend/dropout_mask.h"
#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

using plan::RecurrentAttributes;
using plan::RecurrentCell;
using Formulas = ActivationFormulas<float>;

// What both directions read. Rows are those of sequences: sample * time + time of the step.
struct Cell {
    RecurrentAttributes a;
    plan::ActivationSettings settings;
    std::int64_t samples, time;
    int units, gates, columns;  // columns: gates * units
    const float* kernel;        // (units, columns)
    const std::uint8_t* times;  // (samples, time), or null: all count
    std::uint8_t* kept;         // (samples, gates, units) of recurrent dropout, or null
    float kept_scale;
    int parts;               // a product's sum is shared by so many threads (of a gate, on the way back)
    bool has_shared_kernel;  // else read where it lies

    __device__ bool isGru() const { return a.cell == RecurrentCell::kGru; }
    __device__ bool counts(std::int64_t row) const { return times == nullptr || times[row] != 0; }
    __device__ std::int64_t row(std::int64_t sample, std::int64_t step) const {
        return sample * time + (a.go_backwards ? time - 1 - step : step);
    }
    // What gate `gate` sees of a unit of the state.
    __device__ float seen(std::int64_t sample, int gate, int unit) const {
        if (kept == nullptr) return 1;
        return kept[(sample * gates + gate) * units + unit] != 0 ? kept_scale : 0;
    }
    __device__ float activate(float x) const { return Formulas::value(a.activation, settings, x); }
    __device__ float gate(float x) const { return Formulas::value(a.recurrent_activation, settings, x); }
    __device__ float slope(float y) const { return Formulas::derivative(a.activation, settings, y); }
    __device__ float gateSlope(float y) const { return Formulas::derivative(a.recurrent_activation, settings, y); }
};

// Calls item(index of the block's sample, unit) for each of the block's; always the same thread for the same pair.
template <int kSamples, typename Item>
__device__ void forItems(int units, Item item) {
    for (int i = static_cast<int>(threadIdx.x); i < kSamples * units; i += static_cast<int>(blockDim.x)) item(i / units, i % units);
}

struct Forward : Cell {
    const float *z, *bias;                    // bias: (2, columns), or null
    float *y, *all_gates, *previous, *inner;  // inner: null of a simple cell
    const StepParameters* step;
    std::int64_t layer, items_per_sample;  // of the dropout's key
    std::uint64_t threshold;
};

// Shared memory of the way forward, in floats.
struct ForwardShared {
    float *h, *c, *reset, *candidate, *sums, *kernel;
    float* states;  // what the gates see: h itself, or a copy for each

    __host__ __device__ static std::int64_t floats(const Cell& op, int samples) {
        const std::int64_t state = static_cast<std::int64_t>(op.units) * samples;
        return state * (4 + (op.kept != nullptr ? op.gates : 0)) + static_cast<std::int64_t>(op.parts) * samples * op.columns +
               (op.has_shared_kernel ? static_cast<std::int64_t>(op.units) * op.columns : 0);
    }
    __device__ ForwardShared(const Cell& op, int samples, float* memory) {
        const int state = op.units * samples;
        h = memory;
        c = h + state;
        reset = c + state;
        candidate = reset + state;
        states = op.kept == nullptr ? h : candidate + state;
        sums = candidate + state * (1 + (op.kept != nullptr ? op.gates : 0));
        kernel = sums + op.parts * samples * op.columns;
    }
};

__device__ void drawMasks(const Forward& op, std::int64_t first, std::int64_t end) {
    const DropoutKey of_layer{op.step->seed, op.step->epoch, op.step->iteration, op.layer};
    const int words = (op.columns + 3) / 4;
    for (std::int64_t i = threadIdx.x; i < (end - first) * words; i += blockDim.x) {
        const std::int64_t item = first + i / words, sample = item / op.items_per_sample;
        const int word = static_cast<int>(i % words);
        const std::uint32_t number = sample < op.step->samples ? op.step->indices[sample] : 0;
        const tensor::RandomStream random = randomStream(keyOfItem(of_layer, op.items_per_sample, item), tensor::RandomPurpose::kDropout);
        const tensor::PhiloxCounter drawn = random.block(number, static_cast<std::uint64_t>(word));
        for (int k = 0; k < 4 && word * 4 + k < op.columns; ++k) {
            op.kept[item * op.columns + word * 4 + k] = drawn[static_cast<std::size_t>(k)] >= op.threshold ? 1 : 0;
        }
    }
}

// Sums of the products of `states` with columns [begin, end) of the kernel, and z with them; of a GRU's candidate with reset_after, z goes
// to shared.candidate, as the product is to be reset alone.
template <int kSamples>
__device__ void multiplyStates(const Forward& op, const ForwardShared& shared, const float* states, int begin, int end, std::int64_t first,
                               std::int64_t s) {
    const int width = end - begin, units = op.units, columns = op.columns;
    const float* kernel = op.has_shared_kernel ? shared.kernel : op.kernel;
    const bool has_copies = op.kept != nullptr && states == shared.states;
    for (int slot = static_cast<int>(threadIdx.x); slot < width * op.parts; slot += static_cast<int>(blockDim.x)) {
        const int column = begin + slot % width, part = slot / width, gate = column / units;
        const float* seen = has_copies ? states + gate * units * kSamples : states;
        float own[kSamples] = {}, sum[kSamples] = {};
        if (part == 0) {
#pragma unroll
            for (int i = 0; i < kSamples; ++i) {
                if (first + i < op.samples) own[i] = op.z[op.row(first + i, s) * columns + column];
            }
        }
        const int last = units * (part + 1) / op.parts;
#pragma unroll 8
        for (int k = units * part / op.parts; k < last; ++k) {
            const float weight = kernel[k * columns + column];
#pragma unroll
            for (int i = 0; i < kSamples; ++i) sum[i] += seen[k * kSamples + i] * weight;
        }
        const bool is_apart = op.isGru() && op.a.reset_after && gate == 2;
        const float bias = op.bias == nullptr || part > 0 ? 0 : op.bias[column],
                    state_bias = op.bias == nullptr || part > 0 ? 0 : op.bias[columns + column];
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            if (is_apart && part == 0) shared.candidate[i * units + column - 2 * units] = own[i] + bias;
            shared.sums[(part * kSamples + i) * columns + column] = sum[i] + (is_apart ? state_bias : own[i] + bias + state_bias);
        }
    }
}

template <int kSamples>
__device__ float summed(const Forward& op, const ForwardShared& shared, int i, int column) {
    float sum = shared.sums[i * op.columns + column];
    for (int part = 1; part < op.parts; ++part) sum += shared.sums[(part * kSamples + i) * op.columns + column];
    return sum;
}

// A GRU's gates before its candidate is known; without reset_after the state that the candidate sees.
template <int kSamples>
__device__ void openGates(const Forward& op, const ForwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const std::int64_t row = op.row(sample, s);
        if (!op.counts(row)) return;  // nothing is kept of such a time
        float* gates = op.all_gates + row * op.columns;
        const float reset = op.gate(summed<kSamples>(op, shared, i, op.units + unit));
        gates[unit] = op.gate(summed<kSamples>(op, shared, i, unit));
        gates[op.units + unit] = reset;
        shared.reset[unit * kSamples + i] = reset * shared.h[unit * kSamples + i] * op.seen(sample, 2, unit);
    });
}

// The new state of a unit, and what is kept for the way back.
template <int kSamples>
__device__ float newState(const Forward& op, const ForwardShared& shared, std::int64_t row, int i, int unit) {
    const int units = op.units, at = unit * kSamples + i;
    float* gates = op.all_gates + row * op.columns;
    switch (op.a.cell) {
        case RecurrentCell::kSimple:
            return gates[unit] = op.activate(summed<kSamples>(op, shared, i, unit));
        case RecurrentCell::kLstm: {
            const float input = op.gate(summed<kSamples>(op, shared, i, unit)),
                        forget = op.gate(summed<kSamples>(op, shared, i, units + unit));
            const float candidate = op.activate(summed<kSamples>(op, shared, i, 2 * units + unit));
            const float output = op.gate(summed<kSamples>(op, shared, i, 3 * units + unit));
            const float c = forget * shared.c[at] + input * candidate;
            gates[unit] = input;
            gates[units + unit] = forget;
            gates[2 * units + unit] = candidate;
            gates[3 * units + unit] = output;
            shared.c[at] = op.inner[row * units + unit] = c;
            return output * op.activate(c);
        }
        default: {
            const float product = summed<kSamples>(op, shared, i, 2 * units + unit);
            float update, z;
            if (op.a.reset_after) {
                const float reset = op.gate(summed<kSamples>(op, shared, i, units + unit));
                update = op.gate(summed<kSamples>(op, shared, i, unit));
                z = shared.candidate[i * units + unit] + reset * product;
                gates[unit] = update;
                gates[units + unit] = reset;
                op.inner[row * units + unit] = product;
            } else {
                update = gates[unit];  // this thread's own
                z = product;
                op.inner[row * units + unit] = shared.reset[at];
            }
            const float candidate = op.activate(z);
            gates[2 * units + unit] = candidate;
            return update * shared.h[at] + (1 - update) * candidate;
        }
    }
}

template <int kSamples>
__device__ void finishStep(const Forward& op, const ForwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const std::int64_t row = op.row(sample, s), place = row * op.units + unit;
        const int at = unit * kSamples + i;
        const bool counts = op.counts(row);
        float h = shared.h[at];
        op.previous[place] = h;
        if (counts) {
            h = newState<kSamples>(op, shared, row, i, unit);
            shared.h[at] = h;
            if (op.kept != nullptr) {
                for (int gate = 0; gate < op.gates; ++gate) {
                    shared.states[gate * op.units * kSamples + at] = h * op.seen(sample, gate, unit);
                }
            }
        } else if (op.inner != nullptr) {
            op.inner[place] = op.a.cell == RecurrentCell::kLstm ? shared.c[at] : 0.0F;
        }
        if (!op.a.return_sequences && s + 1 < op.time) return;
        const std::int64_t to = op.a.return_sequences ? sample * op.time + s : sample;
        op.y[to * op.units + unit] = !counts && op.a.zero_output_for_mask ? 0.0F : h;
    });
}

template <int kSamples>
__global__ void forwardKernel(Forward op) {
    const ForwardShared shared(op, kSamples, dynamicShared<float>());
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kSamples;
    const std::int64_t end = first + kSamples < op.samples ? first + kSamples : op.samples;
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), state = op.units * kSamples;
    for (int i = thread; i < 4 * state; i += threads) shared.h[i] = 0;  // h, c, reset, candidate
    for (int i = thread; op.kept != nullptr && i < op.gates * state; i += threads) shared.states[i] = 0;
    for (int i = thread; op.has_shared_kernel && i < op.units * op.columns; i += threads) shared.kernel[i] = op.kernel[i];
    if (op.kept != nullptr) drawMasks(op, first, end);
    __syncthreads();
    const bool resets_first = op.isGru() && !op.a.reset_after;
    const int gated = resets_first ? 2 * op.units : op.columns;
    for (std::int64_t s = 0; s < op.time; ++s) {
        multiplyStates<kSamples>(op, shared, shared.states, 0, gated, first, s);
        __syncthreads();
        if (resets_first) {
            openGates<kSamples>(op, shared, first, s);
            __syncthreads();
            multiplyStates<kSamples>(op, shared, shared.reset, gated, op.columns, first, s);
            __syncthreads();
        }
        finishStep<kSamples>(op, shared, first, s);
        __syncthreads();
    }
}

struct Backward : Cell {
    const float *all_gates, *previous, *inner, *dy;
    float *dz, *hidden;   // hidden: of a GRU with reset_after, the gradients of its candidate's product with U
    const float* turned;  // the kernel transposed, (columns, units); null where it is in shared memory
};

struct BackwardShared {
    float *dh, *dc, *gradients, *sums, *turned;
    int stride;  // of turned: odd, so that it is filled without conflicts

    __host__ __device__ static int strideOf(int units) { return units | 1; }
    __host__ __device__ static std::int64_t floats(const Cell& op, int samples) {
        const std::int64_t state = static_cast<std::int64_t>(op.units) * samples;
        return state * 2 + static_cast<std::int64_t>(op.columns) * samples + op.gates * op.parts * state +
               (op.has_shared_kernel ? static_cast<std::int64_t>(strideOf(op.units)) * op.columns : 0);
    }
    __device__ BackwardShared(const Cell& op, int samples, float* memory) {
        const int state = op.units * samples;
        dh = memory;
        dc = dh + state;
        gradients = dc + state;
        sums = gradients + op.columns * samples;
        turned = sums + op.gates * op.parts * state;
        stride = strideOf(op.units);
    }
};

// Of gates [begin, end): each gate's gradients with its part of the kernel, transposed.
template <int kSamples>
__device__ void multiplyGradients(const Backward& op, const BackwardShared& shared, int begin, int end) {
    const int units = op.units, stride = op.has_shared_kernel ? shared.stride : units;
    const float* turned = op.has_shared_kernel ? shared.turned : op.turned;
    for (int slot = static_cast<int>(threadIdx.x); slot < units * (end - begin) * op.parts; slot += static_cast<int>(blockDim.x)) {
        const int unit = slot % units, sub = slot / units, gate = begin + sub / op.parts, part = sub % op.parts;
        const int from = gate * units + units * part / op.parts, to = gate * units + units * (part + 1) / op.parts;
        float sum[kSamples] = {};
#pragma unroll 8
        for (int column = from; column < to; ++column) {
            const float weight = turned[column * stride + unit];
#pragma unroll
            for (int i = 0; i < kSamples; ++i) sum[i] += shared.gradients[column * kSamples + i] * weight;
        }
#pragma unroll
        for (int i = 0; i < kSamples; ++i) shared.sums[((gate * op.parts + part) * kSamples + i) * units + unit] = sum[i];
    }
}

// What gates [begin, end) say of a unit of the state before.
template <int kSamples>
__device__ float joined(const Backward& op, const BackwardShared& shared, std::int64_t sample, int i, int unit, int begin, int end) {
    float total = 0;
    for (int gate = begin; gate < end; ++gate) {
        float sum = 0;
        for (int part = 0; part < op.parts; ++part) sum += shared.sums[((gate * op.parts + part) * kSamples + i) * op.units + unit];
        total += sum * op.seen(sample, gate, unit);
    }
    return total;
}

// dz of a unit's gates from dh; returns what of dh goes straight to the state before. Of a GRU without reset_after the reset gate waits.
template <int kSamples>
__device__ float gateGradients(const Backward& op, const BackwardShared& shared, std::int64_t sample, std::int64_t s, int i, int unit,
                               float dh) {
    const int units = op.units, at = unit * kSamples + i;
    const std::int64_t row = op.row(sample, s), place = row * units + unit;
    const float* gates = op.all_gates + row * op.columns;
    const auto put = [&](int gate, float value) {
        const int column = gate * units + unit;
        op.dz[row * op.columns + column] = value;
        shared.gradients[column * kSamples + i] = value;
    };
    switch (op.a.cell) {
        case RecurrentCell::kSimple:
            put(0, dh * op.slope(gates[unit]));
            return 0;
        case RecurrentCell::kLstm: {
            const float input = gates[unit], forget = gates[units + unit], candidate = gates[2 * units + unit],
                        output = gates[3 * units + unit];
            const float active = op.activate(op.inner[place]);
            const float before = s == 0 ? 0 : op.inner[op.row(sample, s - 1) * units + unit];
            const float dc = shared.dc[at] + dh * output * op.slope(active);
            put(0, dc * candidate * op.gateSlope(input));
            put(1, dc * before * op.gateSlope(forget));
            put(2, dc * input * op.slope(candidate));
            put(3, dh * active * op.gateSlope(output));
            shared.dc[at] = dc * forget;
            return 0;
        }
        default: {
            const float update = gates[unit], candidate = gates[2 * units + unit];
            const float dcandidate = dh * (1 - update) * op.slope(candidate);
            put(0, dh * (op.previous[place] - candidate) * op.gateSlope(update));
            put(2, dcandidate);
            if (op.a.reset_after) {
                const float reset = gates[units + unit];
                put(1, dcandidate * op.inner[place] * op.gateSlope(reset));
                shared.gradients[(2 * units + unit) * kSamples + i] = op.hidden[place] = dcandidate * reset;
            }
            return dh * update;
        }
    }
}

template <int kSamples>
__device__ void beginBack(const Backward& op, const BackwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const std::int64_t row = op.row(sample, s);
        const bool counts = op.counts(row);
        float dh = shared.dh[unit * kSamples + i];
        if ((op.a.return_sequences || s + 1 == op.time) && (counts || !op.a.zero_output_for_mask)) {
            dh += op.dy[(op.a.return_sequences ? sample * op.time + s : sample) * op.units + unit];
        }
        if (counts) {
            dh = gateGradients<kSamples>(op, shared, sample, s, i, unit, dh);
        } else {  // the gradients of the states pass by
            for (int gate = 0; gate < op.gates; ++gate) {
                const int column = gate * op.units + unit;
                op.dz[row * op.columns + column] = 0;
                shared.gradients[column * kSamples + i] = 0;
            }
            if (op.hidden != nullptr) op.hidden[row * op.units + unit] = 0;
        }
        shared.dh[unit * kSamples + i] = dh;
    });
}

// Without reset_after: the reset gate's gradient, from that of the state it had reset.
template <int kSamples>
__device__ void resetBack(const Backward& op, const BackwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const std::int64_t row = op.row(sample, s);
        if (!op.counts(row)) return;
        const float reset = op.all_gates[row * op.columns + op.units + unit];
        const float dreset = joined<kSamples>(op, shared, sample, i, unit, 2, 3);
        const float dz = dreset * op.previous[row * op.units + unit] * op.gateSlope(reset);
        op.dz[row * op.columns + op.units + unit] = dz;
        shared.gradients[(op.units + unit) * kSamples + i] = dz;
        shared.dh[unit * kSamples + i] += dreset * reset;
    });
}

template <int kSamples>
__global__ void backwardKernel(Backward op) {
    const BackwardShared shared(op, kSamples, dynamicShared<float>());
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kSamples;
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), state = op.units * kSamples;
    for (int i = thread; i < 2 * state; i += threads) shared.dh[i] = 0;  // dh, dc
    for (int i = thread; i < op.columns * kSamples; i += threads) shared.gradients[i] = 0;
    for (int i = thread; op.has_shared_kernel && i < op.units * op.columns; i += threads) {
        shared.turned[i % op.columns * shared.stride + i / op.columns] = op.kernel[i];
    }
    __syncthreads();
    const bool resets_first = op.isGru() && !op.a.reset_after;
    const int gated = resets_first ? 2 : op.gates;
    for (std::int64_t s = op.time; s-- > 0;) {
        beginBack<kSamples>(op, shared, first, s);
        __syncthreads();
        if (resets_first) {
            multiplyGradients<kSamples>(op, shared, 2, 3);
            __syncthreads();
            resetBack<kSamples>(op, shared, first, s);
            __syncthreads();
        }
        if (s == 0) return;
        multiplyGradients<kSamples>(op, shared, 0, gated);
        __syncthreads();
        forItems<kSamples>(op.units, [&](int i, int unit) {
            if (first + i >= op.samples) return;
            shared.dh[unit * kSamples + i] += joined<kSamples>(op, shared, first + i, i, unit, 0, gated);
        });
    }
}

// dU: what stood before U, transposed, times what came after it.
constexpr int kTile = 64, kDepth = 16, kOwn = 4, kSumThreads = (kTile / kOwn) * (kTile / kOwn);
struct KernelSums {
    Cell cell;
    const float *previous, *inner, *dz, *hidden;
    std::int64_t rows, rows_a_split;
    float* to;  // (splits, units, columns)
};

__global__ void kernelSums(KernelSums op) {
    __shared__ float states[kDepth][kTile];
    __shared__ float gradients[kDepth][kTile];
    const Cell& cell = op.cell;
    const int units = cell.units, tiles = (units + kTile - 1) / kTile;
    const int gate = static_cast<int>(blockIdx.x) / tiles, first_column = static_cast<int>(blockIdx.x) % tiles * kTile;
    const int first_unit = static_cast<int>(blockIdx.y) * kTile, thread = static_cast<int>(threadIdx.x);
    const bool is_candidate = cell.isGru() && gate == 2;
    const bool is_reset_state = is_candidate && !cell.a.reset_after, is_apart = is_candidate && cell.a.reset_after;
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.z) * op.rows_a_split;
    const std::int64_t end = begin + op.rows_a_split < op.rows ? begin + op.rows_a_split : op.rows;
    float sums[kOwn][kOwn] = {};
    const int own_row = thread / (kTile / kOwn) * kOwn, own_column = thread % (kTile / kOwn) * kOwn;
    for (std::int64_t chunk = begin; chunk < end; chunk += kDepth) {
        for (int i = thread; i < kDepth * kTile; i += kSumThreads) {
            const std::int64_t row = chunk + i / kTile;
            const int unit = first_unit + i % kTile, column = first_column + i % kTile;
            float state = 0, gradient = 0;
            if (row < end && unit < units) {
                state = is_reset_state ? op.inner[row * units + unit]  // dropped already
                                       : op.previous[row * units + unit] * cell.seen(row / cell.time, gate, unit);
            }
            if (row < end && column < units) {
                gradient = is_apart ? op.hidden[row * units + column] : op.dz[row * cell.columns + gate * units + column];
            }
            states[i / kTile][i % kTile] = state;
            gradients[i / kTile][i % kTile] = gradient;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
#pragma unroll
            for (int a = 0; a < kOwn; ++a) {
#pragma unroll
                for (int b = 0; b < kOwn; ++b) sums[a][b] += states[k][own_row + a] * gradients[k][own_column + b];
            }
        }
        __syncthreads();
    }
    float* to = op.to + static_cast<std::int64_t>(blockIdx.z) * units * cell.columns;
    for (int a = 0; a < kOwn; ++a) {
        for (int b = 0; b < kOwn; ++b) {
            const int unit = first_unit + own_row + a, column = first_column + own_column + b;
            if (unit < units && column < units) to[static_cast<std::int64_t>(unit) * cell.columns + gate * units + column] = sums[a][b];
        }
    }
}

__global__ void joinKernel(const float* parts, int splits, std::int64_t count, float* to) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float sum = 0;
    for (int split = 0; split < splits; ++split) sum += parts[split * count + i];
    to[i] = sum;
}

// Sums over rows for both biases (2, columns): of dz, and of what came after U. A block has 32 columns.
__global__ void biasSums(const float* dz, const float* hidden, std::int64_t rows, int units, int columns, float* dbias) {
    __shared__ double parts[kWarp][kWarp + 1];
    const int column = static_cast<int>(blockIdx.x) * kWarp + static_cast<int>(threadIdx.x);
    const bool is_hidden = column >= columns;
    const float* from = is_hidden ? hidden + (column - columns) : dz + column;
    const std::int64_t stride = is_hidden ? units : columns;
    double sum = 0;
    for (std::int64_t row = threadIdx.y; column < columns + units && row < rows; row += blockDim.y)
        sum += static_cast<double>(from[row * stride]);
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= columns + units) return;
    sum = 0;
    for (int part = 0; part < kWarp; ++part) sum += parts[part][threadIdx.x];
    const auto total = static_cast<float>(sum);
    if (is_hidden) {
        dbias[column + 2 * units] = total;  // the candidate's place in the second row
        return;
    }
    dbias[column] = total;
    if (column < 2 * units) dbias[columns + column] = total;
}

int divideUp(std::int64_t a, std::int64_t b) {
    return static_cast<int>((a + b - 1) / b);
}

std::int64_t sharedLimit() {
    int device = 0, bytes = 0;
    check(cudaGetDevice(&device), "device");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "shared memory");
    return bytes;
}

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
    cell.kept_scale = dropoutScale(op.rate);
    return cell;
}

// How blocks take samples: few each while that gives more blocks than a GPU has processors; the kernel in shared memory where it fits.
struct Blocks {
    int samples = 1, threads = 32;
    std::size_t shared_bytes = 0;

    Grid grid(const Cell& cell) const {
        return {.blocks = dim3(static_cast<unsigned>(divideUp(cell.samples, samples))),
                .threads = dim3(static_cast<unsigned>(threads)),
                .shared_bytes = shared_bytes};
    }
    std::string text(const Cell& cell) const {
        return std::to_string(samples) + (samples == 1 ? " sample" : " samples") + " a block through time, U in " +
               (cell.has_shared_kernel ? "shared memory" : "global memory");
    }
};

template <typename Shared>
Blocks chooseBlocks(Cell& cell, int width) {
    constexpr std::int64_t kProcessors = 160;
    constexpr int kMostThreads = 512, kLeastDepth = 8;  // of a part of a sum
    const std::int64_t limit = sharedLimit();
    const auto bytes = [&](int samples) { return Shared::floats(cell, samples) * static_cast<std::int64_t>(sizeof(float)); };
    cell.parts = std::max(1, std::min(kMostThreads / std::max(width, 1), cell.units / kLeastDepth));
    Blocks blocks;
    blocks.threads = std::clamp(divideUp(static_cast<std::int64_t>(width) * cell.parts, kWarp) * kWarp, kWarp, kMostThreads);
    for (const int samples : {4, 2, 1}) {
        blocks.samples = samples;
        if (samples > 1 && cell.samples < kProcessors * samples / 2) continue;
        for (const bool has_kernel : {true, false}) {
            cell.has_shared_kernel = has_kernel;
            blocks.shared_bytes = static_cast<std::size_t>(bytes(samples));
            if (static_cast<std::int64_t>(blocks.shared_bytes) <= limit) return blocks;
        }
    }
    throw Error(ErrorCode::kUnimplemented,
                "recurrent layer: " + std::to_string(cell.units) + " units need more shared memory than this GPU has");
}

template <typename Function>
void withSamples(int samples, Function&& function) {
    if (samples == 4) return function.template operator()<4>();
    if (samples == 2) return function.template operator()<2>();
    return function.template operator()<1>();
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
    if (op.rate > 0) args.kept = context.cells(op.outputs.back());
    args.step = context.step();
    args.layer = op.dropout_seed;
    args.items_per_sample = plan::itemsPerSample(context.plan(), op);
    args.threshold = dropoutThreshold(op.rate);
    const Blocks blocks = chooseBlocks<ForwardShared>(args, args.columns);
    BoundOp bound;
    bound.kernel = blocks.text(args);
    withSamples(blocks.samples, [&]<int kSamples>() {
        allowShared("recurrent layer", forwardKernel<kSamples>, blocks.shared_bytes);
        bound.enqueue = [args, blocks](cudaStream_t stream, std::byte*) {
            launch("recurrent layer", blocks.grid(args), stream, forwardKernel<kSamples>, args);
        };
    });
    return bound;
}

// dU and the biases' gradients once the way back is done.
class WeightGradients {
public:
    WeightGradients(const Context& context, const Backward& of, float* dkernel, float* dbias)
        : sums_{.cell = of, .previous = of.previous, .inner = of.inner, .dz = of.dz, .hidden = of.hidden},
          dkernel_(dkernel),
          dbias_(dbias) {
        sums_.rows = of.samples * of.time;
        if (dkernel == nullptr) return;
        // One product, where no gate sees another state than the others.
        if (context.libraries() != nullptr && of.a.cell != RecurrentCell::kGru && of.kept == nullptr) {
            work_ = context.libraries()->product({.m = of.units, .n = of.columns, .k = sums_.rows, .a_transposed = true});
        }
        // Enough blocks for a GPU, and rows enough for each to be worth a launch.
        constexpr std::int64_t kWantedBlocks = 256, kLeastRows = 128;
        tiles_ = divideUp(of.units, kTile);
        const std::int64_t tiles = static_cast<std::int64_t>(tiles_) * tiles_ * of.gates;
        const std::int64_t wanted = std::max(1, std::min(divideUp(kWantedBlocks, tiles), divideUp(sums_.rows, kLeastRows)));
        sums_.rows_a_split = std::max(1, divideUp(sums_.rows, wanted));
        splits_ = std::max(1, divideUp(sums_.rows, sums_.rows_a_split));
    }

    std::int64_t scratchBytes() const {
        if (work_) return work_->scratch_bytes;
        return splits_ > 1 ? splits_ * elements() * static_cast<std::int64_t>(sizeof(float)) : 0;
    }
    std::string text() const {
        if (dkernel_ == nullptr) return {};
        return ", dU " + (work_ ? "by " + work_->kernel : "in " + std::to_string(splits_) + (splits_ == 1 ? " part" : " parts"));
    }

    void enqueue(cudaStream_t stream, std::byte* scratch) const {
        if (dkernel_ == nullptr) return;
        const Cell& cell = sums_.cell;
        if (work_) {
            work_->enqueue(stream, {.a = sums_.previous, .b = sums_.dz, .c = dkernel_}, scratch);
        } else {
            KernelSums own = sums_;
            own.to = splits_ > 1 ? reinterpret_cast<float*>(scratch) : dkernel_;
            const Grid grid{
                .blocks = dim3(static_cast<unsigned>(tiles_ * cell.gates), static_cast<unsigned>(tiles_), static_cast<unsigned>(splits_)),
                .threads = dim3(kSumThreads)};
            launch("gradient of a recurrent kernel", grid, stream, kernelSums, own);
            if (splits_ > 1)
                launch("parts of a recurrent kernel's gradient", gridOf(elements()), stream, joinKernel, own.to, splits_, elements(),
                       dkernel_);
        }
        if (dbias_ == nullptr) return;
        const Grid columns{.blocks = dim3(static_cast<unsigned>(divideUp(cell.columns + cell.units, kWarp))),
                           .threads = dim3(kWarp, kWarp)};
        launch("gradient of recurrent biases", columns, stream, biasSums, sums_.dz, sums_.hidden, sums_.rows, cell.units, cell.columns,
               dbias_);
    }

private:
    std::int64_t elements() const { return static_cast<std::int64_t>(sums_.cell.units) * sums_.cell.columns; }

    KernelSums sums_;
    float *dkernel_, *dbias_;
    std::optional<BoundWork> work_;
    int tiles_ = 1, splits_ = 1;
};

BoundOp bindBackward(const Context& context, const plan::Op& op) {
    Backward args{};
    static_cast<Cell&>(args) = cellOf(context, op, op.outputs[0]);
    args.kernel = context.floats(op.inputs[0]);
    args.all_gates = context.floats(op.inputs[1]);
    args.previous = context.floats(op.inputs[2]);
    if (args.a.cell != RecurrentCell::kSimple) args.inner = context.floats(op.inputs[3]);
    const std::size_t dy_at = op.inputs.size() - (args.a.masked ? 2 : 1);
    args.dy = context.floats(op.inputs[dy_at]);
    if (op.rate > 0) args.kept = context.cells(op.inputs[dy_at - 1]);
    args.dz = context.floats(op.outputs[0]);
    std::size_t next = 1;
    if (args.a.cell == RecurrentCell::kGru) {
        if (args.a.reset_after) args.hidden = context.floats(op.outputs[next]);
        ++next;
    }
    const auto outputAt = [&](std::size_t i) { return i < op.outputs.size() ? context.floats(op.outputs[i]) : nullptr; };
    const Blocks blocks = chooseBlocks<BackwardShared>(args, args.columns);
    const WeightGradients weights(context, args, outputAt(next), outputAt(next + 1));

    const std::int64_t turned_bytes = static_cast<std::int64_t>(args.units) * args.columns * static_cast<std::int64_t>(sizeof(float));
    BoundOp bound;
    bound.kernel = blocks.text(args) + weights.text();
    bound.scratch_bytes = std::max(args.has_shared_kernel ? 0 : turned_bytes, weights.scratchBytes());
    withSamples(blocks.samples, [&]<int kSamples>() {
        allowShared("recurrent layer's gradients", backwardKernel<kSamples>, blocks.shared_bytes);
        bound.enqueue = [=](cudaStream_t stream, std::byte* scratch) {
            Backward placed = args;
            if (!args.has_shared_kernel) {
                auto* turned = reinterpret_cast<float*>(scratch);
                enqueueTranspose(stream, args.kernel, tensor::DType::kFloat32, turned, tensor::DType::kFloat32, args.units, args.columns);
                placed.turned = turned;
            }
            launch("recurrent layer's gradients", blocks.grid(args), stream, backwardKernel<kSamples>, placed);
            weights.enqueue(stream, scratch);
        };
    });
    return bound;
}

}  // namespace

BoundOp bindRecurrent(const Context& context, const plan::Op& op) {
    return op.kind == plan::OpKind::kRecurrent ? bindForward(context, op) : bindBackward(context, op);
}

}  // namespace engine::backend::cuda
