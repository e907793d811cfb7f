#include "engine/train/task_plans.h"

#include "engine/plan/compile.h"

namespace engine::train {
namespace {

plan::CompileTarget targetOf(const spec::TaskPlan& task, std::size_t device, std::int64_t batch) {
    plan::CompileTarget target;
    target.batch = batch;
    target.devices = task.devices;
    target.device = static_cast<int>(device);
    target.task = task.task;
    target.has_cluster = !task.tf_config.empty();
    return target;
}

}  // namespace

plan::Plan trainingPlan(const spec::RunSpec& run, const spec::TaskPlan& task, std::size_t device, std::int64_t batch) {
    plan::CompileTarget target = targetOf(task, device, batch);
    target.replicas = task.replicas * static_cast<int>(task.devices.size());
    return plan::compile(run, target);
}

plan::Plan forwardPlan(const spec::RunSpec& run, const spec::TaskPlan& task, std::size_t device, std::int64_t batch) {
    plan::CompileTarget target = targetOf(task, device, batch);
    target.training = false;
    return plan::compile(run, target);
}

}  // namespace engine::train
