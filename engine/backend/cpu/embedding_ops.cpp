// Rows of a table by whole numbers, and the sum of their gradients.
#include <algorithm>
#include <string>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

// Ids out of range: thread 0 looks at all of them and throws; the others stay within the table until they learn of it.
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
        if (thread == 0) checkIds(ids, step.samples);
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

// Each thread has rows of the table of its own and takes the ids in order.
class EmbeddingBack final : public BoundOp {
public:
    EmbeddingBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          rows_(memory.shape(op.outputs[0])[0]),
          width_(memory.shape(op.outputs[0])[1]),
          ids_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return "sums by id"; }
    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.reads(op_.inputs[0]), memory_.reads(op_.inputs[1]), memory_.writes(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const float *ids = memory_.floats(op_.inputs[0]), *dy = memory_.floats(op_.inputs[1]);
        float* table = memory_.floats(op_.outputs[0]);
        const Range mine = share(rows_, thread, step.threads);
        std::fill(table + mine.begin * width_, table + mine.end * width_, 0.0F);
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
};

}  // namespace

std::unique_ptr<BoundOp> bindEmbedding(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kEmbedding) return std::make_unique<Embedding>(memory, op, kernels);
    return std::make_unique<EmbeddingBack>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
