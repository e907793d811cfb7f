#include <string>

#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"

namespace engine::plan {

std::string deviceName(const spec::TaskId* task, const std::string& device) {
    const std::string job = task == nullptr ? "localhost" : task->type;
    const int index = task == nullptr ? 0 : task->index;
    return "/job:" + job + "/replica:0/task:" + std::to_string(index) + "/device:" + device;
}

Plan place(Plan plan, const std::string& device) {
    for (TensorDesc& tensor : plan.tensors) {
        if (isVariable(tensor)) tensor.device = device;
    }
    for (Op& op : plan.ops) op.device = device;
    return plan;
}

std::vector<Placed> placements(const Plan& plan, int replica) {
    const std::string number = "replica_" + std::to_string(replica);
    std::vector<Placed> placed;
    for (const TensorDesc& tensor : plan.tensors) {
        if (!tensor.device.empty()) placed.push_back({tensor.name + (replica == 0 ? "" : "/" + number), "Variable", tensor.device});
    }
    for (const Op& op : plan.ops) {
        placed.push_back({(replica == 0 ? "" : number + "/") + op.name, std::string(toString(op.kind)), op.device});
    }
    return placed;
}

std::string toString(const Placed& placed) {
    return placed.name + ": (" + placed.kind + "): " + placed.device;
}

std::string placementLog(const Plan& plan, int replica) {
    std::string text;
    for (const Placed& one : placements(plan, replica)) text += toString(one) + "\n";
    return text;
}

}  // namespace engine::plan
