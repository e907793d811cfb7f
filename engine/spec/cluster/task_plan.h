// run + cluster -> one task each: what the agent starts and what the worker works from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

struct TaskPlan {
    TaskId task;
    std::string address;                        // "localhost:12345"; empty for a run of one task without a cluster
    bool is_chief = true;                       // writes checkpoints, commits epochs
    int rank = 0;                               // among trainingTasks()
    int replicas = 1;                           // tasks whose gradients are summed in each step
    int servers = 0;                            // ps tasks that hold the variables: then nothing is summed
    int coordinated_workers = 0;                // that a chief coordinates (coordinates()); 0 where every task trains
    std::vector<std::string> devices{"CPU:0"};  // of this task, one a replica of the model
    std::int64_t global_batch_size = 64;
    std::string tf_config;  // text for the environment; empty without a cluster
};

// One entry a training task, in rank order, and behind them one for each ps task where the strategy has some, and for each evaluator.
// Requires validate(run) without errors; throws Error(kInvalidArgument) otherwise.
std::vector<TaskPlan> planTasks(const RunSpec& run);
// The entry of one task, for a worker that read its TF_CONFIG. Throws Error(kInvalidArgument) when the task is not among them.
TaskPlan planTask(const RunSpec& run, const TfConfig& config);

// Makes `run` a MultiWorkerMirroredStrategy run over n tasks on localhost at `ports`; batch per replica stays. n = 1 empties the cluster.
void useLocalWorkers(RunSpec& run, const std::vector<int>& ports);
// Makes `run` a ParameterServerStrategy run over tasks on localhost, each at a port of its own; batch per worker stays.
void useLocalServers(RunSpec& run, const std::vector<int>& server_ports, const std::vector<int>& worker_ports);

// Which part of the samples is the task's, of `replicas`. Workers with parameter servers go through all of them, each in an order of its
// own.
inline int shareOf(const TaskPlan& plan) {
    return plan.replicas > 1 ? plan.rank : 0;
}

// The seed by which the task shuffles: workers with parameter servers have one each.
inline std::int64_t orderSeed(const RunSpec& run, const TaskPlan& plan) {
    return run.fit.seed + (plan.servers > 0 ? plan.rank : 0);
}

// The task holds variables and trains nothing.
inline bool isServer(const TaskPlan& plan) {
    return plan.task.type == "ps";
}

// The task evaluates the checkpoints that the chief writes, alone and on its own time.
inline bool isEvaluator(const TaskPlan& plan) {
    return plan.task.type == kEvaluator;
}

// The task is TensorFlow 2's coordinator, the chief of workers with parameter servers: it gives the variables their values, evaluates,
// saves and ends the run, and trains nothing. The chief of an estimator trains like a worker, as TensorFlow 1's does.
inline bool coordinates(const TaskPlan& plan) {
    return plan.coordinated_workers > 0 && plan.is_chief;
}

// The task that does, in the run's own cluster; nothing where every task trains.
std::optional<TaskId> coordinatorOf(const RunSpec& run);

// The tasks of the run's cluster that listen at their addresses: those that train, and the servers where the strategy has some.
std::vector<TaskId> linkedTasks(const RunSpec& run);
// True when the two tasks send each other anything: with servers every trainer and every server do, else all.
bool areLinked(const RunSpec& run, const TaskId& one, const TaskId& other);

// Neither server nor evaluator: a coordinator counts as one.
inline bool isTrainer(const TaskPlan& plan) {
    return !isServer(plan) && !isEvaluator(plan);
}

struct SetSize {
    std::int64_t samples = 0;
    std::vector<std::int64_t> files;  // samples of each, of a set that is read file by file; else empty
    friend bool operator==(const SetSize&, const SetSize&) = default;
};

// Steps an epoch takes with a training set over `tasks` training tasks: what the task with the most batches has; 0 = no whole batch, or
// fewer files than tasks that would share them.
std::int64_t stepsPerEpoch(const RunSpec& run, const SetSize& set, int tasks);
std::int64_t stepsPerEpoch(const RunSpec& run, std::int64_t samples, int tasks);

}  // namespace engine::spec
