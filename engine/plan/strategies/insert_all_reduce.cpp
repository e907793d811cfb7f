#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

Op reduction(const Plan& plan, std::size_t index) {
    Op op{.kind = OpKind::kAllReduce,
          .phase = Phase::kBackward,
          .name = "bucket" + std::to_string(index) + "/AllReduce",
          .bucket = static_cast<int>(index)};
    if (index == 0 && plan.header != kNoTensor) op.inputs.push_back(plan.header);
    const Bucket& bucket = plan.buckets[index];
    op.inputs.insert(op.inputs.end(), bucket.gradients.begin(), bucket.gradients.end());
    op.outputs = op.inputs;
    return op;
}

// Each replica clips its own share of the gradients before they are summed, as Keras' optimizers do. Two kinds stay behind the sum: scaled
// gradients, of which nobody knows before whether they are finite, and accumulated ones, whose accumulators are the same on all replicas so
// that one of them can be saved (Keras has no accumulation under a strategy).
void clipBeforeReduction(Plan& plan) {
    const auto find = [&plan](OpKind kind) { return std::ranges::find(plan.ops, kind, &Op::kind); };
    const auto clips = find(OpKind::kPrepareGradients);
    if (clips == plan.ops.end() || !clips->outputs.empty() || find(OpKind::kUnscaleGradients) != plan.ops.end()) return;
    clips->phase = Phase::kBackward;
    const auto index = static_cast<int>(clips - plan.ops.begin());
    const BucketIndex buckets(plan);
    for (const TensorId id : clips->inputs) {
        const int bucket = buckets.of(id);
        if (bucket < 0) continue;
        int& ready_after_op = plan.buckets[static_cast<std::size_t>(bucket)].ready_after_op;
        ready_after_op = std::max(ready_after_op, index);
    }
}

}  // namespace

Plan insertAllReduce(Plan plan) {
    ENGINE_CHECK(!plan.buckets.empty());
    clipBeforeReduction(plan);
    const BucketIndex buckets(plan);
    std::vector<std::vector<std::size_t>> ready_after(plan.ops.size());  // buckets in their order
    for (std::size_t b = 0; b < plan.buckets.size(); ++b) {
        ENGINE_CHECK(plan.buckets[b].ready_after_op >= 0);
        ready_after[static_cast<std::size_t>(plan.buckets[b].ready_after_op)].push_back(b);
    }
    std::vector<Op> ops;
    std::vector<Op> updates, constraints;
    std::size_t reduced = 0;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        Op& op = plan.ops[i];
        ENGINE_CHECK(!op.fused_update);
        if (op.kind == OpKind::kUpdate || op.kind == OpKind::kMovingAverage) {
            op.bucket = buckets.of(op.inputs[1]);
            updates.push_back(std::move(op));
            continue;
        }
        if (op.kind == OpKind::kConstrain) {
            constraints.push_back(std::move(op));
            continue;
        }
        ops.push_back(std::move(op));
        const int moved_to = static_cast<int>(ops.size()) - 1;
        for (const std::size_t b : ready_after[i]) {
            ops.push_back(reduction(plan, b));
            ops.back().phase = ops[static_cast<std::size_t>(moved_to)].phase;
            plan.buckets[b].ready_after_op = moved_to;
            ++reduced;
        }
    }
    ENGINE_CHECK(reduced == plan.buckets.size());
    std::stable_sort(updates.begin(), updates.end(), [](const Op& a, const Op& b) { return a.bucket < b.bucket; });
    std::move(updates.begin(), updates.end(), std::back_inserter(ops));
    std::move(constraints.begin(), constraints.end(), std::back_inserter(ops));
    plan.ops = std::move(ops);
    return plan;
}

}  // namespace engine::plan
