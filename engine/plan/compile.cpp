#include "engine/plan/compile.h"

#include <algorithm>

#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/plan/passes.h"
#include "engine/plan/strategy.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"

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

bool hasOtherTasks(const CompileTarget& target) {
    return target.replicas > static_cast<int>(target.devices.size());
}

// There one update of everything is cheaper than a launch for each weight.
bool isGpu(const CompileTarget& target) {
    return target.devices[static_cast<std::size_t>(target.device)].starts_with("GPU");
}

bool isCentral(const spec::RunSpec& run, const CompileTarget& target) {
    return run.strategy.name == "CentralStorageStrategy" && target.devices.size() > 1 && !hasOtherTasks(target);
}

// Of ReductionToOneDevice: the first device unless the project names one.
int reductionDevice(const spec::StrategySpec& strategy, const std::vector<std::string>& devices) {
    const std::string text = strategy.cross_device_ops.config.getString("reduce_to_device", "");
    if (text.empty()) return 0;
    const auto device = spec::parseDeviceName(text);
    const auto found = device ? std::find(devices.begin(), devices.end(), spec::toString(*device)) : devices.end();
    if (found == devices.end()) {
        throw Error(ErrorCode::kInvalidArgument,
                    "strategy.cross_device_ops.reduce_to_device: expected one of the strategy's devices, got " + text);
    }
    return static_cast<int>(found - devices.begin());
}

Plan distribute(Plan plan, const spec::RunSpec& run, const CompileTarget& target) {
    const auto devices = static_cast<int>(target.devices.size());
    if (isCentral(run, target)) return centralStorage(std::move(plan), target.device);
    if (hasOtherTasks(target) || run.strategy.name == "MultiWorkerMirroredStrategy") {
        return multiWorkerMirrored(std::move(plan), run.strategy.bytes_per_pack, devices);
    }
    return mirrored(std::move(plan), run.strategy.cross_device_ops, devices, reductionDevice(run.strategy, target.devices));
}

}  // namespace

Plan compile(const spec::RunSpec& run, const CompileTarget& target) {
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
    if (target.training) {
        if (target.replicas > 1) {
            plan = distribute(std::move(plan), run, target);
        } else if (target.fuse && target.fuse_updates_into_gradients && !isGpu(target)) {
            plan = fuseUpdatesIntoGradients(std::move(plan));
        }
        if (target.fuse) plan = fuseUpdates(std::move(plan));
    }
    const spec::TaskId* task = target.has_cluster ? &target.task : nullptr;
    const std::string device = deviceName(task, target.devices[static_cast<std::size_t>(target.device)]);
    // The parameter device of CentralStorageStrategy is the processor, which is CPU:0 whatever the replicas run on.
    plan = isCentral(run, target) && target.training ? placeCentrally(std::move(plan), device, deviceName(task, "CPU:0"))
                                                     : place(std::move(plan), device);
    checkAttributes(plan);
    return planMemory(std::move(plan));
}

}  // namespace engine::plan
