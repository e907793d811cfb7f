#include "engine/spec/cluster/strategy_support.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/communication.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {
namespace {

// What the choice does to the cluster, where that is more than the strategy's name.
std::string sentenceOf(const StrategyRow& row, const RunSpec& run) {
    const ClusterSpec& cluster = run.cluster.spec;
    if (run.strategy.name == row.name) {
        return std::string(row.sentence);
    }
    const std::size_t tasks = allTasks(cluster).size();
    if (!row.is_clustered && tasks > 1) {
        return "One process; removes the " + std::to_string(tasks) + " tasks";
    }
    if (row.kind == StrategyKind::kMultiWorkerMirrored && cluster.taskCount("ps") > 0) {
        return "Removes the ps, which it would wait for";
    }
    return std::string(row.brief);
}

std::string limitOf(const StrategyRow& row) {
    std::string sentence(row.limit);
    if (!sentence.empty()) {
        sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
        sentence += ".";
    }
    return sentence;
}

FieldSchema number(std::string name, std::int64_t fallback, double maximum, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kInt,
            .fallback = fallback,
            .required = true,
            .minimum = 0,
            .maximum = maximum,
            .hint = std::move(hint)};
}

constexpr std::array<std::string_view, 3> kTransports{"auto", "grpc", "shm"};
constexpr std::array<std::string_view, 3> kTaskLost{"restart", "fail", "continue"};  // by OnTaskLost

// A setting of the strategy that is an object: the form has a row for its class and one for each of the class's fields. One of a single
// class has rows for the fields alone, and without a class it is that one with its defaults.
struct ObjectSetting {
    std::string_view name;  // "variable_partitioner"
    ObjectSpec StrategySpec::*object;
    std::span<const ObjectSchema> (*schemas)();
};
constexpr std::array kObjectSettings{
    ObjectSetting{"cross_device_ops", &StrategySpec::cross_device_ops, crossDeviceOpsSchemas},
    ObjectSetting{"variable_partitioner", &StrategySpec::variable_partitioner, partitionerSchemas},
    ObjectSetting{"cluster_resolver", &StrategySpec::cluster_resolver, clusterResolverSchemas},
};

// nullptr where the object has no class that is known.
const ObjectSchema* schemaOf(const ObjectSetting& setting, const ObjectSpec& object) {
    const std::span<const ObjectSchema> schemas = setting.schemas();
    return object.class_name.empty() && schemas.size() == 1 ? &schemas.front() : findSchema(schemas, object.class_name);
}

// The setting of a path such as "strategy.variable_partitioner.num_shards", and its field's name: empty where the path ends before it.
struct ObjectPath {
    const ObjectSetting* setting = nullptr;
    std::string_view field{};
};

ObjectPath objectPath(std::string_view path) {
    constexpr std::string_view kSection = "strategy.";
    if (!path.starts_with(kSection)) return {};
    path.remove_prefix(kSection.size());
    for (const ObjectSetting& setting : kObjectSettings) {
        if (path == setting.name) return {&setting};
        if (path.starts_with(setting.name) && path[setting.name.size()] == '.') return {&setting, path.substr(setting.name.size() + 1)};
    }
    return {};
}

FieldValue objectField(const ObjectSpec& object, const ObjectPath& path) {
    if (path.field.empty()) return object.class_name.empty() ? FieldValue() : FieldValue(ObjectBox(object));
    if (const FieldValue* value = object.config.find(path.field)) return *value;
    const ObjectSchema* schema = schemaOf(*path.setting, object);
    for (const FieldSchema& field : schema == nullptr ? std::vector<FieldSchema>{} : schema->fields) {
        if (field.name == path.field) return field.fallback;
    }
    return {};
}

// A partitioner that was just chosen works as it is: a shard for each server, or the size of TensorFlow's examples.
void setStartingFields(ObjectSpec& partitioner, const ClusterSpec& cluster) {
    constexpr std::int64_t kShardBytes = 256 * 1024;
    const auto start = [&](const char* name, std::int64_t value) {
        if (partitioner.config.find(name) == nullptr) partitioner.config.set(name, value);
    };
    if (partitioner.class_name == "FixedShardsPartitioner") start("num_shards", std::max(1, static_cast<int>(cluster.taskCount("ps"))));
    if (partitioner.class_name == "MaxSizePartitioner") start("max_shard_bytes", kShardBytes);
}

void setObjectField(RunSpec& run, const ObjectPath& path, const FieldValue& value) {
    ObjectSpec& object = run.strategy.*path.setting->object;
    if (path.field.empty()) {
        const auto* given = std::get_if<ObjectBox>(&value);
        object = given == nullptr ? StrategySpec{}.*path.setting->object : given->get();
        setStartingFields(object, run.cluster.spec);
        return;
    }
    const auto* text = std::get_if<std::string>(&value);
    const bool absent = std::holds_alternative<std::monostate>(value) || (text != nullptr && text->empty());
    absent ? object.config.erase(path.field) : object.config.set(path.field, value);
    if (path.setting->schemas().size() == 1) {
        object.class_name = object.config.empty() ? std::string() : path.setting->schemas().front().class_name;
    }
}

}  // namespace

std::string_view toString(TrainingApi api) {
    switch (api) {
        case TrainingApi::kKerasFit:
            return "Keras fit";
        case TrainingApi::kCustomLoop:
            return "custom loop";
        case TrainingApi::kEstimator:
            return "Estimator";
    }
    return "unknown";
}

std::string_view toString(Support support) {
    switch (support) {
        case Support::kFull:
            return "yes";
        case Support::kExperimental:
            return "experimental";
        case Support::kLimited:
            return "limited";
        case Support::kPlanned:
            return "planned";
        case Support::kNone:
            return "no";
    }
    return "unknown";
}

std::string supportText(const StrategyRow& row, TrainingApi api) {
    const auto at = static_cast<std::size_t>(api);
    const auto cell = [](const SupportCell& one) {
        return std::string(toString(one.level)) + (one.reason.empty() ? "" : " (" + std::string(one.reason) + ")");
    };
    return std::string(toString(api)) + ": " + cell(row.here[at]) + "; TensorFlow 2.21: " + cell(row.today[at]) +
           "; guide: " + std::string(toString(row.guide[at].level));
}

std::vector<StrategyOption> strategyOptions(const RunSpec& run) {
    std::vector<StrategyOption> options;
    for (const StrategyRow& row : strategyTable()) {
        const bool chosen = run.strategy.name == row.name;
        if (!chosen && !row.is_offered) {
            continue;
        }
        const std::string_view obstacle = chosen || row.obstacle == nullptr ? "" : row.obstacle(run.cluster.spec);
        options.push_back({std::string(row.name), sentenceOf(row, run), std::string(obstacle), limitOf(row)});
    }
    return options;
}

std::vector<StrategyField> strategyFields(const RunSpec& run) {
    constexpr double kMostCpus = 64, kMostThreads = 1024, kMostBytes = 1LL << 40, kMostStaleness = 1 << 20;
    const StrategyRow* row = findStrategy(run.strategy.name);
    std::vector<StrategyField> fields;
    if (row == nullptr) {
        return fields;
    }
    const auto add = [&](const std::string& section, FieldSchema schema) {
        const std::string path = section + "." + schema.name;
        fields.push_back({path, std::move(schema)});
    };
    const auto addFieldsOf = [&](const ObjectSetting& setting) {
        const ObjectSchema* schema = schemaOf(setting, run.strategy.*setting.object);
        for (const FieldSchema& field : schema == nullptr ? std::vector<FieldSchema>{} : schema->fields) {
            add("strategy." + std::string(setting.name), field);
        }
    };
    if (row->kind == StrategyKind::kTpu) {  // the other settings are those of tasks that this program starts
        addFieldsOf(kObjectSettings[2]);
        return fields;
    }
    if (row->has_replicas) {
        const char* hint =
            row->is_clustered ? "Each worker's processor as so many devices; 0: one" : "The processor as so many devices; 0: one";
        add("strategy", number("logical_cpus", 0, kMostCpus, hint));
        add("strategy", number("logical_gpus", 0, kMostCpus, "Each GPU as so many devices; 0: one"));
    }
    if (row->kind == StrategyKind::kMirrored) {
        add("strategy", {.name = "cross_device_ops",
                         .kind = FieldKind::kObject,
                         .fallback = FieldValue(ObjectBox(StrategySpec{}.cross_device_ops)),
                         .required = true,
                         .choices = classNames(crossDeviceOpsSchemas()),
                         .hint = "How the devices add up their gradients"});
        addFieldsOf(kObjectSettings[0]);
    }
    if (row->has_servers) {
        add("strategy", {.name = "variable_partitioner",
                         .kind = FieldKind::kObject,
                         .choices = classNames(partitionerSchemas()),
                         .hint = "How variables are cut over the ps tasks; None: each lies on one of them as a whole"});
        addFieldsOf(kObjectSettings[1]);
        add("strategy", {.name = "max_staleness",
                         .kind = FieldKind::kInt,
                         .minimum = 0,
                         .maximum = kMostStaleness,
                         .hint = "Updates of others that a gradient may have missed; None: any number, 0: one update after the other"});
    }
    if (row->is_clustered) {
        if (row->kind == StrategyKind::kMultiWorkerMirrored || row->has_servers) {
            add("strategy",
                number("bytes_per_pack", 0, kMostBytes, "Gradients travel in packs of at least so many bytes; 0: as the engine likes"));
            add("cluster", {.name = "transport",
                            .kind = FieldKind::kChoice,
                            .fallback = std::string("auto"),
                            .required = true,
                            .choices = {kTransports.begin(), kTransports.end()},
                            .hint = "auto: shared memory between tasks of one host, gRPC otherwise"});
        }
        add("cluster", {.name = "start_timeout_s",
                        .kind = FieldKind::kDouble,
                        .fallback = ClusterSettings{}.start_timeout_s,
                        .required = true,
                        .minimum = 0,
                        .minimum_excluded = true,
                        .hint = "Seconds that a task waits for the others at the start"});
    }
    add("cluster", {.name = "on_task_lost",
                    .kind = FieldKind::kChoice,
                    .fallback = std::string(kTaskLost[0]),
                    .required = true,
                    .choices = {kTaskLost.begin(), kTaskLost.end()},
                    .hint = "restart: a run with BackupAndRestore goes on from its backup when a task is killed or silent; continue: with "
                            "the workers that are left"});
    if (run.cluster.on_task_lost == OnTaskLost::kContinue) {
        add("cluster", {.name = "scale_learning_rate",
                        .kind = FieldKind::kBool,
                        .fallback = false,
                        .required = true,
                        .hint = "The learning rate shrinks with the global batch when the run goes on with fewer workers"});
    }
    add("cluster", number("max_restarts", ClusterSettings{}.max_restarts, static_cast<double>(kMostRestarts),
                          "How often one run is started again before it fails"));
    add("cluster", {.name = "heartbeat_fatal_s",
                    .kind = FieldKind::kDouble,
                    .fallback = ClusterSettings{}.heartbeat_fatal_s,
                    .required = true,
                    .minimum = kLeastSilence,
                    .maximum = kMostSilence,
                    .hint = "Seconds without a sign of life after which a task is lost"});
    if (row->is_clustered) {
        add("cluster", {.name = "home_lost_s",
                        .kind = FieldKind::kDouble,
                        .fallback = ClusterSettings{}.home_lost_s,
                        .required = true,
                        .minimum = 0,
                        .maximum = kMostHomeLost,
                        .hint = "Seconds after which tasks on other computers stop, with a backup, when this one is away; 0: never"});
    }
    add("cluster", number("threads_per_task", 0, kMostThreads, "0: the cores of the host, shared evenly"));
    add("strategy", {.name = "log_device_placement",
                     .kind = FieldKind::kBool,
                     .fallback = false,
                     .required = true,
                     .hint = "The run's log names the device of every variable and op"});
    add("strategy", {.name = "tensor_float_32_execution",
                     .kind = FieldKind::kBool,
                     .fallback = false,
                     .required = true,
                     .hint = "On GPUs: float32 products of numbers with 10 bits of mantissa, faster"});
    add("strategy", {.name = "op_determinism",
                     .kind = FieldKind::kBool,
                     .fallback = false,
                     .required = true,
                     .hint = "On GPUs: the same numbers in every run; products and convolutions may be slower"});
    return fields;
}

FieldValue strategyField(const RunSpec& run, std::string_view path) {
    const StrategySpec& strategy = run.strategy;
    if (path == "strategy.logical_cpus") return strategy.logical_cpus;
    if (path == "strategy.logical_gpus") return strategy.logical_gpus;
    if (path == "strategy.max_staleness") return strategy.max_staleness ? FieldValue(*strategy.max_staleness) : FieldValue();
    if (path == "strategy.bytes_per_pack") return strategy.bytes_per_pack;
    if (path == "strategy.log_device_placement") return strategy.log_device_placement;
    if (path == "strategy.tensor_float_32_execution") return strategy.tensor_float_32_execution;
    if (path == "strategy.op_determinism") return strategy.op_determinism;
    if (path == "cluster.transport") return std::string(kTransports[static_cast<std::size_t>(run.cluster.transport)]);
    if (path == "cluster.start_timeout_s") return run.cluster.start_timeout_s;
    if (path == "cluster.heartbeat_fatal_s") return run.cluster.heartbeat_fatal_s;
    if (path == "cluster.home_lost_s") return run.cluster.home_lost_s;
    if (path == "cluster.threads_per_task") return run.cluster.threads_per_task;
    if (path == "cluster.scale_learning_rate") return run.cluster.scale_learning_rate;
    if (path == "cluster.on_task_lost") return std::string(kTaskLost[static_cast<std::size_t>(run.cluster.on_task_lost)]);
    if (path == "cluster.max_restarts") return run.cluster.max_restarts;
    if (const ObjectPath object = objectPath(path); object.setting != nullptr) return objectField(strategy.*object.setting->object, object);
    return {};
}

void setStrategyField(RunSpec& run, std::string_view path, const FieldValue& value) {
    const RunSpec usual;
    const auto whole = [&](std::int64_t fallback) {
        const auto* number = std::get_if<std::int64_t>(&value);
        return number == nullptr ? fallback : *number;
    };
    StrategySpec& strategy = run.strategy;
    if (path == "strategy.logical_cpus") {
        strategy.logical_cpus = whole(usual.strategy.logical_cpus);
        strategy.devices.clear();  // the list goes before the number: it would have no effect
        if (strategy.logical_cpus > 0) {
            strategy.logical_gpus = 0;
        }
    } else if (path == "strategy.logical_gpus") {
        strategy.logical_gpus = whole(usual.strategy.logical_gpus);
        strategy.devices.clear();
        if (strategy.logical_gpus > 0) {
            strategy.logical_cpus = 0;
        }
    } else if (path == "strategy.max_staleness") {
        const auto* bound = std::get_if<std::int64_t>(&value);
        strategy.max_staleness = bound == nullptr ? std::nullopt : std::optional(*bound);
    } else if (path == "strategy.bytes_per_pack") {
        strategy.bytes_per_pack = whole(usual.strategy.bytes_per_pack);
    } else if (path == "strategy.log_device_placement" || path == "strategy.tensor_float_32_execution" ||
               path == "strategy.op_determinism") {
        const bool* given = std::get_if<bool>(&value);
        const bool on = given != nullptr && *given;
        (path.ends_with("placement")     ? strategy.log_device_placement
         : path.ends_with("determinism") ? strategy.op_determinism
                                         : strategy.tensor_float_32_execution) = on;
    } else if (path == "cluster.transport") {
        const auto* name = std::get_if<std::string>(&value);
        const auto found = std::find(kTransports.begin(), kTransports.end(), name == nullptr ? kTransports[0] : std::string_view(*name));
        run.cluster.transport = static_cast<TransportChoice>(found == kTransports.end() ? 0 : found - kTransports.begin());
    } else if (path == "cluster.start_timeout_s") {
        const auto* seconds = std::get_if<double>(&value);
        run.cluster.start_timeout_s = seconds == nullptr ? usual.cluster.start_timeout_s : *seconds;
    } else if (path == "cluster.heartbeat_fatal_s") {
        const auto* seconds = std::get_if<double>(&value);
        run.cluster.heartbeat_fatal_s = seconds == nullptr ? usual.cluster.heartbeat_fatal_s : *seconds;
    } else if (path == "cluster.on_task_lost") {
        const auto* name = std::get_if<std::string>(&value);
        const auto found = std::find(kTaskLost.begin(), kTaskLost.end(), name == nullptr ? kTaskLost[0] : std::string_view(*name));
        run.cluster.on_task_lost = static_cast<OnTaskLost>(found == kTaskLost.end() ? 0 : found - kTaskLost.begin());
    } else if (path == "cluster.scale_learning_rate") {
        const bool* given = std::get_if<bool>(&value);
        run.cluster.scale_learning_rate = given != nullptr && *given;
    } else if (path == "cluster.home_lost_s") {
        const auto* seconds = std::get_if<double>(&value);
        run.cluster.home_lost_s = seconds == nullptr ? usual.cluster.home_lost_s : *seconds;
    } else if (path == "cluster.max_restarts") {
        run.cluster.max_restarts = whole(usual.cluster.max_restarts);
    } else if (path == "cluster.threads_per_task") {
        run.cluster.threads_per_task = whole(usual.cluster.threads_per_task);
    } else if (const ObjectPath object = objectPath(path); object.setting != nullptr) {
        setObjectField(run, object, value);
    }
}

std::string communicationChoice(const RunSpec& run, const GpuInventory& host) {
    if (strategyKind(run.strategy.name) != StrategyKind::kMultiWorkerMirrored || run.strategy.communication == "RING") {
        return "";
    }
    const std::vector<TaskGpus> tasks = gpusOfTasks(run, host);
    if (tasks.empty()) {
        return "";
    }
    if (run.strategy.communication == "MPI") {
        return errorsWithoutMpirun(run).empty() ? "" : "MPI needs tasks that mpirun starts (tandem-worker --from-mpi), not Tandem";
    }
    if (run.strategy.communication == "AUTO" && host.gpus.empty()) {
        return "AUTO takes RING: no NVIDIA GPU here";
    }
    try {
        const std::string why = chooseCommunication(run.strategy.communication, tasks).why;
        return run.strategy.communication == "AUTO" ? why : "";
    } catch (const Error&) {
        return communicationObstacle("NCCL", run, host);
    }
}

std::string communicationObstacle(std::string_view communication, const RunSpec& run, const GpuInventory& host) {
    if (communication != "NCCL") {
        return "";
    }
    if (host.gpus.empty()) {
        return "NCCL needs an NVIDIA GPU; this computer has none";
    }
    const std::string obstacle = ncclObstacle(gpusOfTasks(run, host));
    return obstacle.empty() ? "" : "NCCL needs a GPU of its own in every task: " + obstacle;
}

}  // namespace engine::spec
