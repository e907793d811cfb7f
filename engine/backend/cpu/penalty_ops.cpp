// Regularizers: their part of the loss, summed in blocks whose order depends on sizes alone, and of the gradients.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/losses/orthogonal_vectors.h"

namespace engine::backend::cpu {
namespace {

class Penalty final : public BoundOp {
public:
    Penalty(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), penalties_(std::get<plan::PenaltyAttributes>(op.attributes).penalties) {
        for (std::size_t i = 0; i < penalties_.size(); ++i) {
            const std::int64_t count = memory.elements(op.inputs[i]);
            if (penalties_[i].vectors != plan::PenalisedVectors::kNone) {
                vectors_.push_back({i, OrthogonalVectors(penalties_[i], memory.shape(op.inputs[i]), memory.floats(op.inputs[i]))});
                for (std::int64_t k = 0; k < vectors_.back().vectors.count(); ++k) blocks_.push_back({i, k, 1, vectors_.size()});
                continue;
            }
            for (std::int64_t begin = 0; begin < count; begin += kBlock) blocks_.push_back({i, begin, std::min(kBlock, count - begin)});
        }
        sums_.resize(blocks_.size());
    }

    std::string kernel() const override { return std::to_string(blocks_.size()) + (blocks_.size() == 1 ? " block" : " blocks"); }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {{sums_.data(), static_cast<std::int64_t>(sums_.size() * sizeof(double)), 0, true}}};
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.reads(id));
        if (vectors_.empty()) return {stage, {.accesses = {}, .when = When::kSolo}};
        Stage measures;
        for (const Matrix& matrix : vectors_) {
            const std::vector<double>& lengths = matrix.vectors.overLengths();
            const auto bytes = static_cast<std::int64_t>(lengths.size() * sizeof(double));
            measures.accesses.push_back(memory_.reads(op_.inputs[matrix.input]));
            measures.accesses.push_back({lengths.data(), bytes, 0, true});
            stage.accesses.push_back({lengths.data(), bytes, 0, false});
        }
        return {measures, stage, {.accesses = {}, .when = When::kSolo}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (!vectors_.empty() && stage == 0) {
            for (Matrix& matrix : vectors_) {
                const Range own = share(matrix.vectors.count(), thread, step.threads);
                for (std::int64_t i = own.begin; i < own.end; ++i) matrix.vectors.measure(i);
            }
            return;
        }
        if (stage == (vectors_.empty() ? 1 : 2)) return sum(step.samples);
        const Range mine = share(static_cast<std::int64_t>(blocks_.size()), thread, step.threads);
        for (std::int64_t i = mine.begin; i < mine.end; ++i)
            sums_[static_cast<std::size_t>(i)] = valueOf(blocks_[static_cast<std::size_t>(i)], step.samples);
    }

private:
    static constexpr std::int64_t kBlock = 4096;  // floats
    struct Block {
        std::size_t input = 0;
        std::int64_t begin = 0, size = 0;
        std::size_t matrix = 0;  // of one vector: the number of its matrix among those, from 1
    };
    struct Matrix {
        std::size_t input = 0;
        OrthogonalVectors vectors;
    };

    double valueOf(const Block& block, std::int64_t samples) const {
        if (block.matrix > 0) return vectors_[block.matrix - 1].vectors.part(block.begin);
        const plan::Penalty& penalty = penalties_[block.input];
        std::int64_t present = block.size;
        if (penalty.of_activity) {
            const std::int64_t all = samples * memory_.sampleElements(op_.inputs[block.input]);
            present = std::clamp<std::int64_t>(all - block.begin, 0, block.size);
        }
        const float* x = memory_.floats(op_.inputs[block.input]) + block.begin;
        double sizes = 0, squares = 0;
        for (std::int64_t i = 0; i < present; ++i) {
            sizes += std::abs(static_cast<double>(x[i]));
            squares += static_cast<double>(x[i]) * x[i];
        }
        const double value = penalty.l1 * sizes + penalty.l2 * squares;
        return penalty.of_activity && samples > 0 ? value / static_cast<double>(samples) : value;
    }

    void sum(std::int64_t samples) const {
        double total = 0;
        for (const double value : sums_) total += value;
        memory_.floats(memory_.plan().header)[plan::StepHeader::kLossSum] += static_cast<float>(total * static_cast<double>(samples));
    }

    const Memory& memory_;
    const plan::Op& op_;
    const std::vector<plan::Penalty>& penalties_;
    std::vector<Block> blocks_;
    std::vector<Matrix> vectors_;
    std::vector<double> sums_;  // by block
};

class PenaltyGradient final : public BoundOp {
public:
    PenaltyGradient(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), penalty_(std::get<plan::PenaltyAttributes>(op.attributes).penalties.front()) {}

    std::string kernel() const override { return "a pass over values"; }

    std::vector<Stage> stages(std::byte*) override {
        if (penalty_.of_activity) return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}}};
        return {{.accesses = {memory_.reads(op_.inputs[0]), memory_.writes(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        Range mine = shareLines(memory_.elements(op_.inputs[0]), thread, step.threads);
        double parts = memory_.plan().replicas;
        if (penalty_.of_activity) {
            const std::int64_t size = memory_.sampleElements(op_.inputs[0]);
            const Range samples = step.samplesOf(thread);
            mine = {samples.begin * size, samples.end * size};
            parts *= static_cast<double>(std::max<std::int64_t>(step.samples, 1)) / step.of_step;
        }
        const auto l1 = static_cast<float>(penalty_.l1 / parts), l2 = static_cast<float>(2.0 * penalty_.l2 / parts);
        const float* x = memory_.floats(op_.inputs[0]);
        float* gradient = memory_.floats(op_.outputs[0]);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            gradient[i] += l1 * static_cast<float>((x[i] > 0) - (x[i] < 0)) + l2 * x[i];
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::Penalty penalty_;
};

class OrthogonalGradient final : public BoundOp {
public:
    OrthogonalGradient(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          vectors_(std::get<plan::PenaltyAttributes>(op.attributes).penalties.front(), memory.shape(op.inputs[0]),
                   memory.floats(op.inputs[0])) {}

    std::string kernel() const override { return "pairs of vectors"; }
    ScratchBytes scratch() const override { return {.per_thread = vectors_.length() * static_cast<std::int64_t>(sizeof(double))}; }

    std::vector<Stage> stages(std::byte*) override {
        const std::vector<double>& lengths = vectors_.overLengths();
        const auto bytes = static_cast<std::int64_t>(lengths.size() * sizeof(double));
        return {{.accesses = {memory_.reads(op_.inputs[0]), {lengths.data(), bytes, 0, true}}},
                {.accesses = {memory_.reads(op_.inputs[0]), {lengths.data(), bytes, 0, false}, memory_.writes(op_.outputs[0])}}};
    }

    void run(int stage, const StepState& step, int thread) override {
        const Range mine = share(vectors_.count(), thread, step.threads);
        auto* pull = reinterpret_cast<double*>(step.scratchOf(thread));
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            if (stage == 0) {
                vectors_.measure(i);
            } else {
                vectors_.addSlope(i, 1.0 / memory_.plan().replicas, pull, memory_.floats(op_.outputs[0]));
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    OrthogonalVectors vectors_;
};

}  // namespace

std::unique_ptr<BoundOp> bindPenalty(const Memory& memory, const plan::Op& op) {
    if (op.kind == plan::OpKind::kPenalty) return std::make_unique<Penalty>(memory, op);
    if (std::get<plan::PenaltyAttributes>(op.attributes).penalties.front().vectors != plan::PenalisedVectors::kNone) {
        return std::make_unique<OrthogonalGradient>(memory, op);
    }
    return std::make_unique<PenaltyGradient>(memory, op);
}

}  // namespace engine::backend::cpu
