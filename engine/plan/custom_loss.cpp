#include <algorithm>
#include <utility>

#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"

namespace engine::plan {

Plan withCustomLoss(Plan plan) {
    ENGINE_CHECK(plan.training && plan.header != kNoTensor);
    for (Op& op : plan.ops) {
        if (op.kind == OpKind::kGather) std::erase(op.outputs, plan.label);
        if (op.kind != OpKind::kSoftmaxCrossEntropy && op.kind != OpKind::kLoss) continue;
        op = {.kind = OpKind::kCustomLoss,
              .phase = Phase::kForward,
              .name = "loss/CustomLoss",
              .layer = "loss",
              .inputs = {op.inputs.front()},
              .outputs = op.outputs};
    }
    plan.label = kNoTensor;
    return plan;
}

}  // namespace engine::plan
