#include "engine/lab/lab_project.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/device_name.h"

namespace engine::lab {
namespace {

using Kind = ReplicaCause::Kind;
using spec::StrategyKind;

constexpr int kNominalPort = 20001;

std::vector<int> nominalPorts(int first, int count) {
    std::vector<int> ports(static_cast<std::size_t>(count));
    std::iota(ports.begin(), ports.end(), kNominalPort + first);
    return ports;
}

void setCluster(spec::RunSpec& run, const LabRow& row) {
    run.cluster.spec = {};
    run.cluster.hosts.clear();
    if (row.servers > 0) {
        spec::useLocalServers(run, nominalPorts(0, row.servers), nominalPorts(row.servers, row.workers));
    } else if (row.workers > 1) {
        spec::useLocalWorkers(run, nominalPorts(0, row.workers));
    }
}

void setDevices(spec::StrategySpec& strategy, int devices, bool on_gpus) {
    strategy.devices.clear();
    for (int i = 0; i < devices; ++i) {
        strategy.devices.push_back((on_gpus ? "GPU:" : "CPU:") + std::to_string(i));
    }
    strategy.logical_cpus = on_gpus || devices == 1 ? 0 : devices;
    strategy.logical_gpus = on_gpus && devices > 1 ? devices : 0;
}

void setData(spec::DataSpec& data, const LabRow& row, std::int64_t global_batch) {
    data.batch_size_per_replica = global_batch / replicasOf(row);
    data.drop_remainder = true;
    data.auto_shard = spec::AutoShardPolicy::kData;
    data.seed_per_worker = false;
    data.log_shards = 0;
    data.validate_on_test = false;
}

void setFit(spec::RunSpec& run, const LabRow& row, std::int64_t steps) {
    spec::FitSpec& fit = run.fit;
    fit.epochs = 1;
    fit.initial_epoch = 0;
    fit.steps = row.servers > 0 ? steps : 0;
    fit.steps_per_epoch = row.servers > 0 ? 0 : steps;
    fit.validation_epochs.clear();
    fit.validation_freq = 2;  // of one epoch: never
    fit.histogram_freq = 0;
    fit.save_weights.clear();
    std::erase_if(run.callbacks, [](const spec::ObjectSpec& callback) { return callback.class_name != "LearningRateScheduler"; });
}

bool takesStatistics(const spec::LayerSpec& layer) {
    return layer.class_name == "BatchNormalization" && spec::isTrainable(layer) && !layer.config.getBool("synchronized", false);
}

// Images become even by how often each value is there in their whole batch.
bool countsLevels(const spec::LayerSpec& layer) {
    if (layer.class_name == "RandAugment") return spec::settingsOf(layer).getInt("num_ops") > 0;
    if (layer.class_name == "AugMix") return spec::settingsOf(layer).getInt("chain_depth") > 0;
    return layer.class_name == "Equalization";
}

// The layer of which it holds, or of one inside it; nullptr where there is none.
const spec::LayerSpec* findLayer(const spec::ModelSpec& model, bool (*holds)(const spec::LayerSpec& layer)) {
    const auto found = std::find_if(model.layers.begin(), model.layers.end(), [&](const spec::LayerSpec& layer) {
        const std::vector<spec::LayerSpec> owning = spec::owningLayers(layer);
        return std::any_of(owning.begin(), owning.end(), holds);
    });
    return found == model.layers.end() ? nullptr : &*found;
}

ReplicaCause causeIn(const spec::RunSpec& project) {
    if (const spec::LayerSpec* layer = findLayer(project.model, takesStatistics)) {
        return {Kind::kStatistics, layer->name};
    }
    if (const spec::LayerSpec* layer = findLayer(project.model, countsLevels)) {
        return {Kind::kLevels, layer->name};
    }
    for (const char* field : {"clipnorm", "global_clipnorm", "clipvalue"}) {
        const spec::FieldValue* value = project.compile.optimizer.config.find(field);
        if (value != nullptr && !std::holds_alternative<std::monostate>(*value)) {
            return {Kind::kClipping, field};
        }
    }
    const std::string reduction = project.compile.loss.config.getString("reduction", "");
    if (reduction == "sum" || reduction == "mean_with_sample_weight") {
        return {Kind::kReduction, reduction};
    }
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(project.model);
    if (!infos.empty() && infos.back().output_mask) {
        return {Kind::kMask, project.model.layers.back().name};
    }
    return {};
}

}  // namespace

double toleranceOf(const spec::RunSpec& project) {
    const auto isHalf = [](const std::string& policy) { return policy.find("float16") != std::string::npos; };  // bfloat16, too
    const std::vector<spec::LayerSpec>& layers = project.model.layers;
    const bool any = isHalf(project.model.dtype_policy) || std::any_of(layers.begin(), layers.end(), [&](const spec::LayerSpec& layer) {
                         const spec::FieldValue* own = layer.config.find("dtype");
                         return own != nullptr && std::holds_alternative<std::string>(*own) && isHalf(std::get<std::string>(*own));
                     });
    return any ? kHalfTolerance : kFloat32Tolerance;
}

std::int64_t globalBatchOf(const spec::RunSpec& project) {
    const spec::StrategyRow* strategy = spec::findStrategy(project.strategy.name);
    const std::size_t tasks =
        strategy != nullptr && strategy->has_servers ? 1 : std::max<std::size_t>(1, project.cluster.spec.trainingTasks().size());
    const std::size_t replicas = tasks * std::max<std::size_t>(1, spec::devicesOf(project.strategy).size());
    return project.data.batch_size_per_replica * static_cast<std::int64_t>(replicas);
}

std::int64_t labBatch(const spec::RunSpec& project, const std::vector<LabRow>& rows) {
    std::int64_t parts = 1;
    for (const LabRow& row : rows) {
        parts = std::lcm(parts, static_cast<std::int64_t>(replicasOf(row)));
    }
    const std::int64_t times = (globalBatchOf(project) + parts / 2) / parts;
    return parts * std::max<std::int64_t>(1, times);
}

spec::RunSpec labProject(const spec::RunSpec& project, const LabRow& row, const LabSettings& settings) {
    spec::RunSpec run = project;
    run.name = "Lab: " + labelOf(row) + (project.name.empty() ? "" : ", " + project.name);
    run.strategy.name = spec::strategyName(row.kind);
    run.strategy.cross_device_ops = {row.cross_device_ops.empty() ? "NcclAllReduce" : std::string(row.cross_device_ops), {}};
    run.strategy.communication = "AUTO";
    run.strategy.log_device_placement = false;
    setCluster(run, row);
    setDevices(run.strategy, row.devices, settings.on_gpus);
    setData(run.data, row, labBatch(project, settings.rows));
    setFit(run, row, settings.steps);
    return run;
}

ReplicaCause causeToDiffer(const spec::RunSpec& project, const LabRow& row) {
    return replicasOf(row) == 1 ? ReplicaCause{} : causeIn(project);
}

std::string toString(const ReplicaCause& cause) {
    switch (cause.kind) {
        case Kind::kNone:
            break;
        case Kind::kStatistics:
            return cause.object +
                   ": BatchNormalization takes the statistics of each replica's own part of the batch, as in Keras; synchronized shares "
                   "them";
        case Kind::kLevels:
            return cause.object + ": Equalization counts the values of each replica's own part of the batch, as in Keras";
        case Kind::kClipping:
            return cause.object + ": each replica clips its own gradients before they are summed, as in Keras";
        case Kind::kMask:
            return cause.object + ": the loss is a mean over what the mask leaves of each replica's part, as in Keras";
        case Kind::kReduction:
            return "compile.loss.reduction: " + cause.object + " is taken over each replica's part, then the mean of these, as in Keras";
    }
    return "";
}

}  // namespace engine::lab
