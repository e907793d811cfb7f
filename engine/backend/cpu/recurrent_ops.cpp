// The steps in time of SimpleRNN, LSTM and GRU. Each thread takes its own samples through all times; the product with the recurrent kernel
// is one of all its rows at a time.
#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/dropout_mask.h"

namespace engine::backend::cpu {
namespace {

using plan::RecurrentAttributes;
using plan::RecurrentCell;

constexpr std::int64_t kFloat = sizeof(float);

// The place of a sample's values of one time in sequences of `width` floats.
struct Sequences {
    std::int64_t time, units, columns;
    bool backwards;

    Sequences(const RecurrentAttributes& a, const spec::Shape& products)
        : time(products[1]), units(a.units), columns(products[2]), backwards(a.go_backwards) {}
    // The time that step s works on.
    std::int64_t at(std::int64_t step) const { return backwards ? time - 1 - step : step; }
};

class CellOp : public BoundOp {
protected:
    CellOp(const Memory& memory, const plan::Op& op, const KernelTable& kernels, plan::TensorId products)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          a_(std::get<RecurrentAttributes>(op.attributes)),
          size_(a_, memory.shape(products)) {}

    bool isGru() const { return a_.cell == RecurrentCell::kGru; }
    void activate(plan::Activation function, const float* x, std::int64_t count, float* y) const {
        kernels_.activate({.function = function, .x = x, .y = y, .count = count});
    }
    // g times the derivative at the value y.
    void derive(plan::Activation function, const float* y, std::int64_t count, float* g) const {
        kernels_.activateBack({.function = function, .x = y, .dy = g, .y = g, .count = count});
    }
    // Rows of sequences times rows of the kernel or its transpose.
    struct Factor {
        const float* first;
        std::ptrdiff_t row;
    };
    void multiply(Factor x, Factor w, std::int64_t depth, std::int64_t columns, std::int64_t rows, float* to, std::ptrdiff_t to_row,
                  bool accumulate, const float* bias = nullptr) const {
        kernels_.product({.a = x.first,
                          .a_row = x.row,
                          .b = w.first,
                          .b_row = w.row,
                          .c = to,
                          .c_row = to_row,
                          .rows = rows,
                          .columns = columns,
                          .count = depth,
                          .bias = bias,
                          .accumulate = accumulate});
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

    // True when step s of a sample changes its state.
    bool counts(std::int64_t sample, std::int64_t s) const { return times_ == nullptr || times_[sample * size_.time + size_.at(s)] != 0; }
    bool anyCounts(Range samples, std::int64_t s) const {
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            if (counts(i, s)) return true;
        }
        return false;
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    const RecurrentAttributes& a_;
    Sequences size_;
    std::uint8_t* mask_ = nullptr;         // (samples, gates, units); null when nothing is dropped
    const std::uint8_t* times_ = nullptr;  // (samples, time); null when all steps count
};

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
    }

    std::string kernel() const override { return "each thread its samples through time"; }
    ScratchBytes scratch() const override {
        const std::int64_t dropped = mask_ == nullptr ? 0 : memory_.plan().batch * size_.units;
        return {.shared = 0, .per_thread = (size_.columns + dropped) * kFloat};
    }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0])}};
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) {
            const bool is_mask = times_ != nullptr && i + 1 == op_.inputs.size();
            stage.accesses.push_back(is_mask ? memory_.readsSamples(op_.inputs[i]) : memory_.reads(op_.inputs[i]));
        }
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range samples = step.samplesOf(thread);
        if (samples.size() == 0) return;
        float* bias = step.scratchOf(thread);
        if (bias_ != nullptr) {
            kernels_.copyValues(bias_, size_.columns, bias);
            kernels_.addValues(bias_ + size_.columns, 2 * size_.units, bias);  // the candidate's is within the reset
        }
        if (mask_ != nullptr) drawMasks(samples, step);
        for (std::int64_t s = 0; s < size_.time; ++s) {
            if (s == 0) beginStates(samples);
            if (anyCounts(samples, s)) computeStep(samples, s, bias);
            for (std::int64_t i = samples.begin; i < samples.end; ++i) counts(i, s) ? finishState(i, s) : passState(i, s);
        }
    }

private:
    void computeStep(Range samples, std::int64_t s, float* bias) const {
        begin(samples, s, bias_ == nullptr ? nullptr : bias);
        if (mask_ != nullptr) {
            multiplyDropped(samples, s, bias + size_.columns);
        } else {
            multiplyStates(samples, s);
        }
        for (std::int64_t i = samples.begin; i < samples.end; ++i) finishGates(i, s);
        if (isGru() && !a_.reset_after) multiplyReset(samples, s);
    }

    float* gates(std::int64_t sample, std::int64_t s) const { return gates_ + (sample * size_.time + size_.at(s)) * size_.columns; }
    float* state(std::int64_t sample, std::int64_t s) const { return previous_ + (sample * size_.time + size_.at(s)) * size_.units; }
    float* inner(std::int64_t sample, std::int64_t s) const { return inner_ + (sample * size_.time + size_.at(s)) * size_.units; }

    void begin(Range samples, std::int64_t s, const float* bias) const {
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            const float* z = z_ + (gates(i, s) - gates_);
            if (bias != nullptr) {
                kernels_.addParts(z, 0, 1, bias, false, 1, size_.columns, gates(i, s));
            } else {
                kernels_.copyValues(z, size_.columns, gates(i, s));
            }
        }
    }

    void beginStates(Range samples) const {
        for (std::int64_t i = samples.begin; i < samples.end; ++i) std::fill_n(state(i, 0), size_.units, 0.0F);
    }

    void drawMasks(Range samples, const StepState& step) const {
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            const RandomItem random = step.randomItemOf(a_.seed, i);
            fillDropoutMask(random.key, a_.recurrent_dropout, random.sample,
                            {mask_ + i * size_.columns, static_cast<std::size_t>(size_.columns)});
        }
    }

    // multiplyStates() gate by gate, each with the units that it sees.
    void multiplyDropped(Range samples, std::int64_t s, float* seen) const {
        const std::int64_t u = size_.units, i = samples.begin;
        for (std::int64_t gate = 0; gate < gateCount(); ++gate) {
            const bool is_candidate = isGru() && gate == 2;
            if (is_candidate && !a_.reset_after) continue;
            dropStates(samples, gate, state(i, s), size_.time * u, seen);
            float* to = is_candidate ? inner(i, s) : gates(i, s) + gate * u;
            const float* bias = is_candidate && bias_ != nullptr ? bias_ + size_.columns + 2 * u : nullptr;
            multiply({seen, u}, {kernel_ + gate * u, size_.columns}, u, u, samples.size(), to,
                     size_.time * (is_candidate ? u : size_.columns), !is_candidate, bias);
        }
    }

    void multiplyStates(Range samples, std::int64_t s) const {
        const std::int64_t u = size_.units, i = samples.begin;
        const Factor states{state(i, s), size_.time * u};
        multiply(states, {kernel_, size_.columns}, u, isGru() ? 2 * u : size_.columns, samples.size(), gates(i, s),
                 size_.time * size_.columns, true);
        if (!isGru() || !a_.reset_after) return;
        const float* bias = bias_ == nullptr ? nullptr : bias_ + size_.columns + 2 * u;
        multiply(states, {kernel_ + 2 * u, size_.columns}, u, u, samples.size(), inner(i, s), size_.time * u, false, bias);
    }

    void finishGates(std::int64_t i, std::int64_t s) const {
        const std::int64_t u = size_.units;
        float* g = gates(i, s);
        switch (a_.cell) {
            case RecurrentCell::kSimple:
                return activate(a_.activation, g, u, g);
            case RecurrentCell::kLstm:
                activate(a_.recurrent_activation, g, 2 * u, g);
                activate(a_.activation, g + 2 * u, u, g + 2 * u);
                return activate(a_.recurrent_activation, g + 3 * u, u, g + 3 * u);
            case RecurrentCell::kGru:
                activate(a_.recurrent_activation, g, 2 * u, g);
                if (a_.reset_after) {
                    kernels_.multiplyAdd(g + u, inner(i, s), u, g + 2 * u);
                    activate(a_.activation, g + 2 * u, u, g + 2 * u);
                } else {
                    kernels_.multiply(g + u, state(i, s), u, inner(i, s));
                    if (mask_ != nullptr) kernels_.applyMask(inner(i, s), maskOf(i, 2), u, dropoutScale(a_.recurrent_dropout), inner(i, s));
                }
        }
    }

    void multiplyReset(Range samples, std::int64_t s) const {
        const std::int64_t u = size_.units, i = samples.begin;
        multiply({inner(i, s), size_.time * u}, {kernel_ + 2 * u, size_.columns}, u, u, samples.size(), gates(i, s) + 2 * u,
                 size_.time * size_.columns, true);
        for (std::int64_t sample = samples.begin; sample < samples.end; ++sample) {
            activate(a_.activation, gates(sample, s) + 2 * u, u, gates(sample, s) + 2 * u);
        }
    }

    // A step that does not count: the states stay; the rows that dU sums over hold numbers all the same.
    void passState(std::int64_t i, std::int64_t s) const {
        const std::int64_t u = size_.units;
        const bool is_last = s + 1 == size_.time;
        if (!is_last) kernels_.copyValues(state(i, s), u, state(i, s + 1));
        if (a_.cell == RecurrentCell::kLstm && s > 0) {
            kernels_.copyValues(inner(i, s - 1), u, inner(i, s));
        } else if (a_.cell != RecurrentCell::kSimple) {
            std::fill_n(inner(i, s), u, 0.0F);
        }
        if (!is_last && !a_.return_sequences) return;
        float* out = a_.return_sequences ? y_ + (i * size_.time + s) * u : y_ + i * u;
        if (a_.zero_output_for_mask) {
            std::fill_n(out, u, 0.0F);
        } else {
            kernels_.copyValues(state(i, s), u, out);
        }
    }

    // The new state: where the next step looks for it, and in y.
    void finishState(std::int64_t i, std::int64_t s) const {
        const std::int64_t u = size_.units;
        const bool is_last = s + 1 == size_.time;
        float* out = a_.return_sequences ? y_ + (i * size_.time + s) * u : y_ + i * u;
        float* h = is_last ? out : state(i, s + 1);
        const float* g = gates(i, s);
        switch (a_.cell) {
            case RecurrentCell::kSimple:
                kernels_.copyValues(g, u, h);
                break;
            case RecurrentCell::kLstm:
                kernels_.multiply(g, g + 2 * u, u, inner(i, s));
                if (s > 0) kernels_.multiplyAdd(g + u, inner(i, s - 1), u, inner(i, s));
                activate(a_.activation, inner(i, s), u, h);
                kernels_.multiply(h, g + 3 * u, u, h);
                break;
            case RecurrentCell::kGru:
                kernels_.blend(g, state(i, s), g + 2 * u, u, h);
        }
        if (!is_last && a_.return_sequences) kernels_.copyValues(h, u, out);
    }

    const float *z_, *kernel_, *bias_ = nullptr;
    float *y_, *gates_, *previous_, *inner_ = nullptr;
};

// Back through time, then the sums over all rows for the kernel and the two biases.
class RecurrentBack final : public CellOp {
public:
    RecurrentBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : CellOp(memory, op, kernels, op.outputs[0]) {
        kernel_ = memory.floats(op.inputs[0]);
        gates_ = memory.floats(op.inputs[1]);
        previous_ = memory.floats(op.inputs[2]);
        if (a_.cell != RecurrentCell::kSimple) inner_ = memory.floats(op.inputs[3]);
        const std::size_t dy_at = op.inputs.size() - (a_.masked ? 2 : 1);
        dy_ = memory.floats(op.inputs[dy_at]);
        if (a_.recurrent_dropout > 0) mask_ = memory.cells(op.inputs[dy_at - 1]);
        if (a_.masked) times_ = memory.cells(op.inputs.back());
        dz_ = memory.floats(op.outputs[0]);
        std::size_t next = 1;
        if (isGru()) hidden_ = memory.floats(op.outputs[next++]);
        if (next < op.outputs.size()) dkernel_ = memory.floats(op.outputs[next++]);
        if (next < op.outputs.size()) dbias_ = memory.floats(op.outputs[next]);
        items_ = divideUp(size_.units, kernels.block_rows);
    }

    std::string kernel() const override { return "each thread its samples back through time, " + std::to_string(items_) + " blocks of dU"; }
    ScratchBytes scratch() const override {
        const std::int64_t dropped = mask_ == nullptr ? 0 : memory_.plan().batch * size_.units;
        const std::int64_t states = times_ == nullptr ? 2 : 3;
        return {.shared = (size_.columns + states * memory_.plan().batch) * size_.units * kFloat,
                .per_thread = (std::max(size_.units, kPackedRows * kernels_.block_rows) + dropped) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        turned_ = reinterpret_cast<float*>(shared);
        dh_ = turned_ + size_.columns * size_.units;
        dc_ = dh_ + memory_.plan().batch * size_.units;
        held_ = dc_ + memory_.plan().batch * size_.units;
        const Access written{shared, scratch().shared, 0, true};
        Stage through{.accesses = {written}};
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) through.accesses.push_back(memory_.readsSamples(op_.inputs[i]));
        through.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
        if (isGru()) through.accesses.push_back(memory_.writesSamples(op_.outputs[1]));
        std::vector<Stage> all{{.accesses = {memory_.reads(op_.inputs[0]), written}}, through};
        if (dkernel_ == nullptr) return all;
        Stage sums{.accesses = {memory_.reads(op_.outputs[0])}};
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) sums.accesses.push_back(memory_.reads(op_.inputs[i]));
        for (std::size_t i = 1; i < op_.outputs.size(); ++i) {
            const bool is_scratch = isGru() && i == 1;
            sums.accesses.push_back(is_scratch ? memory_.reads(op_.outputs[i]) : memory_.writes(op_.outputs[i]));
        }
        all.push_back(sums);
        return all;
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 0) {
            const Range rows = share(size_.units, thread, step.threads);
            return kernels_.transpose(kernel_ + rows.begin * size_.columns, size_.columns, rows.size(), size_.columns, turned_ + rows.begin,
                                      size_.units);
        }
        if (stage == 1) return throughTime(step.samplesOf(thread), step.scratchOf(thread));
        const std::int64_t rows = step.samples * size_.time;
        const Range mine = share(items_, thread, step.threads);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) kernelGradient(share(size_.units, i, items_), rows, step.scratchOf(thread));
        if (dbias_ != nullptr && thread == step.threads - 1) biasGradient(rows);
    }

private:
    static constexpr std::int64_t kPackedRows = 256;

    std::int64_t row(std::int64_t sample, std::int64_t s) const { return sample * size_.time + size_.at(s); }

    void throughTime(Range samples, float* scratch) const {
        if (samples.size() == 0) return;
        const std::int64_t u = size_.units, first = samples.begin;
        std::fill(dh_ + first * u, dh_ + samples.end * u, 0.0F);
        std::fill(dc_ + first * u, dc_ + samples.end * u, 0.0F);
        const std::ptrdiff_t dz_row = size_.time * size_.columns, state_row = size_.time * u;
        for (std::int64_t s = size_.time; s-- > 0;) {
            float *dz = dz_ + row(first, s) * size_.columns, *dh = dh_ + first * u;
            const auto back = [&](Factor x, std::int64_t column, std::int64_t depth, bool accumulate) {
                multiply(x, {turned_ + column * u, u}, depth, u, samples.size(), dh, u, accumulate);
            };
            for (std::int64_t i = samples.begin; i < samples.end; ++i) counts(i, s) ? gateGradients(i, s, scratch) : passGradient(i, s);
            if (!anyCounts(samples, s)) continue;
            if (isGru() && !a_.reset_after) {
                multiply({dz + 2 * u, dz_row}, {turned_ + 2 * u * u, u}, u, u, samples.size(), hidden_ + row(first, s) * u, state_row,
                         false);
                for (std::int64_t i = samples.begin; i < samples.end; ++i) {
                    if (counts(i, s)) resetGradient(i, s);
                }
            }
            if (s == 0) continue;
            if (times_ != nullptr) moveHeld(samples, s, dh_, held_);
            if (mask_ != nullptr) {
                backDropped(samples, s, scratch);
            } else {
                back({dz, dz_row}, 0, isGru() ? 2 * u : size_.columns, isGru());
                if (isGru() && a_.reset_after) back({hidden_ + row(first, s) * u, state_row}, 2 * u, u, true);
            }
            if (times_ != nullptr) moveHeld(samples, s, held_, dh_);
        }
    }

    // What the products of the other samples would overwrite: the gradients of the states that step s leaves as they are.
    void moveHeld(Range samples, std::int64_t s, const float* from, float* to) const {
        for (std::int64_t i = samples.begin; i < samples.end; ++i) {
            if (!counts(i, s)) kernels_.copyValues(from + i * size_.units, size_.units, to + i * size_.units);
        }
    }

    // Handles a step that does not count: the gradient of the state, with that of the output, goes to the step before.
    void passGradient(std::int64_t i, std::int64_t s) const {
        const std::int64_t u = size_.units, at = row(i, s);
        if (!a_.zero_output_for_mask) addOutputGradient(i, s);
        std::fill_n(dz_ + at * size_.columns, size_.columns, 0.0F);
        if (isGru()) std::fill_n(hidden_ + at * u, u, 0.0F);
    }

    void addOutputGradient(std::int64_t i, std::int64_t s) const {
        const std::int64_t u = size_.units;
        if (a_.return_sequences) {
            kernels_.addValues(dy_ + (i * size_.time + s) * u, u, dh_ + i * u);
        } else if (s + 1 == size_.time) {
            kernels_.addValues(dy_ + i * u, u, dh_ + i * u);
        }
    }

    // The products with U that lead to the state before, gate by gate, each to the units that it saw.
    void backDropped(Range samples, std::int64_t s, float* scratch) const {
        const std::int64_t u = size_.units, first = samples.begin;
        if (!isGru()) std::fill(dh_ + first * u, dh_ + samples.end * u, 0.0F);
        for (std::int64_t gate = 0; gate < gateCount(); ++gate) {
            const bool is_candidate = isGru() && gate == 2;
            if (is_candidate && !a_.reset_after) continue;
            const Factor g = is_candidate ? Factor{hidden_ + row(first, s) * u, size_.time * u}
                                          : Factor{dz_ + row(first, s) * size_.columns + gate * u, size_.time * size_.columns};
            multiply(g, {turned_ + gate * u * u, u}, u, u, samples.size(), scratch, u, false);
            for (std::int64_t i = first; i < samples.end; ++i) {
                float* part = scratch + (i - first) * u;
                kernels_.applyMask(part, maskOf(i, gate), u, dropoutScale(a_.recurrent_dropout), part);
                kernels_.addValues(part, u, dh_ + i * u);
            }
        }
    }

    // dz of one sample and time from dh; what of dh goes straight to the state before stays in it (GRU).
    void gateGradients(std::int64_t i, std::int64_t s, float* scratch) const {
        const std::int64_t u = size_.units, at = row(i, s);
        float *dh = dh_ + i * u, *dz = dz_ + at * size_.columns;
        const float* g = gates_ + at * size_.columns;
        addOutputGradient(i, s);
        switch (a_.cell) {
            case RecurrentCell::kSimple:
                kernels_.copyValues(dh, u, dz);
                return derive(a_.activation, g, u, dz);
            case RecurrentCell::kLstm:
                return lstmGradients(i, s, scratch);
            case RecurrentCell::kGru:
                kernels_.blendGradient({.update = g,
                                        .before = previous_ + at * u,
                                        .candidate = g + 2 * u,
                                        .count = u,
                                        .dh = dh,
                                        .dupdate = dz,
                                        .dcandidate = dz + 2 * u});
                derive(a_.recurrent_activation, g, u, dz);
                derive(a_.activation, g + 2 * u, u, dz + 2 * u);
                if (!a_.reset_after) return;
                kernels_.multiply(dz + 2 * u, inner_ + at * u, u, dz + u);
                derive(a_.recurrent_activation, g + u, u, dz + u);
                kernels_.multiply(dz + 2 * u, g + u, u, hidden_ + at * u);
        }
    }

    void lstmGradients(std::int64_t i, std::int64_t s, float* active) const {
        const std::int64_t u = size_.units, at = row(i, s);
        float *dh = dh_ + i * u, *dc = dc_ + i * u, *dz = dz_ + at * size_.columns;
        const float* g = gates_ + at * size_.columns;
        activate(a_.activation, inner_ + at * u, u, active);
        kernels_.multiply(dh, active, u, dz + 3 * u);
        derive(a_.recurrent_activation, g + 3 * u, u, dz + 3 * u);
        kernels_.multiply(dh, g + 3 * u, u, dh);  // the product with U overwrites dh afterwards
        derive(a_.activation, active, u, dh);
        kernels_.addValues(dh, u, dc);
        kernels_.multiply(dc, g + 2 * u, u, dz);
        if (s > 0) {
            kernels_.multiply(dc, inner_ + row(i, s - 1) * u, u, dz + u);
        } else {
            std::fill_n(dz + u, u, 0.0F);
        }
        derive(a_.recurrent_activation, g, 2 * u, dz);
        kernels_.multiply(dc, g, u, dz + 2 * u);
        derive(a_.activation, g + 2 * u, u, dz + 2 * u);
        kernels_.multiply(dc, g + u, u, dc);
    }

    // The reset gate's gradient without reset_after: hidden holds the gradient of r h.
    void resetGradient(std::int64_t i, std::int64_t s) const {
        const std::int64_t u = size_.units, at = row(i, s);
        float* dz = dz_ + at * size_.columns;
        const float* g = gates_ + at * size_.columns;
        if (mask_ != nullptr) kernels_.applyMask(hidden_ + at * u, maskOf(i, 2), u, dropoutScale(a_.recurrent_dropout), hidden_ + at * u);
        kernels_.multiply(hidden_ + at * u, previous_ + at * u, u, dz + u);
        derive(a_.recurrent_activation, g + u, u, dz + u);
        kernels_.multiplyAdd(hidden_ + at * u, g + u, u, dh_ + i * u);
    }

    // Rows of dU: what stood before U, transposed, times what came after it.
    void kernelGradient(Range block, std::int64_t rows, float* packed) const {
        const std::int64_t u = size_.units;
        if (mask_ != nullptr) return droppedKernelGradient(block, rows, packed);
        if (!isGru()) return addRows(block, rows, previous_, {dz_, size_.columns}, 0, size_.columns, packed);
        addRows(block, rows, previous_, {dz_, size_.columns}, 0, 2 * u, packed);
        if (a_.reset_after) return addRows(block, rows, previous_, {hidden_, u}, 2 * u, u, packed);
        addRows(block, rows, inner_, {dz_ + 2 * u, size_.columns}, 2 * u, u, packed);
    }

    void droppedKernelGradient(Range block, std::int64_t rows, float* packed) const {
        const std::int64_t u = size_.units;
        for (std::int64_t gate = 0; gate < gateCount(); ++gate) {
            const bool is_candidate = isGru() && gate == 2;
            const Factor own{dz_ + gate * u, size_.columns};
            if (is_candidate && !a_.reset_after) {  // inner has its mask already
                addRows(block, rows, inner_, own, gate * u, u, packed);
            } else {
                addRows(block, rows, previous_, is_candidate ? Factor{hidden_, u} : own, gate * u, u, packed, gate);
            }
        }
    }

    // `gate`: the states are what it saw of them.
    void addRows(Range block, std::int64_t rows, const float* states, Factor gradient, std::int64_t column, std::int64_t columns,
                 float* packed, std::optional<std::int64_t> gate = {}) const {
        const std::int64_t width = block.size();
        for (std::int64_t first = 0; first == 0 || first < rows; first += kPackedRows) {
            const std::int64_t count = std::min(kPackedRows, rows - first);
            for (std::int64_t r = 0; r < count; ++r) {
                const float* from = states + (first + r) * size_.units + block.begin;
                if (gate) {
                    const std::uint8_t* mask = maskOf((first + r) / size_.time, *gate) + block.begin;
                    kernels_.applyMask(from, mask, width, dropoutScale(a_.recurrent_dropout), packed + r * width);
                } else {
                    kernels_.copyValues(from, width, packed + r * width);
                }
            }
            kernels_.product({.a = packed,
                              .a_row = 1,
                              .a_step = width,
                              .b = gradient.first + first * gradient.row,
                              .b_row = gradient.row,
                              .c = dkernel_ + block.begin * size_.columns + column,
                              .c_row = size_.columns,
                              .rows = width,
                              .columns = columns,
                              .count = count,
                              .accumulate = first > 0});
        }
    }

    void biasGradient(std::int64_t rows) const {
        std::fill_n(dbias_, 2 * size_.columns, 0.0F);
        kernels_.addColumns(dz_, rows, size_.columns, dbias_);
        kernels_.copyValues(dbias_, 2 * size_.units, dbias_ + size_.columns);
        kernels_.addColumns(hidden_, rows, size_.units, dbias_ + size_.columns + 2 * size_.units);
    }

    const float *kernel_, *gates_, *previous_, *inner_ = nullptr, *dy_;
    float *dz_, *hidden_ = nullptr, *dkernel_ = nullptr, *dbias_ = nullptr;
    float *turned_ = nullptr, *dh_ = nullptr, *dc_ = nullptr, *held_ = nullptr;  // U transposed; by sample
    std::int64_t items_ = 1;
};

}  // namespace

std::unique_ptr<BoundOp> bindRecurrent(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (std::get<RecurrentAttributes>(op.attributes).window) return bindRecurrentConvolution(memory, op, kernels);
    if (op.kind == plan::OpKind::kRecurrent) return std::make_unique<Recurrent>(memory, op, kernels);
    return std::make_unique<RecurrentBack>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
