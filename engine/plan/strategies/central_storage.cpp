#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/passes/passes.h"
#include "engine/plan/strategies/strategy.h"

namespace engine::plan {
namespace {

using spec::ReduceRoute;

// Sums that the replicas go on with, synchronized statistics, must come back to all of them.
bool isReadWithinTheStep(const Plan& plan, int bucket) {
    const std::vector<TensorId>& sums = plan.buckets[static_cast<std::size_t>(bucket)].gradients;
    return std::any_of(plan.ops.begin(), plan.ops.end(), [&sums](const Op& op) {
        const bool is_later = op.kind == OpKind::kAllReduce || op.phase == Phase::kUpdate;
        // What makes a gradient may also add to it, and what clips it in place is no update: that comes before its reduction.
        if (op.kind == OpKind::kPrepareGradients) return false;
        return !is_later && std::any_of(op.inputs.begin(), op.inputs.end(), [&](TensorId id) {
            const bool makes_it = std::find(op.outputs.begin(), op.outputs.end(), id) != op.outputs.end();
            return !makes_it && std::find(sums.begin(), sums.end(), id) != sums.end();
        });
    });
}

bool isUpdate(const Op& op) {
    return op.phase == Phase::kUpdate || op.fused_update.has_value();
}

bool staysWithVariables(const Op& op) {
    const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes);
    return op.kind == OpKind::kAllReduce && route != nullptr && route->way == spec::ReduceRoute::Way::kKeep;
}

// A plan without updates holds copies of the variables alone: they have no device.
Plan placeAround(Plan plan, const std::string& device, const std::string& variables_device) {
    const bool holds_variables = std::any_of(plan.ops.begin(), plan.ops.end(), isUpdate);
    for (TensorDesc& tensor : plan.tensors) {
        if (isVariable(tensor)) tensor.device = holds_variables ? variables_device : "";
    }
    for (Op& op : plan.ops) op.device = isUpdate(op) || staysWithVariables(op) ? variables_device : device;
    return plan;
}

class CentralStorage final : public Strategy {
public:
    Plan distribute(Plan plan, const StrategyTarget& target) const override {
        plan = insertAllReduce(packGradients(std::move(plan), 0));
        for (Op& op : plan.ops) {
            if (op.kind != OpKind::kAllReduce) continue;
            op.name = "bucket" + std::to_string(op.bucket) + "/Reduce";
            const bool comes_back = isReadWithinTheStep(plan, op.bucket);
            op.attributes = ReduceRoute{.way = comes_back ? ReduceRoute::Way::kOneDevice : ReduceRoute::Way::kKeep, .main = 0};
        }
        if (target.device != 0) {
            std::erase_if(plan.ops, [](const Op& op) { return op.phase == Phase::kUpdate; });
            plan = withoutSlots(std::move(plan));
        }
        Op read{.kind = OpKind::kReadVariables, .phase = Phase::kForward, .name = "variables/Read", .attributes = ReduceRoute{.main = 0}};
        read.outputs = parametersOf(plan);
        const std::vector<TensorId> states = statesOf(plan);
        read.outputs.insert(read.outputs.end(), states.begin(), states.end());
        plan.ops.insert(plan.ops.begin(), std::move(read));
        for (Bucket& bucket : plan.buckets) ++bucket.ready_after_op;
        return plan;
    }

    // The variables' device is the processor, which is CPU:0 whatever the replicas run on.
    Plan place(Plan plan, const StrategyTarget& target) const override {
        return placeAround(std::move(plan), deviceName(target.task, target.devices[static_cast<std::size_t>(target.device)]),
                           deviceName(target.task, "CPU:0"));
    }
};

}  // namespace

const Strategy& centralStorage() {
    static const CentralStorage strategy;
    return strategy;
}

}  // namespace engine::plan
