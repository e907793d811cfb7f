#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/op_table.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/passes/passes.h"

namespace engine::plan {
namespace {

const TensorDesc& updatedTensor(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

// The updates of all gradients that `op` makes, as op indices; empty when one of them may not move into it.
std::vector<int> updatesToAbsorb(const Plan& plan, const PlanIndex& index, int op_index) {
    const Op& op = plan.ops[static_cast<std::size_t>(op_index)];
    std::vector<int> updates;
    for (TensorId gradient : op.outputs) {
        if (updatedTensor(plan, gradient).role != TensorRole::kGradient) continue;
        const std::vector<int>& readers = index.consumers(gradient);
        if (readers.size() != 1 || plan.ops[static_cast<std::size_t>(readers.front())].kind != OpKind::kUpdate) return {};
        const int update = readers.front();
        if (spec::takesWholeVariables(updateRule(*optimizerOf(plan.ops[static_cast<std::size_t>(update)])).kind)) return {};
        const std::vector<int>& parameter_readers = index.consumers(updatedTensor(plan, gradient).of);
        const bool read_later = std::any_of(parameter_readers.begin(), parameter_readers.end(),
                                            [&](int reader) { return reader > op_index && reader != update; });
        if (read_later) return {};
        updates.push_back(update);
    }
    return updates;
}

}  // namespace

Plan fuseUpdatesIntoGradients(Plan plan) {
    if (!plan.buckets.empty()) return plan;
    const PlanIndex index(plan);
    std::vector<bool> removed(plan.ops.size(), false);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (!rowOf(plan.ops[i].kind).absorbs_update) continue;
        const std::vector<int> updates = updatesToAbsorb(plan, index, static_cast<int>(i));
        if (updates.empty()) continue;
        plan.ops[i].fused_update = std::get<OptimizerAttributes>(plan.ops[static_cast<std::size_t>(updates.front())].attributes);
        for (int update : updates) removed[static_cast<std::size_t>(update)] = true;
    }
    std::vector<Op> ops;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (!removed[i]) ops.push_back(std::move(plan.ops[i]));
    }
    plan.ops = std::move(ops);
    return plan;
}

Plan fuseUpdates(Plan plan) {
    std::map<int, std::vector<Op>> by_bucket;  // -1: no bucket
    std::vector<Op> ops, constraints;
    for (Op& op : plan.ops) {
        if (op.kind == OpKind::kUpdate) {
            by_bucket[op.bucket].push_back(std::move(op));
        } else if (op.kind == OpKind::kConstrain) {
            constraints.push_back(std::move(op));
        } else {
            ops.push_back(std::move(op));
        }
    }
    for (auto& [bucket, updates] : by_bucket) {
        // Memory order is the last parameter first.
        std::sort(updates.begin(), updates.end(), [](const Op& a, const Op& b) { return a.inputs.front() > b.inputs.front(); });
        Op fused{.kind = OpKind::kFusedUpdate,
                 .phase = Phase::kUpdate,
                 .name = bucket < 0 ? "update" : "update/bucket" + std::to_string(bucket),
                 .attributes = updates.front().attributes,
                 .bucket = bucket};
        for (const Op& update : updates) {
            fused.inputs.insert(fused.inputs.end(), update.inputs.begin(), update.inputs.end());
            fused.outputs.insert(fused.outputs.end(), update.outputs.begin(), update.outputs.end());
        }
        ops.push_back(std::move(fused));
    }
    std::move(constraints.begin(), constraints.end(), std::back_inserter(ops));
    plan.ops = std::move(ops);
    return plan;
}

}  // namespace engine::plan
