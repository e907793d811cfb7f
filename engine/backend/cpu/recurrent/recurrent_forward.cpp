// The steps in time of SimpleRNN, LSTM and GRU. What multiplies the states is packed once a step of training; the products, the states and
// the gates of some samples at a time then stay in caches from one time to the next.
#include <array>
#include <string>

#include "engine/backend/cpu/recurrent/cell_op.h"

namespace engine::backend::cpu {
namespace {

using plan::RecurrentCell;

class Recurrent final : public CellOp {
public:
    Recurrent(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : CellOp(memory, op, kernels, op.inputs[0]) {
        z_ = memory.floats(op.inputs[0]);
        kernel_ = memory.floats(op.inputs[1]);
        if (a_.two_biases) bias_ = memory.floats(op.inputs[2]);
        y_ = memory.floats(op.outputs[0]);
        gates_ = memory.floats(op.outputs[1]);
        previous_ = memory.floats(op.outputs[2]);
        if (a_.cell != RecurrentCell::kSimple) inner_ = memory.floats(op.outputs[3]);
        if (a_.recurrent_dropout > 0) mask_ = memory.cells(op.outputs.back());
        if (a_.masked) times_ = memory.cells(op.inputs.back());
        divideKernel();
    }

    std::string kernel() const override { return "each thread its samples through time"; }
    ScratchBytes scratch() const override {
        const std::int64_t dropped = mask_ == nullptr ? 0 : size_.units;
        std::int64_t shared = 0;
        for (std::size_t i = 0; i < part_count_; ++i) shared += PackedMatrix::floats(kernels_, size_.units, parts_[i].columns);
        return {.shared = shared * kFloat, .per_thread = (size_.columns + together() * (size_.columns + size_.units + dropped)) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        auto* at = reinterpret_cast<float*>(shared);
        for (std::size_t i = 0; i < part_count_; ++i) {
            parts_[i].matrix = {kernels_, size_.units, parts_[i].columns, at};
            at += PackedMatrix::floats(kernels_, size_.units, parts_[i].columns);
        }
        Access packed{shared, scratch().shared, 0, true};
        const Stage pack{.accesses = {memory_.reads(op_.inputs[1]), packed}};
        packed.writes = false;
        Stage through{.accesses = {memory_.readsSamples(op_.inputs[0]), packed}, .fewest_samples = kAllSamples};
        if (bias_ != nullptr) through.accesses.push_back(memory_.reads(op_.inputs[2]));
        if (times_ != nullptr) through.accesses.push_back(memory_.readsSamples(op_.inputs.back()));
        for (plan::TensorId id : op_.outputs) through.accesses.push_back(memory_.writesSamples(id));
        return {pack, through};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 0) return packKernel(share(size_.units, thread, step.threads));
        const Range samples = step.samplesOf(thread);
        if (samples.size() == 0) return;
        Work work{.bias = step.scratchOf(thread)};
        work.products = work.bias + size_.columns;
        work.states = work.products + together() * size_.columns;
        work.seen = work.states + together() * size_.units;
        if (bias_ != nullptr) {
            kernels_.copyValues(bias_, size_.columns, work.bias);
            kernels_.addValues(bias_ + size_.columns, 2 * size_.units, work.bias);  // the candidate's is within the reset
        }
        if (mask_ != nullptr) drawMasks(samples, step);
        for (std::int64_t first = samples.begin; first < samples.end; first += kTogether) {
            throughTime({first, std::min(first + kTogether, samples.end)}, work);
        }
    }

private:
    // Columns of the kernel that multiply the same states.
    struct Part {
        std::int64_t gate = 0, column = 0, columns = 0;
        PackedMatrix matrix{};
    };
    // A thread's own memory.
    struct Work {
        float* bias;                // (columns): both biases of the gates
        float* products = nullptr;  // (together, columns): the states times the kernel
        float* states = nullptr;    // (together, units)
        float* seen = nullptr;      // (together, units): what a gate sees of the states
    };

    bool resetsBefore() const { return isGru() && !a_.reset_after; }

    void divideKernel() {
        const std::int64_t u = size_.units;
        const auto add = [&](std::int64_t gate, std::int64_t columns) { parts_[part_count_++] = {gate, gate * u, columns}; };
        if (mask_ != nullptr) {
            for (std::int64_t gate = 0; gate < gateCount(); ++gate) add(gate, u);
        } else if (resetsBefore()) {
            add(0, 2 * u);
            add(2, u);
        } else {
            add(0, size_.columns);
        }
    }

    void packKernel(Range rows) const {
        for (std::size_t i = 0; i < part_count_; ++i) {
            parts_[i].matrix.packRows(kernel_ + rows.begin * size_.columns + parts_[i].column, size_.columns, rows);
        }
    }

    float* gates(std::int64_t sample, std::int64_t s) const { return gates_ + row(sample, s) * size_.columns; }
    float* inner(std::int64_t sample, std::int64_t s) const { return inner_ + row(sample, s) * size_.units; }

    void drawMasks(Range samples, const StepState& step) const {
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            const RandomItem random = step.randomItemOf(a_.seed, i);
            fillDropoutMask(random.key, a_.recurrent_dropout, random.sample,
                            {mask_ + i * size_.columns, static_cast<std::size_t>(size_.columns)});
        }
    }

    void throughTime(Range samples, const Work& work) const {
        const std::int64_t u = size_.units;
        std::fill_n(work.states, samples.size() * u, 0.0F);
        for (std::int64_t s = 0; s < size_.time; ++s) {
            for (std::int64_t i = samples.begin; i < samples.end; ++i) {
                kernels_.copyValues(work.states + (i - samples.begin) * u, u, previous_ + row(i, s) * u);
            }
            if (anyCounts(samples, s)) computeStep(samples, s, work);
            for (std::int64_t i = samples.begin; i < samples.end; ++i) {
                float* state = work.states + (i - samples.begin) * u;
                if (!counts(i, s)) passState(i, s);
                if (s + 1 == size_.time || a_.return_sequences) writeOutput(i, s, state);
            }
        }
    }

    void computeStep(Range samples, std::int64_t s, const Work& work) const {
        multiplyStates(samples, s, work);
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            // The gates of a step that does not count are computed too: the sums of the kernel's gradient pass over all rows.
            const float* products = work.products + (i - samples.begin) * size_.columns;
            float* state = work.states + (i - samples.begin) * size_.units;
            hasUsualGates() ? usualStep(i, s, products, state) : gatesOfStep(i, s, products, state, work.bias);
        }
        if (!resetsBefore()) return;
        multiplyReset(samples, s, work);
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            float* state = work.states + (i - samples.begin) * size_.units;
            if (counts(i, s)) kernels_.blend(gates(i, s), state, gates(i, s) + 2 * size_.units, size_.units, state);
        }
    }

    // Nothing stands before the first step: its products are zeros.
    void multiplyStates(Range samples, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units;
        if (s == 0) {
            std::fill_n(work.products, samples.size() * size_.columns, 0.0F);
            return;
        }
        for (std::size_t i = 0; i < part_count_; ++i) {
            const Part& part = parts_[i];
            if (resetsBefore() && part.gate == 2) continue;
            const float* seen = work.states;
            if (mask_ != nullptr) {
                dropStates(samples, part.gate, work.states, u, work.seen);
                seen = work.seen;
            }
            part.matrix.multiply(seen, u, {0, u}, samples.size(), work.products + part.column, size_.columns, false);
        }
    }

    void usualStep(std::int64_t i, std::int64_t s, const float* products, float* state) const {
        const bool is_new = counts(i, s);
        kernels_.lstmStep({.z = z_ + row(i, s) * size_.columns,
                           .products = products,
                           .before = s == 0 ? nullptr : inner(i, s - 1),
                           .units = size_.units,
                           .gates = gates(i, s),
                           .cell = inner(i, s),
                           .state = is_new ? state : nullptr,
                           .next = size_.time});
    }

    // The gates, and but for a GRU that resets before its product the new state.
    void gatesOfStep(std::int64_t i, std::int64_t s, const float* products, float* state, const float* bias) const {
        const std::int64_t u = size_.units;
        const float* z = z_ + row(i, s) * size_.columns;
        float* g = gates(i, s);
        if (bias_ == nullptr) {
            kernels_.copyValues(z, size_.columns, g);
        } else {
            kernels_.addParts(z, 0, 1, bias, false, 1, size_.columns, g);
        }
        kernels_.addValues(products, isGru() ? 2 * u : size_.columns, g);
        switch (a_.cell) {
            case RecurrentCell::kSimple:
                activate(a_.activation, g, u, g);
                if (counts(i, s)) kernels_.copyValues(g, u, state);
                return;
            case RecurrentCell::kLstm:
                activate(a_.recurrent_activation, g, 2 * u, g);
                activate(a_.activation, g + 2 * u, u, g + 2 * u);
                activate(a_.recurrent_activation, g + 3 * u, u, g + 3 * u);
                kernels_.multiply(g, g + 2 * u, u, inner(i, s));
                if (s > 0) kernels_.multiplyAdd(g + u, inner(i, s - 1), u, inner(i, s));
                if (!counts(i, s)) return;
                activate(a_.activation, inner(i, s), u, state);
                return kernels_.multiply(state, g + 3 * u, u, state);
            case RecurrentCell::kGru:
                activate(a_.recurrent_activation, g, 2 * u, g);
                if (resetsBefore()) {
                    kernels_.multiply(g + u, state, u, inner(i, s));
                    if (mask_ != nullptr) kernels_.applyMask(inner(i, s), maskOf(i, 2), u, dropoutScale(a_.recurrent_dropout), inner(i, s));
                    return;
                }
                kernels_.addParts(products + 2 * u, 0, 1, bias_ == nullptr ? nullptr : bias_ + size_.columns + 2 * u, false, 1, u,
                                  inner(i, s));
                kernels_.multiplyAdd(g + u, inner(i, s), u, g + 2 * u);
                activate(a_.activation, g + 2 * u, u, g + 2 * u);
                if (counts(i, s)) kernels_.blend(g, state, g + 2 * u, u, state);
        }
    }

    void multiplyReset(Range samples, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units;
        const Part& candidate = parts_[part_count_ - 1];
        candidate.matrix.multiply(inner(samples.begin, s), size_.time * u, {0, u}, samples.size(), work.products + 2 * u, size_.columns,
                                  false);
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            float* g = gates(i, s) + 2 * u;
            kernels_.addValues(work.products + (i - samples.begin) * size_.columns + 2 * u, u, g);
            activate(a_.activation, g, u, g);
        }
    }

    // A step that does not count: what lies within the cell stays; the rows that dU sums over hold numbers all the same.
    void passState(std::int64_t i, std::int64_t s) const {
        const std::int64_t u = size_.units;
        if (a_.cell == RecurrentCell::kLstm && s > 0) {
            kernels_.copyValues(inner(i, s - 1), u, inner(i, s));
        } else if (a_.cell != RecurrentCell::kSimple) {
            std::fill_n(inner(i, s), u, 0.0F);
        }
    }

    void writeOutput(std::int64_t i, std::int64_t s, const float* state) const {
        const std::int64_t u = size_.units;
        float* out = a_.return_sequences ? y_ + (i * size_.time + s) * u : y_ + i * u;
        if (a_.zero_output_for_mask && !counts(i, s)) {
            std::fill_n(out, u, 0.0F);
        } else {
            kernels_.copyValues(state, u, out);
        }
    }

    const float *z_, *kernel_, *bias_ = nullptr;
    float *y_, *gates_, *previous_, *inner_ = nullptr;
    std::array<Part, 4> parts_{};
    std::size_t part_count_ = 0;
};

}  // namespace

std::unique_ptr<BoundOp> bindRecurrentForward(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<Recurrent>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
