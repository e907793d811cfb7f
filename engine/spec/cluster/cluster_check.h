// The rules of a cluster whatever task reads it: job names, how many chiefs and evaluators, addresses.
#pragma once

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

// Reports in the order of the jobs, with paths below "cluster" ("cluster.worker[1]"). `use` is not kAuto. An empty cluster has no faults.
void checkCluster(const ClusterSpec& cluster, TfConfigUse use, Diagnostics& diagnostics);

// One address alone; nullopt when nothing is wrong. `port_zero_is_fine`: the only task of a cluster may let the system choose.
std::optional<Diagnostic> checkAddress(const std::string& address, const std::string& path, bool port_zero_is_fine);

std::string useText(TfConfigUse use);  // "MultiWorkerMirroredStrategy"

}  // namespace engine::spec
