#include <string>

#include "engine/plan/passes.h"

namespace engine::plan {

std::string cpuDeviceName(const spec::TaskId* task) {
    const std::string job = task == nullptr ? "localhost" : task->type;
    const int index = task == nullptr ? 0 : task->index;
    return "/job:" + job + "/replica:0/task:" + std::to_string(index) + "/device:CPU:0";
}

Plan place(Plan plan, const std::string& device) {
    for (TensorDesc& tensor : plan.tensors) {
        const bool is_variable =
            tensor.role == TensorRole::kParameter || tensor.role == TensorRole::kState || tensor.role == TensorRole::kSlot;
        if (is_variable) tensor.device = device;
    }
    for (Op& op : plan.ops) op.device = device;
    return plan;
}

std::string placementLog(const Plan& plan) {
    std::string text;
    for (const TensorDesc& tensor : plan.tensors) {
        if (!tensor.device.empty()) text += tensor.name + ": (Variable): " + tensor.device + "\n";
    }
    for (const Op& op : plan.ops) text += op.name + ": (" + std::string(toString(op.kind)) + "): " + op.device + "\n";
    return text;
}

}  // namespace engine::plan
