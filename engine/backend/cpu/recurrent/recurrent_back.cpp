// SimpleRNN, LSTM and GRU back through time, then the sums over all rows for the kernel and the two biases.
#include <array>
#include <string>

#include "engine/backend/cpu/recurrent/cell_op.h"

namespace engine::backend::cpu {
namespace {

using plan::RecurrentCell;

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
        divideGradient();
    }

    std::string kernel() const override { return "each thread its samples back through time, " + std::to_string(items_) + " blocks of dU"; }
    ScratchBytes scratch() const override {
        const std::int64_t through = (mask_ == nullptr ? 3 : 4) * together() * size_.units + size_.units;
        const std::int64_t sums =
            kPackedRows * (divideUp(size_.columns, kernels_.panel_columns) * kernels_.panel_columns + kernels_.block_rows);
        return {.shared = PackedMatrix::floats(kernels_, size_.columns, size_.units) * kFloat,
                .per_thread = std::max(through, sums) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        turned_ = {kernels_, size_.columns, size_.units, reinterpret_cast<float*>(shared)};
        Access packed{shared, scratch().shared, 0, true};
        std::vector<Stage> all{{.accesses = {memory_.reads(op_.inputs[0]), packed}}};
        packed.writes = false;
        Stage through{.accesses = {packed}, .fewest_samples = kAllSamples};
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) through.accesses.push_back(memory_.readsSamples(op_.inputs[i]));
        through.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
        if (isGru()) through.accesses.push_back(memory_.writesSamples(op_.outputs[1]));
        all.push_back(through);
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
        if (stage == 0) return turned_.packTransposed(kernel_, size_.columns, share(turned_.panels(), thread, step.threads));
        if (stage == 1) {
            const Range samples = step.samplesOf(thread);
            for (std::int64_t first = samples.begin; first < samples.end; first += kTogether) {
                throughTime({first, std::min(first + kTogether, samples.end)}, step.scratchOf(thread));
            }
            return;
        }
        const std::int64_t rows = step.samples * size_.time;
        const Range mine = share(items_, thread, step.threads);
        std::int64_t first = 0;
        for (std::size_t i = 0; i < part_count_; ++i) {
            const std::int64_t count = itemsOf(parts_[i]);
            const Range of_part{std::max(mine.begin, first) - first, std::min(mine.end, first + count) - first};
            if (of_part.size() > 0) kernelGradient(parts_[i], of_part, rows, step.scratchOf(thread));
            first += count;
        }
        if (dbias_ != nullptr && thread == step.threads - 1) biasGradient(rows);
    }

private:
    // Rows of the states and of the gradient that stay in the first-level cache, a block and a panel of them.
    static constexpr std::int64_t kPackedRows = 96;
    // Units up to which kPackedRows rows of the states stay there as they are.
    static constexpr std::int64_t kNarrow = 96;

    struct Factor {
        const float* first;
        std::ptrdiff_t row;
    };
    // Columns of dU that are the same states, transposed, times gradients. gate >= 0: the states are what this gate saw of them.
    struct Part {
        const float* states = nullptr;
        Factor gradient{};
        std::int64_t column = 0, columns = 0, gate = -1;
    };
    // A thread's own memory, of the samples that go through time together.
    struct Work {
        Range samples;
        float* dh;      // (together, units): the gradient of the states
        float* dc;      // (together, units): and of what lies within an LSTM's cell
        float* held;    // (together, units)
        float* active;  // (units)
        float* part;    // (together, units)

        float* dhOf(std::int64_t sample, std::int64_t units) const { return dh + (sample - samples.begin) * units; }
        float* dcOf(std::int64_t sample, std::int64_t units) const { return dc + (sample - samples.begin) * units; }
        float* heldOf(std::int64_t sample, std::int64_t units) const { return held + (sample - samples.begin) * units; }
    };

    void throughTime(Range samples, float* scratch) const {
        const std::int64_t u = size_.units, room = together() * u;
        const Work work{samples, scratch, scratch + room, scratch + 2 * room, scratch + 3 * room, scratch + 3 * room + u};
        std::fill_n(work.dh, samples.size() * u, 0.0F);
        std::fill_n(work.dc, samples.size() * u, 0.0F);
        const std::ptrdiff_t dz_row = size_.time * size_.columns, state_row = size_.time * u;
        for (std::int64_t s = size_.time; s-- > 0;) {
            float* dz = dz_ + row(samples.begin, s) * size_.columns;
            for (std::int64_t i = samples.begin; i < samples.end; ++i) counts(i, s) ? gateGradients(i, s, work) : passGradient(i, s, work);
            if (!anyCounts(samples, s)) continue;
            if (isGru() && !a_.reset_after) {
                turned_.multiply(dz + 2 * u, dz_row, {2 * u, 3 * u}, samples.size(), hidden_ + row(samples.begin, s) * u, state_row, false);
                for (std::int64_t i = samples.begin; i < samples.end; ++i) {
                    if (counts(i, s)) resetGradient(i, s, work);
                }
            }
            if (s == 0) continue;
            if (times_ != nullptr) hold(s, work);
            if (mask_ != nullptr) {
                backDropped(s, work);
            } else {
                turned_.multiply(dz, dz_row, {0, isGru() ? 2 * u : size_.columns}, samples.size(), work.dh, u, isGru());
                if (isGru() && a_.reset_after) {
                    turned_.multiply(hidden_ + row(samples.begin, s) * u, state_row, {2 * u, 3 * u}, samples.size(), work.dh, u, true);
                }
            }
            if (times_ != nullptr) putBack(s, work);
        }
    }

    // Keeps what the products of the other samples would overwrite: the gradients of the states that step s leaves as they are.
    void hold(std::int64_t s, const Work& work) const {
        for (std::int64_t i = work.samples.begin; i < work.samples.end; ++i) {
            if (!counts(i, s)) kernels_.copyValues(work.dhOf(i, size_.units), size_.units, work.heldOf(i, size_.units));
        }
    }
    void putBack(std::int64_t s, const Work& work) const {
        for (std::int64_t i = work.samples.begin; i < work.samples.end; ++i) {
            if (!counts(i, s)) kernels_.copyValues(work.heldOf(i, size_.units), size_.units, work.dhOf(i, size_.units));
        }
    }

    // Handles a step that does not count: the gradient of the state, with that of the output, goes to the step before.
    void passGradient(std::int64_t i, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units, at = row(i, s);
        if (!a_.zero_output_for_mask) addOutputGradient(i, s, work);
        std::fill_n(dz_ + at * size_.columns, size_.columns, 0.0F);
        if (isGru()) std::fill_n(hidden_ + at * u, u, 0.0F);
    }

    void addOutputGradient(std::int64_t i, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units;
        if (a_.return_sequences) {
            kernels_.addValues(dy_ + (i * size_.time + s) * u, u, work.dhOf(i, u));
        } else if (s + 1 == size_.time) {
            kernels_.addValues(dy_ + i * u, u, work.dhOf(i, u));
        }
    }

    // The products with U that lead to the state before, gate by gate, each to the units that it saw.
    void backDropped(std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units, first = work.samples.begin, count = work.samples.size();
        if (!isGru()) std::fill_n(work.dh, count * u, 0.0F);
        for (std::int64_t gate = 0; gate < gateCount(); ++gate) {
            const bool is_candidate = isGru() && gate == 2;
            if (is_candidate && !a_.reset_after) continue;
            const Factor g = is_candidate ? Factor{hidden_ + row(first, s) * u, size_.time * u}
                                          : Factor{dz_ + row(first, s) * size_.columns + gate * u, size_.time * size_.columns};
            turned_.multiply(g.first, g.row, {gate * u, (gate + 1) * u}, count, work.part, u, false);
            for (std::int64_t i = first; i < work.samples.end; ++i) {
                float* part = work.part + (i - first) * u;
                kernels_.applyMask(part, maskOf(i, gate), u, dropoutScale(a_.recurrent_dropout), part);
                kernels_.addValues(part, u, work.dhOf(i, u));
            }
        }
    }

    // dz of one sample and time from dh; what of dh goes straight to the state before stays in it (GRU).
    void gateGradients(std::int64_t i, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units, at = row(i, s);
        float *dh = work.dhOf(i, u), *dz = dz_ + at * size_.columns;
        const float* g = gates_ + at * size_.columns;
        addOutputGradient(i, s, work);
        switch (a_.cell) {
            case RecurrentCell::kSimple:
                kernels_.copyValues(dh, u, dz);
                return derive(a_.activation, g, u, dz);
            case RecurrentCell::kLstm:
                return hasUsualGates() ? usualGradients(i, s, work) : lstmGradients(i, s, work);
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

    void usualGradients(std::int64_t i, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units, at = row(i, s);
        kernels_.lstmStepBack({.gates = gates_ + at * size_.columns,
                               .cell = inner_ + at * u,
                               .before = s == 0 ? nullptr : inner_ + row(i, s - 1) * u,
                               .dstate = work.dhOf(i, u),
                               .units = u,
                               .dcell = work.dcOf(i, u),
                               .dz = dz_ + at * size_.columns,
                               .next = size_.time});
    }

    void lstmGradients(std::int64_t i, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units, at = row(i, s);
        float *dh = work.dhOf(i, u), *dc = work.dcOf(i, u), *dz = dz_ + at * size_.columns;
        const float* g = gates_ + at * size_.columns;
        activate(a_.activation, inner_ + at * u, u, work.active);
        kernels_.multiply(dh, work.active, u, dz + 3 * u);
        derive(a_.recurrent_activation, g + 3 * u, u, dz + 3 * u);
        kernels_.multiply(dh, g + 3 * u, u, dh);  // the product with U overwrites dh afterwards
        derive(a_.activation, work.active, u, dh);
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
    void resetGradient(std::int64_t i, std::int64_t s, const Work& work) const {
        const std::int64_t u = size_.units, at = row(i, s);
        float* dz = dz_ + at * size_.columns;
        const float* g = gates_ + at * size_.columns;
        if (mask_ != nullptr) kernels_.applyMask(hidden_ + at * u, maskOf(i, 2), u, dropoutScale(a_.recurrent_dropout), hidden_ + at * u);
        kernels_.multiply(hidden_ + at * u, previous_ + at * u, u, dz + u);
        derive(a_.recurrent_activation, g + u, u, dz + u);
        kernels_.multiplyAdd(hidden_ + at * u, g + u, u, work.dhOf(i, u));
    }

    void divideGradient() {
        const std::int64_t u = size_.units;
        const auto add = [&](const float* states, Factor gradient, std::int64_t column, std::int64_t columns, std::int64_t gate = -1) {
            parts_[part_count_++] = {states, gradient, column, columns, gate};
        };
        const Factor all{dz_, size_.columns}, hidden{hidden_, u}, candidate{dz_ + 2 * u, size_.columns};
        if (mask_ != nullptr) {
            for (std::int64_t gate = 0; gate < (isGru() ? 2 : gateCount()); ++gate) {
                add(previous_, {dz_ + gate * u, size_.columns}, gate * u, u, gate);
            }
        } else {
            add(previous_, all, 0, isGru() ? 2 * u : size_.columns);
        }
        if (isGru() && a_.reset_after) add(previous_, hidden, 2 * u, u, mask_ == nullptr ? -1 : 2);
        if (isGru() && !a_.reset_after) add(inner_, candidate, 2 * u, u);  // inner has its mask already
        for (std::size_t i = 0; i < part_count_; ++i) items_ += itemsOf(parts_[i]);
    }

    std::int64_t blocks() const { return divideUp(size_.units, kernels_.block_rows); }
    std::int64_t itemsOf(const Part& part) const { return divideUp(part.columns, kernels_.panel_columns) * blocks(); }

    // Some items of a part: item (panel, block) is a panel of columns of dU for a block of its rows.
    void kernelGradient(const Part& part, Range items, std::int64_t rows, float* packed) const {
        const Range panels{items.begin / blocks(), divideUp(items.end, blocks())};
        const std::int64_t width = kernels_.panel_columns, first_column = panels.begin * width;
        const std::int64_t columns = std::min(part.columns, panels.end * width) - first_column;
        float* states = packed + panels.size() * width * kPackedRows;
        for (std::int64_t first = 0; first == 0 || first < rows; first += kPackedRows) {
            const std::int64_t count = std::min(kPackedRows, rows - first);
            const PackedMatrix gradient(kernels_, count, columns, packed);
            gradient.packRows(part.gradient.first + first * part.gradient.row + first_column, part.gradient.row, {0, count});
            for (std::int64_t b = 0; b < blocks(); ++b) {
                const Range block = share(size_.units, b, blocks());
                // The first and the last panel may have some of the blocks alone.
                const std::int64_t from = panels.begin + (panels.begin * blocks() + b < items.begin ? 1 : 0);
                const std::int64_t to = panels.end - ((panels.end - 1) * blocks() + b >= items.end ? 1 : 0);
                if (from >= to) continue;
                const Range mine{(from - panels.begin) * width, std::min((to - panels.begin) * width, columns)};
                float* to_rows = dkernel_ + block.begin * size_.columns + part.column + first_column;
                if (part.gate < 0 && size_.units <= kNarrow) {
                    gradient.addTransposed(part.states + first * size_.units + block.begin, size_.units, block.size(), mine, to_rows,
                                           size_.columns, first > 0);
                    continue;
                }
                packStates(part, first, count, block, states);
                gradient.addTransposed(states, block.size(), block.size(), mine, to_rows, size_.columns, first > 0);
            }
        }
    }

    void packStates(const Part& part, std::int64_t first, std::int64_t count, Range block, float* to) const {
        const std::int64_t width = block.size();
        for (std::int64_t r = 0; r < count; ++r) {
            const float* from = part.states + (first + r) * size_.units + block.begin;
            if (part.gate >= 0) {
                const std::uint8_t* mask = maskOf((first + r) / size_.time, part.gate) + block.begin;
                kernels_.applyMask(from, mask, width, dropoutScale(a_.recurrent_dropout), to + r * width);
            } else {
                kernels_.copyValues(from, width, to + r * width);
            }
        }
    }

    void biasGradient(std::int64_t rows) const {
        std::fill_n(dbias_, 2 * size_.columns, 0.0F);
        kernels_.addColumns(dz_, size_.columns, rows, size_.columns, dbias_);
        kernels_.copyValues(dbias_, 2 * size_.units, dbias_ + size_.columns);
        kernels_.addColumns(hidden_, size_.units, rows, size_.units, dbias_ + size_.columns + 2 * size_.units);
    }

    const float *kernel_, *gates_, *previous_, *inner_ = nullptr, *dy_;
    float *dz_, *hidden_ = nullptr, *dkernel_ = nullptr, *dbias_ = nullptr;
    PackedMatrix turned_{};  // U transposed
    std::array<Part, 4> parts_{};
    std::size_t part_count_ = 0;
    std::int64_t items_ = 0;  // of all parts
};

}  // namespace

std::unique_ptr<BoundOp> bindRecurrentBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<RecurrentBack>(memory, op, kernels);
}

std::vector<plan::InPlacePair> inPlacePairsOfCell(const plan::Op& op) {
    const auto& attributes = std::get<plan::RecurrentAttributes>(op.attributes);
    if (attributes.window) return {};
    if (op.kind == plan::OpKind::kRecurrent) return {{.output = op.outputs[1], .input = op.inputs[0]}};
    // The other cells read their gates more than once.
    if (!hasUsualGates(attributes)) return {};
    return {{.output = op.outputs[0], .input = op.inputs[1]}};
}

std::unique_ptr<BoundOp> bindRecurrent(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (std::get<plan::RecurrentAttributes>(op.attributes).window) return bindRecurrentConvolution(memory, op, kernels);
    return op.kind == plan::OpKind::kRecurrent ? bindRecurrentForward(memory, op, kernels) : bindRecurrentBack(memory, op, kernels);
}

}  // namespace engine::backend::cpu
