// A cluster that some of its tasks have left for good. Pure functions.
#pragma once

#include <vector>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

struct SmallerCluster {
    struct Kept {
        TaskId before;  // in the larger one
        TaskId now;
        friend bool operator==(const Kept&, const Kept&) = default;
    };
    ClusterSpec cluster;     // with the same addresses, the tasks of each job numbered from 0, and no job without tasks
    std::vector<Kept> kept;  // in rank order: the chief, the workers by index, then the others
};

// What is left of `cluster` without the tasks of `lost`. Those that train keep their order. When the chief is lost, the next that trains
// takes its place under its name, so that the chief of a run has the same name in all attempts.
SmallerCluster withoutTasks(const ClusterSpec& cluster, const std::vector<TaskId>& lost);

}  // namespace engine::spec
