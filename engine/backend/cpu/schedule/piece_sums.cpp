#include "engine/backend/cpu/schedule/piece_sums.h"

#include <algorithm>
#include <functional>

#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"

namespace engine::backend::cpu {
namespace {

constexpr int kNowhere = -1;

// How the ops of a piece use a tensor.
struct Use {
    int last_writer = kNowhere;  // kNowhere also where no op of the whole step takes the tensor
    int touches = 0;             // how often an op writes or reads it
};

std::vector<Use> usesOf(const plan::Plan& plan) {
    std::vector<Use> uses(plan.tensors.size());
    std::vector<bool> is_taken(plan.tensors.size());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const plan::Op& op = plan.ops[i];
        const bool is_once = plan::turnOf(plan, op) == plan::Turn::kLastPiece;
        for (const plan::TensorId id : op.inputs) {
            if (id == plan::kNoTensor) continue;
            if (is_once) {
                is_taken[static_cast<std::size_t>(id)] = true;
            } else {
                ++uses[static_cast<std::size_t>(id)].touches;
            }
        }
        for (const plan::TensorId id : op.outputs) {
            if (is_once) continue;
            Use& use = uses[static_cast<std::size_t>(id)];
            use.last_writer = static_cast<int>(i);
            ++use.touches;
        }
    }
    for (std::size_t id = 0; id < uses.size(); ++id) {
        if (!is_taken[id] || plan.tensors[id].role != plan::TensorRole::kGradient) uses[id].last_writer = kNowhere;
    }
    return uses;
}

}  // namespace

PieceSums::PieceSums(const plan::Plan& plan, const Memory& memory) : sums_(plan.ops.size()) {
    const std::vector<Use> uses = usesOf(plan);
    std::int64_t bytes = 0;
    for (std::size_t id = 0; id < uses.size(); ++id) {
        if (uses[id].last_writer != kNowhere) bytes += plan::alignUp(plan::byteCount(plan.tensors[id]));
    }
    memory_ = tensor::TensorMemory(bytes);
    std::byte* at = memory_.data();
    for (std::size_t id = 0; id < uses.size(); ++id) {
        if (uses[id].last_writer == kNowhere) continue;
        const auto tensor = static_cast<plan::TensorId>(id);
        sums_[static_cast<std::size_t>(uses[id].last_writer)].push_back({.tensor = tensor,
                                                                         .gradient = memory.floats(tensor),
                                                                         .sum = reinterpret_cast<float*>(at),
                                                                         .count = memory.elements(tensor),
                                                                         .is_of_one_op = uses[id].touches == 1});
        at += plan::alignUp(plan::byteCount(plan.tensors[id]));
    }
    header_ = {memory.floats(plan.header), static_cast<std::size_t>(memory.elements(plan.header))};
    header_sum_.resize(header_.size());
}

void PieceSums::offerTo(BoundOp& bound, int op) {
    if (isEmpty()) return;
    for (Sum& sum : sums_[static_cast<std::size_t>(op)]) sum.is_left_to_op = sum.is_of_one_op && bound.addUpIn(sum.tensor, sum.sum);
}

std::vector<Stage> PieceSums::stagesBehind(int op, bool is_last) const {
    if (isEmpty()) return {};
    Stage stage;
    for (const Sum& sum : sums_[static_cast<std::size_t>(op)]) {
        if (sum.is_left_to_op && !is_last) continue;
        if (sum.is_left_to_op) stage.accesses.push_back({sum.sum, sum.count * kFloat, 0, false});
        stage.accesses.push_back({sum.gradient, sum.count * kFloat, 0, true});
    }
    if (stage.accesses.empty()) return {};
    return {stage};
}

void PieceSums::add(int op, std::int64_t piece, bool is_last, int thread, int threads) const {
    for (const Sum& sum : sums_[static_cast<std::size_t>(op)]) {
        const Range mine = shareLines(sum.count, thread, threads);
        float* gradient = sum.gradient;
        float* all = sum.sum;
        if (sum.is_left_to_op) {
            if (is_last) std::copy(all + mine.begin, all + mine.end, gradient + mine.begin);
        } else if (piece == 0) {
            if (!is_last) std::copy(gradient + mine.begin, gradient + mine.end, all + mine.begin);
        } else if (is_last) {
            for (std::int64_t i = mine.begin; i < mine.end; ++i) gradient[i] = all[i] + gradient[i];
        } else {
            for (std::int64_t i = mine.begin; i < mine.end; ++i) all[i] += gradient[i];
        }
    }
}

void PieceSums::addHeader(bool is_last) {
    std::transform(header_.begin(), header_.end(), header_sum_.begin(), header_sum_.begin(), std::plus<>());
    if (is_last) {
        std::copy(header_sum_.begin(), header_sum_.end(), header_.begin());
    } else {
        std::fill(header_.begin(), header_.end(), 0.0F);
    }
}

void PieceSums::clearHeader() {
    std::fill(header_sum_.begin(), header_sum_.end(), 0.0F);
}

}  // namespace engine::backend::cpu
