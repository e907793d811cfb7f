#include "engine/plan/compile.h"

#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes.h"
#include "engine/plan/strategy.h"

namespace engine::plan {
namespace {

// By class, up to the last one that has a weight of its own.
std::vector<float> classWeights(const spec::FitSpec& fit) {
    std::vector<float> weights;
    for (const auto& [label, weight] : fit.class_weight) {
        const auto index = static_cast<std::size_t>(label);
        if (weights.size() <= index) weights.resize(index + 1, 1.0F);
        weights[index] = static_cast<float>(weight);
    }
    return weights;
}

}  // namespace

Plan compile(const spec::RunSpec& run, const CompileTarget& target) {
    Plan plan =
        lower(run.model, run.compile,
              {.batch = target.batch, .replicas = target.replicas, .training = target.training, .class_weights = classWeights(run.fit)});
    if (target.fuse) plan = fuseLayers(std::move(plan));
    if (target.training) {
        if (target.replicas > 1) {
            plan = insertAllReduce(bucketGradients(std::move(plan), run.strategy.bytes_per_pack));
        } else if (target.fuse && target.fuse_updates_into_gradients) {
            plan = fuseUpdatesIntoGradients(std::move(plan));
        }
        if (target.fuse) plan = fuseUpdates(std::move(plan));
    }
    plan = place(std::move(plan), cpuDeviceName(target.has_cluster ? &target.task : nullptr));
    return planMemory(std::move(plan));
}

}  // namespace engine::plan
