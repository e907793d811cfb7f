#include "engine/spec/task_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/spec/device_name.h"
#include "engine/spec/error.h"
#include "engine/spec/validate.h"

namespace engine::spec {
namespace {

std::vector<std::string> deviceNames(const StrategySpec& strategy) {
    std::vector<std::string> names;
    for (const DeviceName& device : devicesOf(strategy)) {
        names.push_back(toString(device));
    }
    return names;
}

TaskPlan planAt(const RunSpec& run, const std::vector<TaskId>& tasks, std::size_t rank) {
    const ClusterSpec& cluster = run.cluster.spec;
    TaskPlan plan;
    plan.task = tasks[rank];
    plan.address = cluster.address(plan.task).value_or("");
    plan.is_chief = cluster.isChief(plan.task);
    plan.rank = static_cast<int>(rank);
    plan.replicas = static_cast<int>(tasks.size());
    plan.devices = deviceNames(run.strategy);
    plan.global_batch_size = run.data.batch_size_per_replica * plan.replicas * static_cast<std::int64_t>(plan.devices.size());
    plan.tf_config = toTfConfigJson(cluster, plan.task);
    return plan;
}

TaskPlan planAlone(const RunSpec& run) {
    TaskPlan plan;
    plan.devices = deviceNames(run.strategy);
    plan.global_batch_size = run.data.batch_size_per_replica * static_cast<std::int64_t>(plan.devices.size());
    return plan;
}

}  // namespace

std::vector<TaskPlan> planTasks(const RunSpec& run) {
    for (const Diagnostic& diagnostic : validate(run)) {
        if (diagnostic.severity == Severity::kError) {
            throw Error(ErrorCode::kInvalidArgument, diagnostic.path + ": " + diagnostic.message);
        }
    }
    const std::vector<TaskId> tasks = run.cluster.spec.trainingTasks();
    if (tasks.empty()) {
        return {planAlone(run)};
    }
    std::vector<TaskPlan> plans;
    for (std::size_t rank = 0; rank < tasks.size(); ++rank) {
        plans.push_back(planAt(run, tasks, rank));
    }
    return plans;
}

TaskPlan planTask(const RunSpec& run, const TfConfig& config) {
    if (config.cluster.empty()) {
        return planAlone(run);
    }
    const std::vector<TaskId> tasks = config.cluster.trainingTasks();
    const auto found = config.task ? std::find(tasks.begin(), tasks.end(), *config.task) : tasks.end();
    if (found == tasks.end()) {
        throw Error(ErrorCode::kInvalidArgument, "TF_CONFIG: expected a chief or worker of its cluster as task, got " +
                                                     (config.task ? toString(*config.task) : std::string("none")));
    }
    RunSpec with_cluster = run;
    with_cluster.cluster.spec = config.cluster;
    return planAt(with_cluster, tasks, static_cast<std::size_t>(found - tasks.begin()));
}

void useLocalWorkers(RunSpec& run, const std::vector<int>& ports) {
    run.cluster.spec.jobs.clear();
    if (ports.size() < 2) {
        return;
    }
    run.strategy.name = "MultiWorkerMirroredStrategy";
    Job workers{"worker", {}};
    for (std::size_t i = 0; i < ports.size(); ++i) {
        workers.tasks[static_cast<int>(i)] = "localhost:" + std::to_string(ports[i]);
    }
    run.cluster.spec.jobs.push_back(std::move(workers));
}

std::int64_t stepsPerEpoch(const RunSpec& run, std::int64_t samples, int tasks) {
    const DataSpec& data = run.data;
    std::int64_t count = data.take > 0 ? std::min(data.take, samples) : samples;
    if (data.validation_split > 0) {
        count = static_cast<std::int64_t>(std::floor(static_cast<double>(count) * (1.0 - data.validation_split)));
    }
    // With OFF every task goes through all samples in batches of its own.
    const auto devices = static_cast<std::int64_t>(devicesOf(run.strategy).size());
    const std::int64_t per_step =
        data.batch_size_per_replica * devices * (data.auto_shard == AutoShardPolicy::kOff ? 1 : std::max(tasks, 1));
    if (per_step < 1 || count < 1) {
        return 0;
    }
    const std::int64_t whole = data.drop_remainder ? count / per_step : (count + per_step - 1) / per_step;
    return run.fit.steps_per_epoch > 0 ? run.fit.steps_per_epoch : whole;
}

}  // namespace engine::spec
