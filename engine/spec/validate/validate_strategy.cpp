#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/names.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

// More logical devices than this on one processor are a slip of the finger.
constexpr std::int64_t kMostDevices = 64;

std::string strategyNames() {
    std::vector<StrategyRow> rows(strategyTable().begin(), strategyTable().end());
    std::sort(rows.begin(), rows.end(), [](const StrategyRow& a, const StrategyRow& b) { return a.kind < b.kind; });
    std::vector<std::string> names;
    for (const StrategyRow& row : rows) {
        names.emplace_back(row.name);
    }
    return oneOf(names);
}

void checkCommunication(const StrategySpec& strategy, Diagnostics& diagnostics) {
    const std::array<std::string, 4> communications{"AUTO", "RING", "NCCL", "MPI"};
    if (std::find(communications.begin(), communications.end(), strategy.communication) == communications.end()) {
        diagnostics.push_back(
            {Severity::kError, "strategy.communication", "expected " + oneOf(communications) + ", got " + strategy.communication, ""});
    } else if (strategy.communication == "NCCL" && (!strategy.devices.empty() || strategy.logical_cpus > 0) && !usesGpus(strategy)) {
        diagnostics.push_back(
            {Severity::kError, "strategy.communication", "expected AUTO or RING on CPUs, got NCCL, which needs GPUs", "Set it to AUTO."});
    }
    if (strategy.bytes_per_pack < 0) {
        diagnostics.push_back(
            {Severity::kError, "strategy.bytes_per_pack", "expected at least 0, got " + std::to_string(strategy.bytes_per_pack), ""});
    }
}

// What is wrong with one entry of the list; empty when nothing is.
std::string deviceFault(const StrategySpec& strategy, std::size_t index) {
    const std::string& text = strategy.devices[index];
    const auto device = parseDeviceName(text);
    if (!device) {
        return "expected a device such as CPU:0 or GPU:0, got \"" + text + "\"";
    }
    if (device->type != "CPU" && device->type != "GPU") {
        return "expected a device such as CPU:0 or GPU:0, got " + text;
    }
    const bool cpu = device->type == "CPU";
    // Logical CPUs are as many as the project says, or as it names.
    const std::int64_t named = static_cast<std::int64_t>(strategy.devices.size());
    const std::int64_t devices = !cpu ? kMostDevices : strategy.logical_cpus > 0 ? strategy.logical_cpus : named;
    if (device->index >= devices) {
        return "expected " + device->type + ":0" + (devices > 1 ? " to " + device->type + ":" + std::to_string(devices - 1) : "") +
               (cpu && strategy.logical_cpus <= 0 ? " (CPUs count from 0 without a gap; strategy.logical_cpus makes more)" : "") +
               ", got " + text;
    }
    if (const auto first = parseDeviceName(strategy.devices.front()); first && first->type != device->type) {
        return "expected CPUs alone or GPUs alone, got " + text + " beside " + strategy.devices.front();
    }
    for (std::size_t before = 0; before < index; ++before) {
        if (parseDeviceName(strategy.devices[before]) == device) {
            return "expected every device once, got " + text + " a second time";
        }
    }
    return "";
}

// True when the list says one thing and says it clearly.
bool checkDevices(const StrategySpec& strategy, const StrategyRow& row, Diagnostics& diagnostics) {
    const std::size_t before = diagnostics.size();
    for (const auto& [name, count] : {std::pair{"logical_cpus", strategy.logical_cpus}, {"logical_gpus", strategy.logical_gpus}}) {
        if (count < 0 || count > kMostDevices) {
            diagnostics.push_back({Severity::kError, std::string("strategy.") + name,
                                   "expected at least 0 and at most " + std::to_string(kMostDevices) + ", got " + std::to_string(count),
                                   ""});
            return false;
        }
    }
    if (strategy.logical_cpus > 0 && strategy.logical_gpus > 0 && strategy.devices.empty()) {
        diagnostics.push_back({Severity::kError, "strategy.logical_gpus",
                               "expected logical CPUs or logical GPUs, got " + std::to_string(strategy.logical_cpus) + " and " +
                                   std::to_string(strategy.logical_gpus),
                               "Set one of them to 0."});
        return false;
    }
    for (std::size_t i = 0; i < strategy.devices.size(); ++i) {
        const std::string fault = deviceFault(strategy, i);
        if (!fault.empty()) {
            diagnostics.push_back({Severity::kError, "strategy.devices[" + std::to_string(i) + "]", fault, ""});
        }
    }
    if (diagnostics.size() != before) {
        return false;
    }
    const std::size_t devices = devicesOf(strategy).size();
    if (devices > 1 && row.runs && !row.has_replicas) {
        const char* field = !strategy.devices.empty() ? "strategy.devices"
                            : usesGpus(strategy)      ? "strategy.logical_gpus"
                                                      : "strategy.logical_cpus";
        diagnostics.push_back({Severity::kError, field,
                               "expected one device with " + std::string(row.name) + ", got " + std::to_string(devices),
                               "Choose MirroredStrategy or CentralStorageStrategy for several devices of one computer, "
                               "MultiWorkerMirroredStrategy for several of "
                               "each worker."});
    }
    return true;
}

void checkCrossDeviceOps(const StrategySpec& strategy, bool devices_are_known, Diagnostics& diagnostics) {
    const std::string path = "strategy.cross_device_ops";
    const ObjectSpec& ops = strategy.cross_device_ops;
    const ObjectSchema* schema = findSchema(crossDeviceOpsSchemas(), ops.class_name);
    if (schema == nullptr) {
        diagnostics.push_back(
            {Severity::kError, path, "expected " + oneOf(classNames(crossDeviceOpsSchemas())) + ", got " + ops.class_name, ""});
        return;
    }
    const std::size_t before = diagnostics.size();
    reportFields(ops.config, schema->fields, path, diagnostics);
    std::string to;
    Settings(schema->fields, ops.config).read("reduce_to_device", to);
    if (diagnostics.size() != before || to.empty() || !devices_are_known) {
        return;
    }
    const std::vector<DeviceName> devices = devicesOf(strategy);
    const auto device = parseDeviceName(to);
    if (!device || std::find(devices.begin(), devices.end(), *device) == devices.end()) {
        std::vector<std::string> names;
        for (const DeviceName& one : devices) {
            names.push_back(toString(one));
        }
        diagnostics.push_back({Severity::kError, path + ".reduce_to_device", "expected " + oneOf(names) + ", got " + to, ""});
    }
}

void checkPartitioner(const StrategySpec& strategy, Diagnostics& diagnostics) {
    const std::string path = "strategy.variable_partitioner";
    const ObjectSpec& partitioner = strategy.variable_partitioner;
    if (partitioner.class_name.empty()) {
        return;
    }
    const ObjectSchema* schema = findSchema(partitionerSchemas(), partitioner.class_name);
    if (schema == nullptr) {
        diagnostics.push_back(
            {Severity::kError, path, "expected " + oneOf(classNames(partitionerSchemas())) + ", got " + partitioner.class_name, ""});
        return;
    }
    reportFields(partitioner.config, schema->fields, path, diagnostics);
}

// "grpc://10.240.1.2:8470"; a name has no scheme and no blank.
bool isTpuName(const std::string& tpu) {
    constexpr std::string_view kScheme = "grpc://";
    if (tpu.starts_with(kScheme)) {
        const auto address = parseHostPort(std::string_view(tpu).substr(kScheme.size()));
        return address && !address->host.empty();
    }
    return tpu.find("://") == std::string::npos && tpu.find_first_of(" \t\r\n") == std::string::npos;
}

void checkResolver(const StrategySpec& strategy, Diagnostics& diagnostics) {
    const std::string path = "strategy.cluster_resolver";
    const ObjectSpec& resolver = strategy.cluster_resolver;
    if (resolver.class_name.empty()) {
        return;
    }
    const ObjectSchema* schema = findSchema(clusterResolverSchemas(), resolver.class_name);
    if (schema == nullptr) {
        diagnostics.push_back(
            {Severity::kError, path, "expected " + oneOf(classNames(clusterResolverSchemas())) + ", got " + resolver.class_name, ""});
        return;
    }
    const std::size_t before = diagnostics.size();
    reportFields(resolver.config, schema->fields, path, diagnostics);
    if (diagnostics.size() != before) {
        return;
    }
    const Settings settings(schema->fields, resolver.config);
    const std::string tpu = settings.getString("tpu");
    if (!isTpuName(tpu)) {
        diagnostics.push_back({Severity::kError, path + ".tpu",
                               "expected the name of a TPU, local, or an address such as grpc://10.240.1.2:8470, got \"" + tpu + "\"", ""});
    } else if (tpu == "local" || tpu.starts_with("grpc://")) {
        for (const char* field : {"zone", "project"}) {
            if (const std::string place = settings.getString(field); !place.empty()) {
                diagnostics.push_back({Severity::kWarning, path + "." + field,
                                       "expected none with the TPU " + tpu + ", which is looked up nowhere, got " + place,
                                       "It has no effect."});
            }
        }
    }
    if (!settings.getString("coordinator_address").empty() && settings.getString("coordinator_name").empty()) {
        diagnostics.push_back({Severity::kError, path + ".coordinator_address",
                               "expected a coordinator_name beside the address of the coordinator, got none",
                               "Set strategy.cluster_resolver.coordinator_name."});
    }
}

// Who trains with a strategy that this program has no back-end for, and what its script takes more than the project says.
void checkElsewhere(const RunSpec& run, const StrategyRow& row, Diagnostics& diagnostics) {
    if (row.runs) {
        return;
    }
    const std::string expected = "expected a strategy that trains here, got " + run.strategy.name + ": ";
    diagnostics.push_back(
        {Severity::kError, "strategy.name",
         expected + (run.estimator ? "an estimator asked for a TPU, which no PJRT plug-in runs in this version, and whose script needs a "
                                     "TensorFlow that has tf.estimator"
                                   : std::string(row.limit)),
         "Export the script, or choose another strategy."});
    if (!run.data.drop_remainder) {
        diagnostics.push_back({Severity::kWarning, "data.drop_remainder",
                               "expected true with " + run.strategy.name + ", whose shapes are fixed, got false", "Set it to true."});
    }
}

// What only workers that do not wait for each other have, and what they have not.
void checkServers(const RunSpec& run, bool has_servers, Diagnostics& diagnostics) {
    const StrategySpec& strategy = run.strategy;
    checkPartitioner(strategy, diagnostics);
    if (strategy.max_staleness && *strategy.max_staleness < 0) {
        diagnostics.push_back({Severity::kError, "strategy.max_staleness",
                               "expected at least 0, or null for no bound, got " + std::to_string(*strategy.max_staleness), ""});
    }
    if (!has_servers) {
        if (run.fit.steps > 0) {
            diagnostics.push_back(
                {Severity::kError, "fit.steps",
                 "expected 0 with " + strategy.name + ", whose epochs count the steps, got " + std::to_string(run.fit.steps),
                 "Set fit.epochs and fit.steps_per_epoch, or choose ParameterServerStrategy."});
        }
        return;
    }
    if (run.fit.steps > 0 && run.fit.epochs > 1) {
        diagnostics.push_back({Severity::kError, "fit.steps",
                               "expected either steps or epochs, got " + std::to_string(run.fit.steps) + " steps and " +
                                   std::to_string(run.fit.epochs) + " epochs",
                               "Set fit.epochs to 1, or fit.steps to 0."});
    }
    for (std::size_t i = 0; i < run.model.layers.size(); ++i) {
        const std::vector<LayerSpec> owners = owningLayers(run.model.layers[i]);
        if (std::ranges::find(owners, "SpectralNormalization", &LayerSpec::class_name) == owners.end()) continue;
        diagnostics.push_back({Severity::kError, "model.layers[" + std::to_string(i) + "]",
                               "expected no SpectralNormalization with ParameterServerStrategy, whose servers hold the kernel that a "
                               "worker would change, got one",
                               "Choose another strategy, or take the layer out of it."});
    }
    if (usesGpus(strategy)) {
        diagnostics.push_back({Severity::kError, "strategy.devices",
                               "expected CPU:0 with ParameterServerStrategy, whose workers compute on processors in this version, got " +
                                   toString(devicesOf(strategy).front()),
                               "Set it to CPU:0."});
    }
}

}  // namespace

void validateStrategy(const RunSpec& run, Diagnostics& diagnostics) {
    const StrategySpec& strategy = run.strategy;
    const StrategyRow* row = findStrategy(strategy.name);
    if (row == nullptr) {
        diagnostics.push_back({Severity::kError, "strategy.name", "expected " + strategyNames() + ", got " + strategy.name, ""});
    } else {
        checkElsewhere(run, *row, diagnostics);
    }
    checkCommunication(strategy, diagnostics);
    const StrategyRow any{.name = strategy.name, .has_replicas = true};
    const bool devices_are_known = checkDevices(strategy, row == nullptr ? any : *row, diagnostics);
    checkCrossDeviceOps(strategy, devices_are_known, diagnostics);
    checkResolver(strategy, diagnostics);
    checkServers(run, row != nullptr && row->has_servers, diagnostics);
    // Devices that are left open are the computer's GPUs: only the run knows whether there are some.
    if (devices_are_known && (!strategy.devices.empty() || strategy.logical_cpus > 0) && !usesGpus(strategy)) {
        for (const std::string& setting : gpuSettings(strategy)) {
            diagnostics.push_back({Severity::kWarning, setting, "expected false on processors, where it has no effect, got true", ""});
        }
    }
}

}  // namespace engine::spec
