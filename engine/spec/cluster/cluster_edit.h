// Changes of a project's cluster, each of which leaves it whole: indices without gaps, ports of their own, a strategy that goes with its
// jobs. What the studio does by mouse and the command line by options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// Clusters that one begins with, all on this computer. `ports` are used in order; without enough of them counting goes on from the last.
enum class ClusterTemplate {
    kOneTask,                // no TF_CONFIG
    kWorkers,                // n workers, MultiWorkerMirroredStrategy
    kParameterServer,        // 1 ps + 3 workers, ParameterServerStrategy
    kChiefWorkersEvaluator,  // chief + 2 workers + evaluator, MultiWorkerMirroredStrategy
};
int taskCount(ClusterTemplate cluster, int workers);  // `workers` is read by kWorkers alone
void useTemplate(RunSpec& run, ClusterTemplate cluster, int workers, const std::vector<int>& ports);

// The jobs that a cluster may have, in the order of menus.
std::span<const std::string_view> jobNames();
// Why no further task of that job can be added; empty when one can.
std::string addObstacle(const ClusterSpec& cluster, std::string_view job);
// Appends a task on `host`. A project without a cluster first gets the worker that it was. Requires an empty addObstacle.
TaskId addTask(RunSpec& run, const std::string& job, const std::string& host, const std::vector<int>& ports);
// The tasks behind it move up by one. A single worker that is left is a project without a cluster.
void removeTask(RunSpec& run, const TaskId& task);
// Keeps the port where nobody on that host has it.
void moveTask(RunSpec& run, const TaskId& task, const std::string& host, const std::vector<int>& ports);
// Takes the address as typed; validate() checks it.
void setAddress(RunSpec& run, const TaskId& task, const std::string& address);
// Takes a cluster over as it is, with a strategy that goes with it.
void useCluster(RunSpec& run, const ClusterSpec& cluster);

// `name` passes checkHostName. Nothing happens when the cluster has it.
void addHost(RunSpec& run, const std::string& name);
// Its tasks go to this computer.
void removeHost(RunSpec& run, const std::string& name, const std::vector<int>& ports);
void renameHost(RunSpec& run, const std::string& name, const std::string& new_name);

// The strategy with the cluster that it needs: two workers for MultiWorkerMirroredStrategy, which loses a ps; no cluster for those of one
// process. Requires an empty obstacle of strategyOptions().
void chooseStrategy(RunSpec& run, const std::string& name, const std::vector<int>& ports);

// A port that no task of the host has: of `ports`, else one above the largest.
int unusedPort(const ClusterSpec& cluster, const std::string& host, const std::vector<int>& ports);

}  // namespace engine::spec
