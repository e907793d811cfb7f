#include <algorithm>
#include <array>
#include <cmath>

#include "engine/spec/cluster_check.h"
#include "engine/spec/field_check.h"
#include "engine/spec/names.h"
#include "engine/spec/validate_parts.h"

namespace engine::spec {
namespace {

struct StrategyRow {
    std::string_view name;
    bool runs;
    bool clustered;  // uses the cluster's workers
};
constexpr std::array<StrategyRow, 7> kStrategies{{{"DefaultStrategy", true, false},
                                                  {"OneDeviceStrategy", true, false},
                                                  {"MirroredStrategy", true, false},
                                                  {"MultiWorkerMirroredStrategy", true, true},
                                                  {"CentralStorageStrategy", false, false},
                                                  {"ParameterServerStrategy", false, true},
                                                  {"TPUStrategy", false, true}}};

const StrategyRow* findStrategy(std::string_view name) {
    const auto found = std::find_if(kStrategies.begin(), kStrategies.end(), [&](const StrategyRow& row) { return row.name == name; });
    return found == kStrategies.end() ? nullptr : &*found;
}

std::string strategyNames(bool only_running) {
    std::vector<std::string> names;
    for (const StrategyRow& row : kStrategies) {
        if (row.runs || !only_running) {
            names.emplace_back(row.name);
        }
    }
    return oneOf(names);
}

}  // namespace

void validateStrategy(const RunSpec& run, Diagnostics& diagnostics) {
    const StrategySpec& strategy = run.strategy;
    const StrategyRow* row = findStrategy(strategy.name);
    if (row == nullptr) {
        diagnostics.push_back({Severity::kError, "strategy.name", "expected " + strategyNames(false) + ", got " + strategy.name, ""});
    } else if (!row->runs) {
        diagnostics.push_back({Severity::kError, "strategy.name",
                               "expected " + strategyNames(true) + ", got " + strategy.name + ", which this version can't train with", ""});
    }
    const std::array<std::string, 3> communications{"AUTO", "RING", "NCCL"};
    if (std::find(communications.begin(), communications.end(), strategy.communication) == communications.end()) {
        diagnostics.push_back(
            {Severity::kError, "strategy.communication", "expected " + oneOf(communications) + ", got " + strategy.communication, ""});
    } else if (strategy.communication == "NCCL") {
        diagnostics.push_back(
            {Severity::kError, "strategy.communication", "expected AUTO or RING on CPUs, got NCCL, which needs GPUs", "Set it to AUTO."});
    }
    if (strategy.bytes_per_pack < 0) {
        diagnostics.push_back(
            {Severity::kError, "strategy.bytes_per_pack", "expected at least 0, got " + std::to_string(strategy.bytes_per_pack), ""});
    }
}

void validateCluster(const RunSpec& run, Diagnostics& diagnostics) {
    const ClusterSettings& cluster = run.cluster;
    const bool parameter_server = run.strategy.name == "ParameterServerStrategy";
    checkCluster(cluster.spec, parameter_server ? TfConfigUse::kParameterServer : TfConfigUse::kMultiWorker, diagnostics);
    const StrategyRow* row = findStrategy(run.strategy.name);
    if (!cluster.spec.empty() && row != nullptr && !row->clustered) {
        diagnostics.push_back({Severity::kError, "strategy.name",
                               "expected MultiWorkerMirroredStrategy with a cluster, got " + run.strategy.name,
                               "Change the strategy or remove the cluster's jobs."});
    }
    if (!cluster.spec.empty() && cluster.spec.trainingTasks().empty()) {
        diagnostics.push_back(
            {Severity::kError, "cluster", "expected at least one chief or worker, got none", "Add a worker with its address."});
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
}

}  // namespace engine::spec
