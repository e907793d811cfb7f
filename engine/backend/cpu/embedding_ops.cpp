// Rows of a table by whole numbers, and the sum of their gradients; whole numbers of values, their hashes, and ones in their places.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/hashing.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

// Ids out of range: thread 0 looks at all of them at once and throws; the others stay within the table until they learn of it.
class Embedding final : public BoundOp {
public:
    Embedding(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          rows_(memory.shape(op.inputs[1])[0]),
          width_(memory.shape(op.inputs[1])[1]),
          ids_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return "rows by id"; }
    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.reads(op_.inputs[0]), memory_.reads(op_.inputs[1]), memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const float* ids = memory_.floats(op_.inputs[0]);
        if (thread == 0 && step.strip == 0) checkIds(ids, step.samples);
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin * ids_; i < mine.end * ids_; ++i) {
            const std::int64_t row = std::clamp<std::int64_t>(static_cast<std::int64_t>(ids[i]), 0, rows_ - 1);
            kernels_.copyValues(memory_.floats(op_.inputs[1]) + row * width_, width_, memory_.floats(op_.outputs[0]) + i * width_);
        }
    }

private:
    void checkIds(const float* ids, std::int64_t samples) const {
        for (std::int64_t i = 0; i < samples * ids_; ++i) {
            const auto id = static_cast<std::int64_t>(ids[i]);
            if (id >= 0 && id < rows_) continue;
            throw Error(ErrorCode::kOutOfRange, op_.layer + ": expected ids from 0 to " + std::to_string(rows_ - 1) + ", got " +
                                                    std::to_string(id) + " in sample " + std::to_string(i / ids_) + " of the batch");
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    std::int64_t rows_, width_, ids_;
};

// Each thread has rows of the table of its own and takes the ids in order. A piece of a step has few of the rows: what the pieces add up
// is cleared once a step, and each piece passes over the rows of its ids alone.
class EmbeddingBack final : public BoundOp {
public:
    EmbeddingBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          rows_(memory.shape(op.outputs[0])[0]),
          width_(memory.shape(op.outputs[0])[1]),
          ids_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return sum_ == nullptr ? "sums by id" : "sums by id over all pieces"; }
    bool addUpIn(plan::TensorId, float* sum) override {
        sum_ = sum;
        return true;
    }
    std::vector<Stage> stages(std::byte*) override {
        Access table = memory_.writes(op_.outputs[0]);
        if (sum_ != nullptr) table.begin = sum_;
        return {{.accesses = {memory_.reads(op_.inputs[0]), memory_.reads(op_.inputs[1]), table}}};
    }

    void run(int, const StepState& step, int thread) override {
        const float *ids = memory_.floats(op_.inputs[0]), *dy = memory_.floats(op_.inputs[1]);
        float* table = sum_ != nullptr ? sum_ : memory_.floats(op_.outputs[0]);
        const Range mine = share(rows_, thread, step.threads);
        if (sum_ == nullptr || step.is_first_piece) std::fill(table + mine.begin * width_, table + mine.end * width_, 0.0F);
        for (std::int64_t i = 0; i < step.samples * ids_; ++i) {
            const auto row = static_cast<std::int64_t>(ids[i]);
            if (row >= mine.begin && row < mine.end) kernels_.addValues(dy + i * width_, width_, table + row * width_);
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    std::int64_t rows_, width_, ids_;
    float* sum_ = nullptr;  // over the pieces of a step; null: each piece makes the table's gradient anew
};

// Thread 0 looks for values without a place in all samples at once and throws; the others give them place 0 until they learn of it.
class Index final : public BoundOp {
public:
    Index(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          table_(std::get<plan::Indexing>(op.attributes)),
          unknown_(table_),
          values_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return "a search for each value"; }
    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {unknown_.have_places ? memory_.readsSamples(op_.inputs[0]) : memory_.reads(op_.inputs[0]),
                                 memory_.writesSamples(op_.outputs[0])}};
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) stage.accesses.push_back(memory_.reads(op_.inputs[i]));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const float* x = memory_.floats(op_.inputs[0]);
        float* y = memory_.floats(op_.outputs[0]);
        const std::span<const float> values = numbers(1, table_.values), places = numbers(2, table_.places);
        if (!unknown_.have_places && thread == 0 && step.strip == 0) checkValues(x, step.samples, values);
        for (std::int64_t i = mine.begin * values_; i < mine.end * values_; ++i) {
            if (places.empty()) {
                y[i] = static_cast<float>(std::upper_bound(values.begin(), values.end(), x[i]) - values.begin());
                continue;
            }
            const float whole = std::trunc(x[i]);
            const auto found = placeIn(values, whole);
            y[i] = found ? places[*found] : unknown_.place(whole);
        }
    }

private:
    // A list of the table: an input of the op, or what its attributes have.
    std::span<const float> numbers(std::size_t input, const std::vector<float>& given) const {
        if (op_.inputs.size() <= input) return given;
        return {memory_.floats(op_.inputs[input]), static_cast<std::size_t>(memory_.elements(op_.inputs[input]))};
    }
    static std::optional<std::size_t> placeIn(std::span<const float> values, float whole) {
        const auto found = std::lower_bound(values.begin(), values.end(), whole);
        if (found == values.end() || *found != whole) return std::nullopt;
        return static_cast<std::size_t>(found - values.begin());
    }
    void checkValues(const float* x, std::int64_t samples, std::span<const float> values) const {
        for (std::int64_t i = 0; i < samples * values_; ++i) {
            const float whole = std::trunc(x[i]);
            if (placeIn(values, whole)) continue;
            throw Error(ErrorCode::kOutOfRange, unknownValueText(op_.layer, whole, static_cast<std::size_t>(i / values_)));
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::Indexing& table_;
    UnknownValues unknown_;
    std::int64_t values_;
};

class Hash final : public BoundOp {
public:
    Hash(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), table_(std::get<plan::Hashing>(op.attributes)), values_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return "a hash for each value"; }
    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const float* x = memory_.floats(op_.inputs[0]);
        float* y = memory_.floats(op_.outputs[0]);
        for (std::int64_t i = mine.begin * values_; i < mine.end * values_; ++i) y[i] = table_.place(x[i]);
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    HashTable table_;
    std::int64_t values_;
};

class Encode final : public BoundOp {
public:
    Encode(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), encoding_(std::get<plan::Encoding>(op.attributes)), values_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return "ones by id"; }
    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}};
        if (op_.inputs.size() > 1) stage.accesses.push_back(memory_.reads(op_.inputs[1]));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t depth = encoding_.depth, rows = values_ / encoding_.ids;
        const float* x = memory_.floats(op_.inputs[0]) + mine.begin * values_;
        const float* weights = op_.inputs.size() > 1 ? memory_.floats(op_.inputs[1]) : nullptr;
        float* y = memory_.floats(op_.outputs[0]) + mine.begin * rows * depth;
        std::fill_n(y, mine.size() * rows * depth, 0.0F);
        for (std::int64_t row = 0; row < mine.size() * rows; ++row, y += depth) {
            for (std::int64_t i = 0; i < encoding_.ids; ++i, ++x) {
                const float id = std::trunc(*x);
                if (!(id >= 0 && id < static_cast<float>(depth))) continue;
                float& place = y[static_cast<std::int64_t>(id)];
                place = encoding_.counts ? place + 1 : 1;
            }
            for (std::int64_t i = 0; weights != nullptr && i < depth; ++i) y[i] *= weights[i];
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const plan::Encoding& encoding_;
    std::int64_t values_;
};

}  // namespace

std::unique_ptr<BoundOp> bindEmbedding(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kIndex) return std::make_unique<Index>(memory, op);
    if (op.kind == plan::OpKind::kHash) return std::make_unique<Hash>(memory, op);
    if (op.kind == plan::OpKind::kEncode) return std::make_unique<Encode>(memory, op);
    if (op.kind == plan::OpKind::kEmbedding) return std::make_unique<Embedding>(memory, op, kernels);
    return std::make_unique<EmbeddingBack>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
