#include "engine/backend/flat_update.h"

#include <algorithm>
#include <cmath>

#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::backend {
namespace {

struct Group {
    plan::TensorId parameter, gradient;
    std::vector<plan::TensorId> slots;
};

std::vector<Group> groupsOf(const plan::Plan& plan, const plan::Op& op) {
    std::vector<Group> groups;
    if (op.apply_update) {
        for (plan::TensorId id : op.outputs) {
            const plan::TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
            if (tensor.role == plan::TensorRole::kGradient) groups.push_back({tensor.of, id, plan::slotsOf(plan, tensor.of)});
        }
        return groups;
    }
    const std::size_t width = 2 + plan::slotNames(plan::updateRule(op.optimizer.optimizer)).size();
    ENGINE_CHECK(op.inputs.size() % width == 0);
    for (auto it = op.inputs.begin(); it != op.inputs.end(); it += static_cast<std::ptrdiff_t>(width)) {
        groups.push_back({it[0], it[1], {it + 2, it + static_cast<std::ptrdiff_t>(width)}});
    }
    return groups;
}

bool continues(const FlatRun& run, const FlatRun& next) {
    const std::int64_t distance =
        plan::alignUp(run.count * static_cast<std::int64_t>(sizeof(float))) / static_cast<std::int64_t>(sizeof(float));
    if (next.parameter != run.parameter + distance || next.gradient != run.gradient + distance) return false;
    for (std::size_t i = 0; i < run.slots.size(); ++i) {
        if (next.slots[i] != run.slots[i] + distance) return false;
    }
    return true;
}

}  // namespace

std::vector<FlatRun> flatRuns(const plan::Plan& plan, const plan::Op& op, const std::function<float*(plan::TensorId)>& address) {
    std::vector<FlatRun> runs;
    for (const Group& group : groupsOf(plan, op)) {
        FlatRun next{.parameter = address(group.parameter),
                     .gradient = address(group.gradient),
                     .slots = {},
                     .count = plan::elementCount(plan.tensors[static_cast<std::size_t>(group.parameter)])};
        for (plan::TensorId slot : group.slots) next.slots.push_back(address(slot));
        if (!runs.empty() && continues(runs.back(), next)) {
            runs.back().count = next.parameter - runs.back().parameter + next.count;
        } else {
            runs.push_back(std::move(next));
        }
    }
    return runs;
}

void updateRange(const plan::UpdateRule& rule, float step_size, const FlatRun& run, std::int64_t begin, std::int64_t end) {
    float* w = run.parameter;
    const float* g = run.gradient;
    switch (rule.kind) {
        case plan::UpdateKind::kSgd:
            for (std::int64_t i = begin; i < end; ++i) w[i] -= step_size * g[i];
            return;
        case plan::UpdateKind::kMomentum:
        case plan::UpdateKind::kNesterov:
            for (std::int64_t i = begin; i < end; ++i) {
                float& m = run.slots[0][i];
                m = rule.momentum * m - step_size * g[i];
                w[i] += rule.kind == plan::UpdateKind::kNesterov ? rule.momentum * m - step_size * g[i] : m;
            }
            return;
        case plan::UpdateKind::kAdam:
        case plan::UpdateKind::kAmsgrad:
            for (std::int64_t i = begin; i < end; ++i) {
                float& m = run.slots[0][i];
                float& v = run.slots[1][i];
                m += (g[i] - m) * (1 - rule.beta_1);
                v += (g[i] * g[i] - v) * (1 - rule.beta_2);
                float second = v;
                if (rule.kind == plan::UpdateKind::kAmsgrad) {
                    float& largest = run.slots[2][i];
                    largest = std::max(largest, v);
                    second = largest;
                }
                w[i] -= m * step_size / (std::sqrt(second) + rule.epsilon);
            }
            return;
    }
}

}  // namespace engine::backend
