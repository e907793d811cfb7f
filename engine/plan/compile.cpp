#include "engine/plan/compile.h"

#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"
#include "engine/plan/strategies/parameter_server.h"
#include "engine/plan/strategies/strategy.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::plan {
namespace {

// The weights by class, up to the last one that has a weight of its own.
std::vector<float> classWeights(const spec::FitSpec& fit) {
    std::vector<float> weights;
    for (const auto& [label, weight] : fit.class_weight) {
        const auto index = static_cast<std::size_t>(label);
        if (weights.size() <= index) weights.resize(index + 1, 1.0F);
        weights[index] = static_cast<float>(weight);
    }
    return weights;
}

bool hasOtherTasks(const CompileTarget& target) {
    return target.replicas > static_cast<int>(target.devices.size());
}

// There one update of everything is cheaper than a launch for each weight.
bool isGpu(const CompileTarget& target) {
    return target.devices[static_cast<std::size_t>(target.device)].starts_with("GPU");
}

// Tasks that sum with each other do so as MultiWorkerMirroredStrategy does, whatever the project names.
const Strategy& chooseStrategy(const spec::RunSpec& run, const CompileTarget& target) {
    if (target.servers > 0) return parameterServer();
    if (hasOtherTasks(target)) return multiWorkerMirrored();
    return strategyOf(spec::strategyKind(run.strategy.name).value_or(spec::StrategyKind::kMirrored));
}

// What comes before a strategy.
Plan lowerAndFuse(const spec::RunSpec& run, const CompileTarget& target) {
    Plan plan =
        lower(run.model, run.compile,
              {.batch = target.batch, .replicas = target.replicas, .training = target.training, .class_weights = classWeights(run.fit)});
    if (target.training && target.custom_loss) plan = withCustomLoss(std::move(plan));
    plan = withMixedPrecision(std::move(plan), run.model);
    const std::optional<spec::LossScaleSpec>& scale = run.compile.loss_scale;
    if (target.training && (scale || plan.dtype_policy == spec::kMixedFloat16Policy)) {
        const spec::LossScaleSpec scaling = scale.value_or(spec::LossScaleSpec());
        plan = withLossScale(std::move(plan), {.initial_scale = scaling.initial_scale, .growth_steps = scaling.dynamic_growth_steps});
    }
    if (target.fuse) plan = fuseLayers(std::move(plan));
    return plan;
}

}  // namespace

Plan compile(const spec::RunSpec& run, const CompileTarget& target) {
    Plan plan = lowerAndFuse(run, target);
    const spec::TaskId* task = target.has_cluster ? &target.task : nullptr;
    const StrategyTarget replica{
        .settings = run.strategy, .devices = target.devices, .device = target.device, .task = task, .servers = target.servers};
    const bool is_distributed = target.replicas > 1 || target.servers > 0;
    const Strategy* strategy = target.training && is_distributed ? &chooseStrategy(run, target) : nullptr;
    if (target.training) {
        if (strategy != nullptr) {
            plan = strategy->distribute(std::move(plan), replica);
        } else if (target.fuse && target.fuse_updates_into_gradients && !isGpu(target)) {
            plan = fuseUpdatesIntoGradients(std::move(plan));
        }
        if (target.fuse) plan = fuseUpdates(std::move(plan));
    }
    plan = strategy != nullptr ? strategy->place(std::move(plan), replica)
                               : place(std::move(plan), deviceName(task, target.devices[static_cast<std::size_t>(target.device)]));
    checkAttributes(plan);
    return planMemory(std::move(plan));
}

Plan compileWhole(const spec::RunSpec& run, const CompileTarget& target) {
    ENGINE_CHECK(target.training && target.servers > 0);
    return planMemory(withBuckets(lowerAndFuse(run, target), run.strategy));
}

}  // namespace engine::plan
