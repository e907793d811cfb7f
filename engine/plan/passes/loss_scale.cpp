#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

TensorId addNumber(Plan& plan, std::string_view name, float initial) {
    const std::string text(name);
    plan.tensors.push_back({.name = text,
                            .role = TensorRole::kSlot,
                            .shape = {1},
                            .slot_name = text.substr(text.rfind(':') + 1),
                            .initial = initial,
                            .layer = "optimizer"});
    return static_cast<TensorId>(plan.tensors.size() - 1);
}

}  // namespace

Plan withLossScale(Plan plan, const LossScaleAttributes& scaling) {
    ENGINE_CHECK(plan.training);
    const TensorId scale = addNumber(plan, spec::kDynamicScale, static_cast<float>(scaling.initial_scale));
    const TensorId counter = addNumber(plan, spec::kStepCounter, 0), left_out = addNumber(plan, spec::kStepsLeftOut, 0);
    Op unscale{.kind = OpKind::kUnscaleGradients, .phase = Phase::kUpdate, .name = "gradients/UnscaleGradients", .attributes = scaling};
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        const auto id = static_cast<TensorId>(i);
        if (isTrainedGradient(plan, id)) unscale.inputs.push_back(id);
    }
    // The gradients go in memory order: the last parameter first.
    std::sort(unscale.inputs.begin(), unscale.inputs.end(), [&plan](TensorId a, TensorId b) {
        return plan.tensors[static_cast<std::size_t>(a)].of > plan.tensors[static_cast<std::size_t>(b)].of;
    });
    unscale.outputs = {scale, counter, left_out};  // gradients are not among them: an op that makes one comes before its reduction
    unscale.inputs.insert(unscale.inputs.end(), unscale.outputs.begin(), unscale.outputs.end());

    std::vector<Op> ops;
    bool is_unscaled = false;
    for (Op& op : plan.ops) {
        if (!is_unscaled && optimizerOf(op) != nullptr) {
            std::get<LossScaleAttributes>(unscale.attributes).optimizer = *optimizerOf(op);
            ops.push_back(unscale);
            is_unscaled = true;
        }
        if (op.kind == OpKind::kPenaltyBack) op.inputs.push_back(scale);
        ops.push_back(std::move(op));
        const Op& last = ops.back();
        if (!rowOf(last.kind).makes_loss_gradient) continue;
        const TensorId gradient = last.outputs.front();
        ops.push_back({.kind = OpKind::kScaleGradient,
                       .phase = Phase::kForward,
                       .name = "loss/ScaleGradient",
                       .layer = "loss",
                       .inputs = {gradient, scale},
                       .outputs = {gradient}});
    }
    plan.ops = std::move(ops);
    return plan;
}

}  // namespace engine::plan
