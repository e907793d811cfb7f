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
        if (run.slots[i] != nullptr && next.slots[i] != run.slots[i] + distance) return false;
    }
    return true;
}

float signOf(float x) {
    return static_cast<float>((x > 0) - (x < 0));
}

// n^-p; the default power is a root.
float poweredAccumulator(float n, float power) {
    return power == -0.5F ? std::sqrt(n) : std::pow(n, -power);
}

void rmsprop(const plan::UpdateRule& rule, float rate, const FlatRun& run) {
    float* v = run.slots[0];
    float* momentum = rule.momentum > 0 ? run.slots[1] : nullptr;
    float* mean = rule.centered ? run.slots[rule.momentum > 0 ? 2 : 1] : nullptr;
    for (std::int64_t i = 0; i < run.count; ++i) {
        const float g = run.gradient[i];
        v[i] = rule.rho * v[i] + (1 - rule.rho) * g * g;
        float denominator = v[i] + rule.epsilon;
        if (mean != nullptr) {
            mean[i] = rule.rho * mean[i] + (1 - rule.rho) * g;
            denominator = v[i] - mean[i] * mean[i] + rule.epsilon;
        }
        float step = rate * g / std::sqrt(denominator);
        if (momentum != nullptr) step = momentum[i] = rule.momentum * momentum[i] + step;
        run.parameter[i] -= step;
    }
}

void ftrl(const plan::UpdateRule& rule, float rate, const FlatRun& run) {
    float* accumulator = run.slots[0];
    float* linear = run.slots[1];
    const float ridge = 2 * rule.l2 + rule.beta / rate;
    for (std::int64_t i = 0; i < run.count; ++i) {
        float& w = run.parameter[i];
        const float g = run.gradient[i], shrunk = g + 2 * rule.shrinkage * w;
        const float after = accumulator[i] + g * g;
        const float powered = poweredAccumulator(after, rule.power);
        linear[i] += shrunk - (powered - poweredAccumulator(accumulator[i], rule.power)) / rate * w;
        const float divisor = powered / rate + ridge;  // 0 in the padding between tensors
        w = divisor == 0 ? 0 : (std::clamp(linear[i], -rule.l1, rule.l1) - linear[i]) / divisor;
        accumulator[i] = after;
    }
}

void adadelta(const plan::UpdateRule& rule, float rate, const FlatRun& run) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        const float g = run.gradient[i];
        float& squares = run.slots[0][i];
        float& deltas = run.slots[1][i];
        squares = rule.rho * squares + (1 - rule.rho) * g * g;
        const float delta = -std::sqrt(deltas + rule.epsilon) * g / std::sqrt(squares + rule.epsilon);
        deltas = rule.rho * deltas + (1 - rule.rho) * delta * delta;
        run.parameter[i] += rate * delta;
    }
}

void adamLike(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    float* w = run.parameter;
    for (std::int64_t i = 0; i < run.count; ++i) {
        const float g = run.gradient[i];
        float& m = run.slots[0][i];
        float& v = run.slots[1][i];
        m += (g - m) * (1 - rule.beta_1);
        if (rule.kind == plan::UpdateKind::kAdamax) {
            v = std::max(rule.beta_2 * v, std::abs(g));
            w[i] -= factors.step_size * m / (v + rule.epsilon);
            continue;
        }
        v += (g * g - v) * (1 - rule.beta_2);
        if (rule.kind == plan::UpdateKind::kNadam) {
            w[i] -= factors.step_size * (factors.moment * m + factors.gradient * g) / (std::sqrt(v * factors.variance) + rule.epsilon);
            continue;
        }
        float second = v;
        if (rule.kind == plan::UpdateKind::kAmsgrad) second = run.slots[2][i] = std::max(run.slots[2][i], v);
        w[i] -= m * factors.step_size / (std::sqrt(second) + rule.epsilon);
    }
}

void momentum(const plan::UpdateRule& rule, float rate, const FlatRun& run) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        float& m = run.slots[0][i];
        m = rule.momentum * m - rate * run.gradient[i];
        run.parameter[i] += rule.kind == plan::UpdateKind::kNesterov ? rule.momentum * m - rate * run.gradient[i] : m;
    }
}

}  // namespace

std::vector<FlatRun> flatRuns(const plan::Plan& plan, const plan::Op& op, const std::function<float*(plan::TensorId)>& address) {
    std::vector<FlatRun> runs;
    for (const Group& group : groupsOf(plan, op)) {
        FlatRun next{.parameter = address(group.parameter),
                     .gradient = address(group.gradient),
                     .slots = {},
                     .count = plan::elementCount(plan.tensors[static_cast<std::size_t>(group.parameter)])};
        ENGINE_CHECK(group.slots.size() <= next.slots.size());
        std::transform(group.slots.begin(), group.slots.end(), next.slots.begin(), address);
        if (!runs.empty() && continues(runs.back(), next)) {
            runs.back().count = next.parameter - runs.back().parameter + next.count;
        } else {
            runs.push_back(next);
        }
    }
    return runs;
}

void updateWeights(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    if (!factors.applies) return;
    float* w = run.parameter;
    const float* g = run.gradient;
    const float rate = factors.step_size;
    if (factors.decay != 1) {
        for (std::int64_t i = 0; i < run.count; ++i) w[i] *= factors.decay;
    }
    switch (rule.kind) {
        case plan::UpdateKind::kSgd:
            for (std::int64_t i = 0; i < run.count; ++i) w[i] -= rate * g[i];
            return;
        case plan::UpdateKind::kMomentum:
        case plan::UpdateKind::kNesterov:
            return momentum(rule, rate, run);
        case plan::UpdateKind::kAdam:
        case plan::UpdateKind::kAmsgrad:
        case plan::UpdateKind::kAdamax:
        case plan::UpdateKind::kNadam:
            return adamLike(rule, factors, run);
        case plan::UpdateKind::kRmsprop:
            return rmsprop(rule, rate, run);
        case plan::UpdateKind::kAdagrad:
            for (std::int64_t i = 0; i < run.count; ++i) {
                run.slots[0][i] += g[i] * g[i];
                w[i] -= rate * g[i] / std::sqrt(run.slots[0][i] + rule.epsilon);
            }
            return;
        case plan::UpdateKind::kAdadelta:
            return adadelta(rule, rate, run);
        case plan::UpdateKind::kFtrl:
            return ftrl(rule, rate, run);
        case plan::UpdateKind::kLion:
            for (std::int64_t i = 0; i < run.count; ++i) {
                float& m = run.slots[0][i];
                w[i] -= rate * signOf(rule.beta_1 * m + (1 - rule.beta_1) * g[i]);
                m = rule.beta_2 * m + (1 - rule.beta_2) * g[i];
            }
            return;
    }
}

void updateAverage(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    if (!rule.keeps_average) return;
    float* average = run.slots[rule.average_slot];
    for (std::int64_t i = 0; i < run.count; ++i) {
        average[i] = factors.average_momentum * average[i] + (1 - factors.average_momentum) * run.parameter[i];
        if (factors.overwrites) run.parameter[i] = average[i];
    }
}

void updateRun(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    updateWeights(rule, factors, run);
    updateAverage(rule, factors, run);
}

}  // namespace engine::backend
