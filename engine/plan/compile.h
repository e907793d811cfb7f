// From a project to the plan that a task runs: lowering and every pass in order.
#pragma once

#include <cstdint>

#include "engine/plan/plan.h"
#include "engine/spec/cluster_spec.h"
#include "engine/spec/run_spec.h"

namespace engine::plan {

struct CompileTarget {
    std::int64_t batch = 64;  // of this replica
    int replicas = 1;         // above 1 gradients are reduced
    bool training = true;
    bool fuse = true;
    // Update inside the weight gradient; only where nothing is reduced.
    bool fuse_updates_into_gradients = true;
    spec::TaskId task{};       // for device names
    bool has_cluster = false;  // device names say "localhost" without one, as TensorFlow's do
};

// lower, fuse, bucketGradients, insertAllReduce, fuseUpdates, place, planMemory. Errors as lower().
Plan compile(const spec::RunSpec& run, const CompileTarget& target);

}  // namespace engine::plan
