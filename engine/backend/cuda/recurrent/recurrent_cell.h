// What the kernels of SimpleRNN, LSTM and GRU have in common: a step of one unit forward and back, however the products with U were made.
// Only .cu files include it.
#pragma once

#include <cstdint>

#include "engine/backend/activation_formulas.h"
#include "engine/backend/cuda/bound_op.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

using plan::RecurrentAttributes;
using plan::RecurrentCell;

// What both directions read. Rows are those of sequences: sample * time + time of the step.
struct Cell {
    using Formulas = ActivationFormulas<float>;

    RecurrentAttributes a;
    plan::ActivationSettings settings;
    std::int64_t samples, time;
    int units, gates, columns;  // columns: gates * units
    const float* kernel;        // U (units, columns)
    const std::uint8_t* times;  // (samples, time), or null: all count
    std::uint8_t* kept;         // (samples, gates, units) of recurrent dropout, or null
    float kept_scale;

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
    // Whose product is reset alone: it is kept apart from z.
    __device__ bool isApart(int gate) const { return isGru() && a.reset_after && gate == 2; }
    __device__ float activate(float x) const { return Formulas::value(a.activation, settings, x); }
    __device__ float gate(float x) const { return Formulas::value(a.recurrent_activation, settings, x); }
    __device__ float slope(float y) const { return Formulas::derivative(a.activation, settings, y); }
    __device__ float gateSlope(float y) const { return Formulas::derivative(a.recurrent_activation, settings, y); }
};

struct Forward : Cell {
    const float *z, *bias;                    // bias: (2, columns), or null
    float *y, *all_gates, *previous, *inner;  // inner: null of a simple cell
    const StepParameters* step;
    std::int64_t layer, items_per_sample;  // of the dropout's key
    std::uint64_t threshold;

    // What a column has without and with the state's product; the sum of the two is what the gate sees.
    __device__ float outer(std::int64_t row, int column) const { return z[row * columns + column] + (bias == nullptr ? 0 : bias[column]); }
    __device__ float stateBias(int column) const { return bias == nullptr ? 0 : bias[columns + column]; }
};

struct Backward : Cell {
    const float *all_gates, *previous, *inner, *dy;
    float *dz, *hidden;  // hidden: of a GRU with reset_after, the gradients of its candidate's product with U
};

// The new state of a unit, and what is kept for the way back. `sums` has gate(g): the product with the state, with z but for the gate
// apart; apart(): the rest of that one; reset(): the state that a GRU's candidate saw, without reset_after.
template <typename Sums>
__device__ float newState(const Forward& op, std::int64_t row, int unit, float h, float& c, const Sums& sums) {
    const int units = op.units;
    float* gates = op.all_gates + row * op.columns;
    switch (op.a.cell) {
        case RecurrentCell::kSimple:
            return gates[unit] = op.activate(sums.gate(0));
        case RecurrentCell::kLstm: {
            const float input = op.gate(sums.gate(0)), forget = op.gate(sums.gate(1));
            const float candidate = op.activate(sums.gate(2)), output = op.gate(sums.gate(3));
            c = forget * c + input * candidate;
            gates[unit] = input;
            gates[units + unit] = forget;
            gates[2 * units + unit] = candidate;
            gates[3 * units + unit] = output;
            op.inner[row * units + unit] = c;
            return output * op.activate(c);
        }
        default: {
            const float product = sums.gate(2);
            float update, z;
            if (op.a.reset_after) {
                const float reset = op.gate(sums.gate(1));
                update = op.gate(sums.gate(0));
                z = sums.apart() + reset * product;
                gates[unit] = update;
                gates[units + unit] = reset;
                op.inner[row * units + unit] = product;
            } else {
                update = gates[unit];  // this thread's own
                z = product;
                op.inner[row * units + unit] = sums.reset();
            }
            const float candidate = op.activate(z);
            gates[2 * units + unit] = candidate;
            return update * h + (1 - update) * candidate;
        }
    }
}

// A step of one unit: its state afterwards, and all that is kept of it.
template <typename Sums>
__device__ float takeStep(const Forward& op, std::int64_t sample, std::int64_t s, int unit, float h, float& c, const Sums& sums) {
    const std::int64_t row = op.row(sample, s), place = row * op.units + unit;
    const bool counts = op.counts(row);
    op.previous[place] = h;
    if (counts) {
        h = newState(op, row, unit, h, c, sums);
    } else if (op.inner != nullptr) {
        op.inner[place] = op.a.cell == RecurrentCell::kLstm ? c : 0.0F;
    }
    if (op.a.return_sequences || s + 1 == op.time) {
        const std::int64_t to = op.a.return_sequences ? sample * op.time + s : sample;
        op.y[to * op.units + unit] = !counts && op.a.zero_output_for_mask ? 0.0F : h;
    }
    return h;
}

// Computes dz of a unit's gates from dh and returns the part of dh that goes directly to the state before. store(gate, value) receives the
// part that goes there through U. In a GRU without reset_after the reset gate's gradient is computed later.
template <typename Store>
__device__ float gateGradients(const Backward& op, std::int64_t sample, std::int64_t s, int unit, float dh, float& dc, const Store& store) {
    const int units = op.units;
    const std::int64_t row = op.row(sample, s), place = row * units + unit;
    const float* gates = op.all_gates + row * op.columns;
    const auto put = [&](int gate, float value) {
        op.dz[row * op.columns + gate * units + unit] = value;
        if (!op.isApart(gate)) store(gate, value);
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
            const float all = dc + dh * output * op.slope(active);
            put(0, all * candidate * op.gateSlope(input));
            put(1, all * before * op.gateSlope(forget));
            put(2, all * input * op.slope(candidate));
            put(3, dh * active * op.gateSlope(output));
            dc = all * forget;
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
                op.hidden[place] = dcandidate * reset;
                store(2, dcandidate * reset);
            }
            return dh * update;
        }
    }
}

// A step back of one unit, from the gradient of its state afterwards; returns what goes straight to the state before.
template <typename Store>
__device__ float takeStepBack(const Backward& op, std::int64_t sample, std::int64_t s, int unit, float dh, float& dc, const Store& store) {
    const std::int64_t row = op.row(sample, s);
    const bool counts = op.counts(row);
    if ((op.a.return_sequences || s + 1 == op.time) && (counts || !op.a.zero_output_for_mask)) {
        dh += op.dy[(op.a.return_sequences ? sample * op.time + s : sample) * op.units + unit];
    }
    if (counts) return gateGradients(op, sample, s, unit, dh, dc, store);
    for (int gate = 0; gate < op.gates; ++gate) {  // the gradients of the states pass by
        op.dz[row * op.columns + gate * op.units + unit] = 0;
        store(gate, 0.0F);
    }
    if (op.hidden != nullptr) op.hidden[row * op.units + unit] = 0;
    return dh;
}

// The two ways to take the steps in time; each function returns the work of `op`. The gradients of U and of the biases come after it: see
// recurrent_weights.h.
BoundOp bindRecurrentBlocks(const Forward& op);  // blocks of samples through all times in one launch
BoundOp bindRecurrentBlocks(const Backward& op);
BoundOp bindRecurrentSteps(const Forward& op, Libraries* libraries);  // time by time, U by the library
BoundOp bindRecurrentSteps(const Backward& op, Libraries* libraries);

}  // namespace engine::backend::cuda
