// What SimpleRNN, LSTM and GRU share on their way through time and back. Each thread takes its own samples, some at a time, through all
// times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/recurrent/packed_matrix.h"
#include "engine/backend/dropout_mask.h"

namespace engine::backend::cpu {

// The place of a sample's values of one time in sequences of `columns` products.
struct Sequences {
    std::int64_t time, units, columns;
    bool backwards;

    Sequences(const plan::RecurrentAttributes& a, const spec::Shape& products)
        : time(products[1]), units(a.units), columns(products[2]), backwards(a.go_backwards) {}
    // The time that step s works on.
    std::int64_t at(std::int64_t step) const { return backwards ? time - 1 - step : step; }
};

// True for Keras' own LSTM, whose gates one pass over the units computes.
inline bool hasUsualGates(const plan::RecurrentAttributes& a) {
    return a.cell == plan::RecurrentCell::kLstm && a.activation == plan::Activation::kTanh &&
           a.recurrent_activation == plan::Activation::kSigmoid;
}

class CellOp : public BoundOp {
protected:
    // Samples that go through time together: their states stay in the second-level cache beside the kernel.
    static constexpr std::int64_t kTogether = 64;

    CellOp(const Memory& memory, const plan::Op& op, const KernelTable& kernels, plan::TensorId products)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          a_(std::get<plan::RecurrentAttributes>(op.attributes)),
          size_(a_, memory.shape(products)) {}

    bool isGru() const { return a_.cell == plan::RecurrentCell::kGru; }
    bool hasUsualGates() const { return cpu::hasUsualGates(a_); }
    std::int64_t together() const { return std::min(kTogether, memory_.batch()); }
    void activate(plan::Activation function, const float* x, std::int64_t count, float* y) const {
        kernels_.activate({.function = function, .x = x, .y = y, .count = count});
    }
    // g times the derivative at the value y.
    void derive(plan::Activation function, const float* y, std::int64_t count, float* g) const {
        kernels_.activateBack({.function = function, .x = y, .dy = g, .y = g, .count = count});
    }

    // What gate `gate` sees of the states: rows of `units` floats, `stride` apart, to neighbouring rows.
    void dropStates(Range samples, std::int64_t gate, const float* states, std::ptrdiff_t stride, float* to) const {
        const std::int64_t u = size_.units;
        for (std::int64_t i = samples.begin; i < samples.end; ++i, states += stride, to += u) {
            kernels_.applyMask(states, maskOf(i, gate), u, dropoutScale(a_.recurrent_dropout), to);
        }
    }
    const std::uint8_t* maskOf(std::int64_t sample, std::int64_t gate) const { return mask_ + sample * size_.columns + gate * size_.units; }
    std::int64_t gateCount() const { return plan::gatesOf(a_.cell); }

    // The row of a sample and a step in the sequences.
    std::int64_t row(std::int64_t sample, std::int64_t s) const { return sample * size_.time + size_.at(s); }
    // True when step s of a sample changes its state.
    bool counts(std::int64_t sample, std::int64_t s) const { return times_ == nullptr || times_[row(sample, s)] != 0; }
    bool anyCounts(Range samples, std::int64_t s) const {
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            if (counts(i, s)) return true;
        }
        return false;
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    const plan::RecurrentAttributes& a_;
    Sequences size_;
    std::uint8_t* mask_ = nullptr;         // (samples, gates, units); null when nothing is dropped
    const std::uint8_t* times_ = nullptr;  // (samples, time); null when all steps count
};

std::unique_ptr<BoundOp> bindRecurrentForward(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindRecurrentBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels);

}  // namespace engine::backend::cpu
