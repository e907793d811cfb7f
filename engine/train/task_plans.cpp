#include "engine/train/task_plans.h"

#include <algorithm>
#include <variant>

#include "engine/plan/compile.h"

namespace engine::train {
namespace {

plan::CompileTarget targetOf(const spec::TaskPlan& task, std::size_t device, std::int64_t batch) {
    plan::CompileTarget target;
    target.batch = batch;
    target.devices = task.devices;
    target.device = static_cast<int>(device);
    target.servers = task.servers;
    target.task = task.task;
    target.has_cluster = !task.tf_config.empty();
    return target;
}

int replicasOf(const spec::TaskPlan& task) {
    return task.replicas * static_cast<int>(task.devices.size());
}

}  // namespace

plan::Plan trainingPlan(const spec::RunSpec& run, const spec::TaskPlan& task, std::size_t device, std::int64_t batch) {
    plan::CompileTarget target = targetOf(task, device, batch);
    target.replicas = replicasOf(task);
    return plan::compile(run, target);
}

parameter_server::ParameterPlans parameterPlans(const spec::RunSpec& run, const spec::TaskPlan& task) {
    return parameter_server::parameterPlans(run, targetOf(task, 0, run.data.batch_size_per_replica));
}

plan::Plan forwardPlan(const spec::RunSpec& run, const spec::TaskPlan& task, std::size_t device, std::int64_t batch) {
    plan::CompileTarget target = targetOf(task, device, batch);
    target.training = false;
    target.replicas = replicasOf(task);  // a loss that is a sum is told as that of all of them
    return plan::compile(run, target);
}

data::LabelNeed labelNeed(const plan::Plan& plan) {
    const plan::TensorDesc& label = plan.tensors[static_cast<std::size_t>(plan.label)];
    // In mixed precision other ops come before it.
    const auto reader = std::find_if(plan.ops.begin(), plan.ops.end(),
                                     [](const plan::Op& op) { return std::holds_alternative<plan::GatherAttributes>(op.attributes); });
    const auto* gather = reader == plan.ops.end() ? nullptr : std::get_if<plan::GatherAttributes>(&reader->attributes);
    // An ignored class may lie outside of the others: each batch is checked then. Of the circle loss every class may.
    const bool classes = label.dtype == tensor::DType::kInt32 && (gather == nullptr || (!gather->ignored_class && !gather->any_class));
    const auto loss = std::find_if(plan.ops.begin(), plan.ops.end(),
                                   [](const plan::Op& op) { return std::holds_alternative<plan::LossAttributes>(op.attributes); });
    const plan::LossKind kind =
        loss == plan.ops.end() ? plan::LossKind::kMeanSquaredError : std::get<plan::LossAttributes>(loss->attributes).kind;
    return {.classes = classes ? plan.tensors[static_cast<std::size_t>(plan.output)].shape.back() : 0,
            .shape = {label.shape.begin() + 1, label.shape.end()},
            .from_0_to_1 = kind == plan::LossKind::kBinaryCrossentropy || kind == plan::LossKind::kBinaryFocalCrossentropy,
            .sequences = gather != nullptr && gather->sequences};
}

}  // namespace engine::train
