// A sequence's attention to itself, head by head: each head's matrices are products of their own, whose rows lie apart by all heads'
// values. Many samples are dealt out to the threads as elsewhere; of a few, the heads are.
#include <algorithm>
#include <string>
#include <variant>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {
namespace {

// Samples from which on each thread takes its own: as many as most processors have threads.
constexpr std::int64_t kManySamples = 16;

class AttentionOp : public BoundOp {
public:
    // `wide`: a tensor (N, T, heads * size).
    AttentionOp(const Memory& memory, const plan::Op& op, const KernelTable& kernels, plan::TensorId wide)
        : memory_(memory), op_(op), kernels_(kernels), attention_(std::get<plan::AttentionAttributes>(op.attributes)) {
        const spec::Shape& shape = memory.shape(wide);
        time_ = shape[1];
        row_ = shape[2];
        size_ = row_ / attention_.heads;
        by_sample_ = memory.batch() >= kManySamples;
    }

    std::string kernel() const override {
        return std::to_string(attention_.heads) + " products a sample, by " + (by_sample_ ? "samples" : "heads");
    }
    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(by_sample_ ? memory_.readsSamples(id) : memory_.reads(id));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(by_sample_ ? memory_.writesSamples(id) : memory_.writes(id));
        return {stage};
    }
    void run(int, const StepState& step, int thread) override {
        const std::int64_t heads = attention_.heads;
        const Range samples = step.samplesOf(thread);
        const Range mine =
            by_sample_ ? Range{samples.begin * heads, samples.end * heads} : share(step.samples * heads, thread, step.threads);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) runHead(i / heads, i % heads, step.scratchOf(thread));
    }

protected:
    virtual void runHead(std::int64_t item, std::int64_t head, float* scratch) = 0;

    // A head's first value of a tensor (N, T, heads * size), and its matrix of (N, heads, T, T).
    float* wide(plan::TensorId id, std::int64_t item, std::int64_t head) const {
        return memory_.floats(id) + item * time_ * row_ + head * size_;
    }
    float* square(plan::TensorId id, std::int64_t item, std::int64_t head) const {
        return memory_.floats(id) + (item * attention_.heads + head) * time_ * time_;
    }

    // to (size, T) = a head's rows, turned.
    void turn(const float* rows, float* to) const { kernels_.transpose(rows, row_, time_, size_, to, time_); }
    // c (T, T) = a b with a's rows of a head and b (size, T).
    void intoSquare(const float* a, const float* b, float* c) const {
        kernels_.product(
            {.a = a, .a_row = row_, .b = b, .b_row = time_, .c = c, .c_row = time_, .rows = time_, .columns = time_, .count = size_});
    }
    // A head's rows of c = a b, or a^T b, with a (T, T) and b's rows of a head.
    enum class Turned { kNo, kYes };
    void intoRows(const float* a, Turned turned, const float* b, float* c) const {
        const bool is_turned = turned == Turned::kYes;
        kernels_.product({.a = a,
                          .a_row = is_turned ? 1 : time_,
                          .a_step = is_turned ? time_ : 1,
                          .b = b,
                          .b_row = row_,
                          .c = c,
                          .c_row = row_,
                          .rows = time_,
                          .columns = size_,
                          .count = time_});
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    const plan::AttentionAttributes& attention_;
    std::int64_t time_ = 0, row_ = 0, size_ = 0;  // row: values of all heads at one time
    bool by_sample_ = false;
};

class Weights final : public AttentionOp {
public:
    Weights(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : AttentionOp(memory, op, kernels, op.inputs[0]) {}

    ScratchBytes scratch() const override { return {.per_thread = size_ * time_ * kFloat}; }

protected:
    void runHead(std::int64_t item, std::int64_t head, float* keys) override {
        turn(wide(op_.inputs[1], item, head), keys);
        kernels_.scaleFloats(keys, size_ * time_, static_cast<float>(attention_.scale), 0, keys);
        float* p = square(op_.outputs[0], item, head);
        intoSquare(wide(op_.inputs[0], item, head), keys, p);
        if (!attention_.causal && !attention_.masked) return kernels_.softmax(p, time_, time_, p);
        const std::uint8_t* counts = attention_.masked ? memory_.cells(op_.inputs.back()) + item * time_ : nullptr;
        for (std::int64_t t = 0; t < time_; ++t) weighRow(t, counts, p + t * time_);
    }

private:
    // The softmax over the keys that count for query t.
    void weighRow(std::int64_t t, const std::uint8_t* counts, float* p) const {
        if (counts != nullptr && counts[t] == 0) {
            std::fill_n(p, time_, 1 / static_cast<float>(time_));
            return;
        }
        const std::int64_t seen = attention_.causal ? t + 1 : time_;
        for (std::int64_t s = 0; counts != nullptr && s < seen; ++s) {
            if (counts[s] == 0) p[s] = kNothing;  // becomes 0 beside the query's own key
        }
        kernels_.softmax(p, 1, seen, p);
        std::fill(p + seen, p + time_, 0.0F);
    }
    static constexpr float kNothing = -3e38F;
};

class WeightsBack final : public AttentionOp {
public:
    WeightsBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : AttentionOp(memory, op, kernels, op.inputs[0]) {}

    ScratchBytes scratch() const override { return {.per_thread = time_ * time_ * kFloat}; }

protected:
    void runHead(std::int64_t item, std::int64_t head, float* slopes) override {
        kernels_.softmaxGradient(square(op_.inputs[2], item, head), square(op_.inputs[3], item, head), time_, time_, slopes);
        kernels_.scaleFloats(slopes, time_ * time_, static_cast<float>(attention_.scale), 0, slopes);
        if (attention_.masked) {
            const std::uint8_t* counts = memory_.cells(op_.inputs.back()) + item * time_;
            for (std::int64_t t = 0; t < time_; ++t) {
                if (counts[t] == 0) std::fill_n(slopes + t * time_, time_, 0.0F);
            }
        }
        intoRows(slopes, Turned::kNo, wide(op_.inputs[1], item, head), wide(op_.outputs[0], item, head));
        intoRows(slopes, Turned::kYes, wide(op_.inputs[0], item, head), wide(op_.outputs[1], item, head));
    }
};

class Values final : public AttentionOp {
public:
    Values(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : AttentionOp(memory, op, kernels, op.inputs[1]) {}

protected:
    void runHead(std::int64_t item, std::int64_t head, float*) override {
        intoRows(square(op_.inputs[0], item, head), Turned::kNo, wide(op_.inputs[1], item, head), wide(op_.outputs[0], item, head));
    }
};

class ValuesBack final : public AttentionOp {
public:
    ValuesBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : AttentionOp(memory, op, kernels, op.inputs[1]) {}

    ScratchBytes scratch() const override { return {.per_thread = size_ * time_ * kFloat}; }

protected:
    void runHead(std::int64_t item, std::int64_t head, float* values) override {
        const float* dy = wide(op_.inputs[2], item, head);
        turn(wide(op_.inputs[1], item, head), values);
        intoSquare(dy, values, square(op_.outputs[0], item, head));
        intoRows(square(op_.inputs[0], item, head), Turned::kYes, dy, wide(op_.outputs[1], item, head));
    }
};

}  // namespace

std::unique_ptr<BoundOp> bindAttention(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    switch (op.kind) {
        case plan::OpKind::kAttentionWeights:
            return std::make_unique<Weights>(memory, op, kernels);
        case plan::OpKind::kAttentionWeightsBack:
            return std::make_unique<WeightsBack>(memory, op, kernels);
        case plan::OpKind::kAttentionValues:
            return std::make_unique<Values>(memory, op, kernels);
        default:
            return std::make_unique<ValuesBack>(memory, op, kernels);
    }
}

}  // namespace engine::backend::cpu
