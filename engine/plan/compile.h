// Compiles a project to the plan that a task runs: lowering and every pass in order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace engine::plan {

struct CompileTarget {
    std::int64_t batch = 64;  // of this replica
    int replicas = 1;         // in all, tasks times devices; above 1 gradients are reduced
    bool training = true;
    bool custom_loss = false;  // of a training plan: the program brings its loss, the project's is not looked at
    bool fuse = true;
    // Update inside the weight gradient; only where nothing is reduced, and not on a GPU.
    bool fuse_updates_into_gradients = true;
    std::vector<std::string> devices{"CPU:0"};  // of this task, one a replica. More replicas than devices: the plan is that of
                                                // MultiWorkerMirroredStrategy. Else of several devices it is MirroredStrategy's, or that of
                                                // the strategy which the project names
    int device = 0;                             // whose plan this is, an index of `devices`
    int servers = 0;                            // ps tasks: of ParameterServerStrategy, which `replicas` does not count
    spec::TaskId task{};                        // for device names
    bool has_cluster = false;                   // device names say "localhost" without one, as TensorFlow's do
};

// lower, withMixedPrecision, fuse, the strategy's rewriting, fuseUpdates, place, planMemory. Errors as lower().
Plan compile(const spec::RunSpec& run, const CompileTarget& target);

// Compiles, with target.servers, the step that worker and servers share, before it is cut in two: it has every update and slot, and its
// gradients lie where the worker's plan has them. Errors as compile().
Plan compileWhole(const spec::RunSpec& run, const CompileTarget& target);

}  // namespace engine::plan
