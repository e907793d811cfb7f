#include "engine/spec/cluster/task_plan.h"

#include <algorithm>

#include "engine/spec/error.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

std::vector<std::string> deviceNames(const StrategySpec& strategy) {
    std::vector<std::string> names;
    for (const DeviceName& device : devicesOf(strategy)) {
        names.push_back(toString(device));
    }
    return names;
}

bool hasServers(const RunSpec& run) {
    const StrategyRow* row = findStrategy(run.strategy.name);
    return row != nullptr && row->has_servers;
}

// The tasks in the order of planTasks().
std::vector<TaskId> tasksOf(const RunSpec& run) {
    const ClusterSpec& cluster = run.cluster.spec;
    std::vector<TaskId> tasks = linkedTasks(run);
    if (const Job* evaluators = cluster.findJob(kEvaluator)) {
        for (const auto& [index, address] : evaluators->tasks) {
            tasks.push_back({std::string(kEvaluator), index});
        }
    }
    return tasks;
}

// What the plans of one cluster share: with a thousand tasks none of it may be made anew for each.
class Planner {
public:
    explicit Planner(const RunSpec& run)
        : run_(run),
          trainers_(static_cast<int>(run.cluster.spec.trainingTasks().size())),
          servers_(hasServers(run) ? run.cluster.spec.taskCount("ps") : 0),
          coordinated_(servers_ > 0 && coordinatorOf(run) ? run.cluster.spec.taskCount("worker") : 0),
          devices_(deviceNames(run.strategy)) {
        const std::string text = toTfConfigJson(run.cluster.spec, {});
        shared_text_ = text.substr(0, text.size() - taskText({}).size());
    }

    TaskPlan planAt(const TaskId& task, std::size_t rank) const {
        const ClusterSpec& cluster = run_.cluster.spec;
        TaskPlan plan;
        plan.task = task;
        plan.address = cluster.address(plan.task).value_or("");
        plan.is_chief = cluster.isChief(plan.task);
        plan.rank = static_cast<int>(rank);
        const bool evaluates = isEvaluator(plan);  // alone, with weights from files
        plan.servers = evaluates ? 0 : servers_;
        plan.coordinated_workers = evaluates ? 0 : coordinated_;
        plan.replicas = plan.servers > 0 || evaluates ? 1 : trainers_;
        plan.devices = devices_;
        plan.global_batch_size = run_.data.batch_size_per_replica * plan.replicas * static_cast<std::int64_t>(plan.devices.size());
        plan.tf_config = shared_text_ + taskText(task);
        return plan;
    }

private:
    // The end of a TF_CONFIG, behind its cluster.
    static std::string taskText(const TaskId& task) {
        static const std::string before = "{\"cluster\": {}";
        return toTfConfigJson({}, task).substr(before.size());
    }

    const RunSpec& run_;
    const int trainers_, servers_, coordinated_;
    const std::vector<std::string> devices_;
    std::string shared_text_;
};

TaskPlan planAlone(const RunSpec& run) {
    TaskPlan plan;
    plan.devices = deviceNames(run.strategy);
    plan.global_batch_size = run.data.batch_size_per_replica * static_cast<std::int64_t>(plan.devices.size());
    return plan;
}

// Batches that a pass over `samples` makes, `per_batch` each.
std::int64_t batchesOf(const RunSpec& run, std::int64_t samples, std::int64_t per_batch) {
    const DataSpec& data = run.data;
    const OrderMeaning meaning = meaningOf(data, passesOf(run));
    const bool cuts_batches = data.take > 0 && meaning.take_counts_batches;
    if (data.take > 0 && !meaning.take_is_first && !cuts_batches) {
        samples = std::min(samples, data.take);
    }
    const std::int64_t batches = data.drop_remainder ? samples / per_batch : (samples + per_batch - 1) / per_batch;
    return cuts_batches ? std::min(batches, data.take) : batches;
}

Job localJob(const std::string& name, const std::vector<int>& ports) {
    Job job{name, {}};
    for (std::size_t i = 0; i < ports.size(); ++i) {
        job.tasks[static_cast<int>(i)] = "localhost:" + std::to_string(ports[i]);
    }
    return job;
}

// Training samples of each task when every tasks-th file is its own; the files' last samples may be held back. Empty with too few files.
std::vector<std::int64_t> fileShares(const std::vector<std::int64_t>& files, std::int64_t trained, int tasks) {
    if (files.size() < static_cast<std::size_t>(tasks)) {
        return {};
    }
    std::vector<std::int64_t> shares(static_cast<std::size_t>(tasks), 0);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::int64_t used = std::clamp<std::int64_t>(trained, 0, files[i]);
        shares[i % shares.size()] += used;
        trained -= used;
    }
    return shares;
}

}  // namespace

std::vector<TaskPlan> planTasks(const RunSpec& run) {
    for (const Diagnostic& diagnostic : validate(run)) {
        if (diagnostic.severity == Severity::kError) {
            throw Error(ErrorCode::kInvalidArgument, diagnostic.path + ": " + diagnostic.message);
        }
    }
    const std::vector<TaskId> tasks = tasksOf(run);
    if (tasks.empty()) {
        return {planAlone(run)};
    }
    const Planner planner(run);
    std::vector<TaskPlan> plans;
    plans.reserve(tasks.size());
    for (std::size_t rank = 0; rank < tasks.size(); ++rank) {
        plans.push_back(planner.planAt(tasks[rank], rank));
    }
    return plans;
}

std::vector<TaskId> linkedTasks(const RunSpec& run) {
    std::vector<TaskId> tasks = run.cluster.spec.trainingTasks();
    if (hasServers(run)) {
        for (const TaskId& server : run.cluster.spec.serverTasks()) tasks.push_back(server);
    }
    return tasks;
}

bool areLinked(const RunSpec& run, const TaskId& one, const TaskId& other) {
    return one != other && (!hasServers(run) || (one.type == "ps") != (other.type == "ps"));
}

std::optional<TaskId> coordinatorOf(const RunSpec& run) {
    const TaskId chief{"chief", 0};
    const bool coordinates = hasServers(run) && !run.estimator && run.cluster.spec.address(chief) && run.cluster.spec.taskCount("ps") > 0;
    return coordinates ? std::optional(chief) : std::nullopt;
}

TaskPlan planTask(const RunSpec& run, const TfConfig& config) {
    if (config.cluster.empty()) {
        return planAlone(run);
    }
    RunSpec with_cluster = run;
    with_cluster.cluster.spec = config.cluster;
    const std::vector<TaskId> tasks = tasksOf(with_cluster);
    const auto found = config.task ? std::find(tasks.begin(), tasks.end(), *config.task) : tasks.end();
    if (found == tasks.end() && config.task && config.task->type == kEvaluator) {
        return Planner(with_cluster).planAt(*config.task, tasks.size());  // nobody connects to it: its cluster need not list it
    }
    if (found == tasks.end()) {
        const std::string expected = hasServers(run) ? "a chief, worker, ps or evaluator" : "a chief, worker or evaluator";
        throw Error(ErrorCode::kInvalidArgument, "TF_CONFIG: expected " + expected + " of its cluster as task, got " +
                                                     (config.task ? toString(*config.task) : std::string("none")));
    }
    return Planner(with_cluster).planAt(*found, static_cast<std::size_t>(found - tasks.begin()));
}

void useLocalWorkers(RunSpec& run, const std::vector<int>& ports) {
    run.cluster.spec.jobs.clear();
    if (ports.size() < 2) {
        return;
    }
    run.strategy.name = strategyName(StrategyKind::kMultiWorkerMirrored);
    run.cluster.spec.jobs.push_back(localJob("worker", ports));
}

void useLocalServers(RunSpec& run, const std::vector<int>& server_ports, const std::vector<int>& worker_ports) {
    run.strategy.name = strategyName(StrategyKind::kParameterServer);
    run.cluster.spec.jobs = {localJob("ps", server_ports), localJob("worker", worker_ports)};
}

std::int64_t stepsPerEpoch(const RunSpec& run, const SetSize& set, int tasks) {
    const DataSpec& data = run.data;
    const auto each = data.batch_size_per_replica * static_cast<std::int64_t>(devicesOf(run.strategy).size());
    if (each < 1) {
        return 0;
    }
    const std::int64_t trained = trainedSamples(data, set.samples);
    const bool is_mixed = data.split_seed >= 0;  // over the files' borders
    const bool may_share_files = !is_mixed && (data.auto_shard == AutoShardPolicy::kFile || data.auto_shard == AutoShardPolicy::kAuto);
    std::int64_t steps = 0;
    if (may_share_files && tasks > 1 && !set.files.empty()) {
        for (const std::int64_t share : fileShares(set.files, trained, tasks)) {
            steps = std::max(steps, batchesOf(run, share, each));
        }
    } else {  // with OFF every task goes through all samples in batches of its own
        steps = batchesOf(run, trained, each * (data.auto_shard == AutoShardPolicy::kOff ? 1 : std::max(tasks, 1)));
    }
    return trained > 0 && run.fit.steps_per_epoch > 0 ? run.fit.steps_per_epoch : steps;
}

std::int64_t stepsPerEpoch(const RunSpec& run, std::int64_t samples, int tasks) {
    return stepsPerEpoch(run, SetSize{samples, {}}, tasks);
}

}  // namespace engine::spec
