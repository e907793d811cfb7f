#include <algorithm>
#include <cmath>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/cluster/cluster_check.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

// True when the run saves nothing before its end: the last weights are kept in any case.
bool savesNothing(const RunSpec& run) {
    if (run.estimator) {
        return !run.estimator->run_config.saves_checkpoints;
    }
    return std::none_of(run.callbacks.begin(), run.callbacks.end(),
                        [](const ObjectSpec& callback) { return callback.class_name == "ModelCheckpoint"; });
}

}  // namespace

void validateCluster(const RunSpec& run, Diagnostics& diagnostics) {
    const ClusterSettings& cluster = run.cluster;
    checkCluster(cluster.spec, tfConfigUse(run.strategy.name), diagnostics);
    const StrategyRow* row = findStrategy(run.strategy.name);
    if (!cluster.spec.empty() && row != nullptr && !row->is_clustered) {
        // Here as in TensorFlow, such a strategy does not look at TF_CONFIG: one worker has nobody to wait for.
        const bool is_one = cluster.spec.trainingTasks().size() == 1;
        diagnostics.push_back({is_one ? Severity::kWarning : Severity::kError, "strategy.name",
                               "expected MultiWorkerMirroredStrategy with a cluster, got " + run.strategy.name +
                                   (is_one ? ": its one worker trains without the cluster" : ""),
                               "Change the strategy or remove the cluster's jobs."});
    }
    if (cluster.spec.empty() && row != nullptr && row->has_servers) {
        diagnostics.push_back({Severity::kError, "cluster",
                               "expected at least one ps and one worker for " + run.strategy.name + ", got none",
                               "Add a ps and a worker with their addresses."});
    }
    if (!cluster.spec.empty() && cluster.spec.trainingTasks().empty()) {
        diagnostics.push_back(
            {Severity::kError, "cluster", "expected at least one chief or worker, got none", "Add a worker with its address."});
    }
    if (const Job* evaluators = cluster.spec.findJob("evaluator"); evaluators != nullptr && savesNothing(run)) {
        for (const auto& [index, address] : evaluators->tasks) {
            diagnostics.push_back({Severity::kWarning, pathOf(TaskId{"evaluator", index}),
                                   "expected checkpoints to evaluate while the run trains, got none before its end",
                                   run.estimator ? "Set estimator.run_config.save_checkpoints_steps, or remove the evaluator."
                                                 : "Add the callback ModelCheckpoint, or remove the evaluator."});
        }
    }
    if (!(cluster.start_timeout_s > 0) || !std::isfinite(cluster.start_timeout_s)) {
        diagnostics.push_back(
            {Severity::kError, "cluster.start_timeout_s", "expected seconds above 0, got " + valueText(cluster.start_timeout_s), ""});
    }
    constexpr std::int64_t kMostThreads = 1024;
    if (cluster.threads_per_task < 0 || cluster.threads_per_task > kMostThreads) {
        diagnostics.push_back({Severity::kError, "cluster.threads_per_task",
                               "expected at least 0 and at most 1024, got " + std::to_string(cluster.threads_per_task), ""});
    }
    if (!(cluster.heartbeat_fatal_s >= kLeastSilence && cluster.heartbeat_fatal_s <= kMostSilence)) {
        diagnostics.push_back({Severity::kError, "cluster.heartbeat_fatal_s",
                               "expected 3 to 86400 seconds, got " + valueText(cluster.heartbeat_fatal_s), ""});
    }
    if (cluster.home_lost_s != 0 && !(cluster.home_lost_s >= kLeastHomeLost && cluster.home_lost_s <= kMostHomeLost)) {
        diagnostics.push_back({Severity::kError, "cluster.home_lost_s",
                               "expected 0 for never, or 5 to 2592000 seconds, got " + valueText(cluster.home_lost_s), ""});
    }
    if (cluster.on_task_lost == OnTaskLost::kContinue && row != nullptr && row->kind != StrategyKind::kMultiWorkerMirrored) {
        diagnostics.push_back({Severity::kError, "cluster.on_task_lost",
                               "expected restart or fail with " + run.strategy.name +
                                   (row->has_servers ? ", whose other tasks go on by themselves while a lost one is started again"
                                                     : ", whose one task leaves nobody to go on") +
                                   ", got continue",
                               "Choose restart, or MultiWorkerMirroredStrategy."});
    }
    if (cluster.max_restarts < 0 || cluster.max_restarts > kMostRestarts) {
        diagnostics.push_back(
            {Severity::kError, "cluster.max_restarts",
             "expected at least 0 and at most " + std::to_string(kMostRestarts) + ", got " + std::to_string(cluster.max_restarts), ""});
    }
}

}  // namespace engine::spec
