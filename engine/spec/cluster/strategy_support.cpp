#include "engine/spec/cluster/strategy_support.h"

#include <algorithm>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/communication.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {
namespace {

constexpr SupportCell kYes{Support::kFull, ""};
constexpr SupportCell kExperimental{Support::kExperimental, "may change in a later version"};
constexpr SupportCell kPlanned{Support::kPlanned, "planned for 2.0 RC"};
constexpr SupportCell kBasics{Support::kLimited, "basic training and evaluation; no scaffold"};
constexpr SupportCell kNoEstimator{Support::kNone, "tf.estimator was removed"};
constexpr SupportCell kNotHere{Support::kNone, "not in this version"};
constexpr SupportCell kNeedsTpu{Support::kLimited, "needs a TPU"};

// Column order: Keras fit, custom loop, Estimator.
constexpr std::array<StrategySupport, 7> kSupport{
    {{"MultiWorkerMirroredStrategy",
      "Every worker keeps a full copy; gradients are summed in each step.",
      "Several workers, a full copy each",
      {kExperimental, kPlanned, kBasics},
      {SupportCell{Support::kLimited, "Keras 2; with Keras 3 fit fails before the first step"}, kYes, kNoEstimator},
      {kYes, SupportCell{Support::kNone, "the library's loops run in one process in this version"}, kNotHere}},
     {"MirroredStrategy",
      "Several devices of one host, each with a full copy.",
      "Several devices of one host",
      {kYes, kYes, kBasics},
      {kYes, kYes, kNoEstimator},
      {kYes, kYes, kNotHere}},
     {"ParameterServerStrategy",
      "Variables live on ps tasks; workers compute by themselves.",
      "Variables on ps tasks",
      {kPlanned, SupportCell{Support::kNone, "not supported yet"}, kBasics},
      {SupportCell{Support::kLimited, "Keras 2 with steps_per_epoch; not with Keras 3"}, kYes, kNoEstimator},
      {kNotHere, kNotHere, kNotHere}},
     {"CentralStorageStrategy",
      "Variables on one device, computation on all of one host.",
      "Variables on one device of one host",
      {kExperimental, kPlanned, kBasics},
      {kYes, kYes, kNoEstimator},
      {kYes, kYes, kNotHere}},
     {"TPUStrategy",
      "The cores of a TPU, each with a full copy.",
      "The cores of a TPU",
      {kPlanned, kYes, kBasics},
      {kNeedsTpu, kNeedsTpu, kNoEstimator},
      {SupportCell{Support::kNone, "no TPU here"}, SupportCell{Support::kNone, "no TPU here"}, kNotHere}},
     {"OneDeviceStrategy",
      "Everything on one device.",
      "Everything on one device",
      {SupportCell{Support::kNone, "not in the guide"}, SupportCell{Support::kNone, "not in the guide"},
       SupportCell{Support::kNone, "not in the guide"}},
      {kYes, kYes, kNoEstimator},
      {kYes, kYes, kNotHere}},
     {"DefaultStrategy",
      "No distribution.",
      "No distribution",
      {SupportCell{Support::kNone, "not in the guide"}, SupportCell{Support::kNone, "not in the guide"},
       SupportCell{Support::kNone, "not in the guide"}},
      {kYes, kYes, kNoEstimator},
      {kYes, kYes, kNotHere}}}};

std::string obstacleOf(const StrategySupport& row, const RunSpec& run) {
    const ClusterSpec& cluster = run.cluster.spec;
    if (row.name == "TPUStrategy") {
        return "no TPU here";
    }
    if (row.name == "ParameterServerStrategy") {
        if (cluster.taskCount("ps") == 0) {
            return "needs a ps task";
        }
        return cluster.taskCount("worker") == 0 ? "needs a worker task" : "";
    }
    return "";
}

// What the choice does to the cluster, where that is more than the strategy's name.
std::string sentenceOf(const StrategySupport& row, const RunSpec& run) {
    const StrategyRow* known = findStrategy(row.name);
    const ClusterSpec& cluster = run.cluster.spec;
    if (run.strategy.name == row.name) {
        return std::string(row.sentence);
    }
    const std::size_t tasks = allTasks(cluster).size();
    if (known != nullptr && !known->clustered && tasks > 1) {
        return "One process; removes the " + std::to_string(tasks) + " tasks";
    }
    if (row.name == "MultiWorkerMirroredStrategy" && cluster.taskCount("ps") > 0) {
        return "Removes the ps, which it would wait for";
    }
    return std::string(row.brief);
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
constexpr std::array<std::string_view, 2> kTaskLost{"restart", "fail"};  // by OnTaskLost

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

std::span<const StrategySupport> strategySupport() {
    return kSupport;
}

const StrategySupport* findSupport(std::string_view name) {
    const auto found = std::find_if(kSupport.begin(), kSupport.end(), [&](const StrategySupport& row) { return row.name == name; });
    return found == kSupport.end() ? nullptr : &*found;
}

std::string supportText(const StrategySupport& row, TrainingApi api) {
    const auto at = static_cast<std::size_t>(api);
    const auto cell = [](const SupportCell& one) {
        return std::string(toString(one.level)) + (one.reason.empty() ? "" : " (" + std::string(one.reason) + ")");
    };
    return std::string(toString(api)) + ": " + cell(row.here[at]) + "; TensorFlow 2.21: " + cell(row.today[at]) +
           "; guide: " + std::string(toString(row.guide[at].level));
}

std::vector<StrategyOption> strategyOptions(const RunSpec& run) {
    std::vector<StrategyOption> options;
    for (const StrategySupport& row : kSupport) {
        const bool chosen = run.strategy.name == row.name;
        if (!chosen && (row.name == "OneDeviceStrategy" || row.name == "DefaultStrategy")) {
            continue;
        }
        const StrategyRow* known = findStrategy(row.name);
        const bool runs = known != nullptr && known->runs;
        options.push_back({std::string(row.name), sentenceOf(row, run), chosen ? "" : obstacleOf(row, run),
                           runs ? "" : "Design and TF_CONFIG alone: this version can't train with " + std::string(row.name) + "."});
    }
    return options;
}

std::vector<StrategyField> strategyFields(const RunSpec& run) {
    constexpr double kMostCpus = 64, kMostThreads = 1024, kMostBytes = 1LL << 40;
    const StrategyRow* row = findStrategy(run.strategy.name);
    std::vector<StrategyField> fields;
    if (row == nullptr) {
        return fields;
    }
    const auto add = [&](const std::string& section, FieldSchema schema) {
        const std::string path = section + "." + schema.name;
        fields.push_back({path, std::move(schema)});
    };
    if (row->mirrors) {
        const char* hint =
            row->clustered ? "Each worker's processor as so many devices; 0: one" : "The processor as so many devices; 0: one";
        add("strategy", number("logical_cpus", 0, kMostCpus, hint));
        add("strategy", number("logical_gpus", 0, kMostCpus, "Each GPU as so many devices; 0: one"));
    }
    if (row->name == "MirroredStrategy") {
        add("strategy", {.name = "cross_device_ops",
                         .kind = FieldKind::kObject,
                         .fallback = FieldValue(ObjectBox(StrategySpec{}.cross_device_ops)),
                         .required = true,
                         .choices = classNames(crossDeviceOpsSchemas()),
                         .hint = "How the devices add up their gradients"});
        if (const ObjectSchema* ops = findSchema(crossDeviceOpsSchemas(), run.strategy.cross_device_ops.class_name)) {
            for (const FieldSchema& schema : ops->fields) {
                add("strategy.cross_device_ops", schema);
            }
        }
    }
    if (row->clustered) {
        if (row->name == "MultiWorkerMirroredStrategy") {
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
    if (row->runs) {
        add("cluster", {.name = "on_task_lost",
                        .kind = FieldKind::kChoice,
                        .fallback = std::string(kTaskLost[0]),
                        .required = true,
                        .choices = {kTaskLost.begin(), kTaskLost.end()},
                        .hint = "restart: a run with BackupAndRestore goes on from its backup when a task is killed or silent"});
        add("cluster", number("max_restarts", ClusterSettings{}.max_restarts, static_cast<double>(kMostRestarts),
                              "How often one run is started again before it fails"));
        add("cluster", {.name = "heartbeat_fatal_s",
                        .kind = FieldKind::kDouble,
                        .fallback = ClusterSettings{}.heartbeat_fatal_s,
                        .required = true,
                        .minimum = kLeastSilence,
                        .maximum = kMostSilence,
                        .hint = "Seconds without a sign of life after which a task is lost"});
    }
    add("cluster", number("threads_per_task", 0, kMostThreads, "0: the cores of the host, shared evenly"));
    add("strategy", {.name = "log_device_placement",
                     .kind = FieldKind::kBool,
                     .fallback = false,
                     .required = true,
                     .hint = "The run's log names the device of every variable and op"});
    if (row->runs) {
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
    }
    return fields;
}

FieldValue strategyField(const RunSpec& run, std::string_view path) {
    const StrategySpec& strategy = run.strategy;
    if (path == "strategy.logical_cpus") return strategy.logical_cpus;
    if (path == "strategy.logical_gpus") return strategy.logical_gpus;
    if (path == "strategy.cross_device_ops") return ObjectBox(strategy.cross_device_ops);
    if (path == "strategy.bytes_per_pack") return strategy.bytes_per_pack;
    if (path == "strategy.log_device_placement") return strategy.log_device_placement;
    if (path == "strategy.tensor_float_32_execution") return strategy.tensor_float_32_execution;
    if (path == "strategy.op_determinism") return strategy.op_determinism;
    if (path == "cluster.transport") return std::string(kTransports[static_cast<std::size_t>(run.cluster.transport)]);
    if (path == "cluster.start_timeout_s") return run.cluster.start_timeout_s;
    if (path == "cluster.heartbeat_fatal_s") return run.cluster.heartbeat_fatal_s;
    if (path == "cluster.threads_per_task") return run.cluster.threads_per_task;
    if (path == "cluster.on_task_lost") return std::string(kTaskLost[static_cast<std::size_t>(run.cluster.on_task_lost)]);
    if (path == "cluster.max_restarts") return run.cluster.max_restarts;
    constexpr std::string_view kOps = "strategy.cross_device_ops.";
    if (path.starts_with(kOps)) {
        const std::string_view name = path.substr(kOps.size());
        if (const FieldValue* value = strategy.cross_device_ops.config.find(name)) {
            return *value;
        }
        if (const ObjectSchema* schema = findSchema(crossDeviceOpsSchemas(), strategy.cross_device_ops.class_name)) {
            for (const FieldSchema& field : schema->fields) {
                if (field.name == name) {
                    return field.fallback;
                }
            }
        }
    }
    return {};
}

void setStrategyField(RunSpec& run, std::string_view path, const FieldValue& value) {
    const RunSpec usual;
    const auto whole = [&](std::int64_t fallback) {
        const auto* number = std::get_if<std::int64_t>(&value);
        return number == nullptr ? fallback : *number;
    };
    StrategySpec& strategy = run.strategy;
    constexpr std::string_view kOps = "strategy.cross_device_ops.";
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
    } else if (path == "strategy.cross_device_ops") {
        const auto* object = std::get_if<ObjectBox>(&value);
        strategy.cross_device_ops = object == nullptr ? usual.strategy.cross_device_ops : object->get();
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
        run.cluster.on_task_lost = name != nullptr && *name == kTaskLost[1] ? OnTaskLost::kFail : OnTaskLost::kRestart;
    } else if (path == "cluster.max_restarts") {
        run.cluster.max_restarts = whole(usual.cluster.max_restarts);
    } else if (path == "cluster.threads_per_task") {
        run.cluster.threads_per_task = whole(usual.cluster.threads_per_task);
    } else if (path.starts_with(kOps)) {
        const std::string_view name = path.substr(kOps.size());
        const auto* text = std::get_if<std::string>(&value);
        const bool absent = std::holds_alternative<std::monostate>(value) || (text != nullptr && text->empty());
        absent ? strategy.cross_device_ops.config.erase(name) : strategy.cross_device_ops.config.set(name, value);
    }
}

std::string communicationChoice(const RunSpec& run, const GpuInventory& host) {
    if (run.strategy.name != "MultiWorkerMirroredStrategy" || run.strategy.communication == "RING") {
        return "";
    }
    const std::vector<TaskGpus> tasks = gpusOfTasks(run, host);
    if (tasks.empty()) {
        return "";
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
