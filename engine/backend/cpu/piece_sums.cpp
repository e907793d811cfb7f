#include "engine/backend/cpu/piece_sums.h"

#include <algorithm>
#include <functional>

#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"

namespace engine::backend::cpu {
namespace {

constexpr int kNowhere = -1;

// The last op of a piece that writes each tensor; kNowhere where no op of the whole step takes it.
std::vector<int> lastWriters(const plan::Plan& plan) {
    std::vector<int> writers(plan.tensors.size(), kNowhere);
    std::vector<bool> is_taken(plan.tensors.size());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const plan::Op& op = plan.ops[i];
        const bool is_once = plan::runsOncePerStep(op);
        for (const plan::TensorId id : is_once ? op.inputs : op.outputs) {
            if (is_once) {
                is_taken[static_cast<std::size_t>(id)] = true;
            } else {
                writers[static_cast<std::size_t>(id)] = static_cast<int>(i);
            }
        }
    }
    for (std::size_t id = 0; id < writers.size(); ++id) {
        if (!is_taken[id] || plan.tensors[id].role != plan::TensorRole::kGradient) writers[id] = kNowhere;
    }
    return writers;
}

}  // namespace

PieceSums::PieceSums(const plan::Plan& plan, const Memory& memory) : sums_(plan.ops.size()) {
    const std::vector<int> writers = lastWriters(plan);
    std::int64_t bytes = 0;
    for (std::size_t id = 0; id < writers.size(); ++id) {
        if (writers[id] != kNowhere) bytes += plan::alignUp(plan::byteCount(plan.tensors[id]));
    }
    memory_ = tensor::TensorMemory(bytes);
    std::byte* at = memory_.data();
    for (std::size_t id = 0; id < writers.size(); ++id) {
        if (writers[id] == kNowhere) continue;
        const auto tensor = static_cast<plan::TensorId>(id);
        sums_[static_cast<std::size_t>(writers[id])].push_back(
            {.gradient = memory.floats(tensor), .sum = reinterpret_cast<float*>(at), .count = memory.elements(tensor)});
        at += plan::alignUp(plan::byteCount(plan.tensors[id]));
    }
    header_ = {memory.floats(plan.header), static_cast<std::size_t>(memory.elements(plan.header))};
    header_sum_.resize(header_.size());
}

std::vector<Stage> PieceSums::stagesBehind(int op) const {
    if (isEmpty() || sums_[static_cast<std::size_t>(op)].empty()) return {};
    Stage stage;
    for (const Sum& sum : sums_[static_cast<std::size_t>(op)]) {
        stage.accesses.push_back({sum.gradient, sum.count * static_cast<std::int64_t>(sizeof(float)), 0, true});
    }
    return {stage};
}

void PieceSums::add(int op, std::int64_t piece, bool is_last, int thread, int threads) const {
    if (piece == 0 && is_last) return;
    for (const Sum& sum : sums_[static_cast<std::size_t>(op)]) {
        const Range mine = shareLines(sum.count, thread, threads);
        float* gradient = sum.gradient;
        float* all = sum.sum;
        if (piece == 0) {
            std::copy(gradient + mine.begin, gradient + mine.end, all + mine.begin);
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
