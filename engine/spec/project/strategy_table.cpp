#include "engine/spec/project/strategy_table.h"

#include <algorithm>
#include <iterator>

namespace engine::spec {
namespace {

constexpr SupportCell kYes{Support::kFull, ""};
constexpr SupportCell kExperimental{Support::kExperimental, "may change in a later version"};
constexpr SupportCell kPlanned{Support::kPlanned, "planned for 2.0 RC"};
constexpr SupportCell kBasics{Support::kLimited, "basic training and evaluation; no scaffold"};
constexpr SupportCell kNoEstimator{Support::kNone, "tf.estimator was removed"};
constexpr SupportCell kNotHere{Support::kNone, "not in this version"};
constexpr SupportCell kNeedsTpu{Support::kLimited, "needs a TPU"};
constexpr SupportCell kNotInGuide{Support::kNone, "not in the guide"};
constexpr SupportCell kScript{Support::kNone, "exported as a script for a TPU"};

std::string_view serverObstacle(const ClusterSpec& cluster) {
    if (cluster.taskCount("ps") == 0) {
        return "needs a ps task";
    }
    return cluster.taskCount("worker") == 0 ? "needs a worker task" : "";
}

// Cells are in the order of TrainingApi: Keras fit, custom loop, Estimator.
constexpr StrategyRow kTable[] = {
    {.kind = StrategyKind::kMultiWorkerMirrored,
     .name = "MultiWorkerMirroredStrategy",
     .sentence = "Every worker keeps a full copy; gradients are summed in each step.",
     .brief = "Several workers, a full copy each",
     .guide = {kExperimental, kPlanned, kBasics},
     .today = {SupportCell{Support::kLimited, "Keras 2; with Keras 3 fit fails before the first step"}, kYes, kNoEstimator},
     .here = {kYes, kYes, kYes},
     .runs = true,
     .is_clustered = true,
     .has_replicas = true,
     .arguments = {"communication", "cluster_resolver"}},
    {.kind = StrategyKind::kMirrored,
     .name = "MirroredStrategy",
     .sentence = "Several devices of one host, each with a full copy.",
     .brief = "Several devices of one host",
     .guide = {kYes, kYes, kBasics},
     .today = {kYes, kYes, kNoEstimator},
     .here = {kYes, kYes, kYes},
     .runs = true,
     .has_replicas = true,
     .arguments = {"devices", "cross_device_ops"}},
    {.kind = StrategyKind::kParameterServer,
     .name = "ParameterServerStrategy",
     .sentence = "Variables live on ps tasks; workers compute by themselves.",
     .brief = "Variables on ps tasks",
     .guide = {kPlanned, SupportCell{Support::kNone, "not supported yet"}, kBasics},
     .today = {SupportCell{Support::kLimited, "Keras 2 with steps_per_epoch; not with Keras 3"}, kYes, kNoEstimator},
     .here = {kYes, kYes, kYes},
     .runs = true,
     .is_clustered = true,
     .has_servers = true,
     .arguments = {"cluster_resolver"},
     .obstacle = serverObstacle},
    {.kind = StrategyKind::kCentralStorage,
     .name = "CentralStorageStrategy",
     .sentence = "Variables on one device, computation on all of one host.",
     .brief = "Variables on one device of one host",
     .guide = {kExperimental, kPlanned, kBasics},
     .today = {kYes, kYes, kNoEstimator},
     .here = {kYes, kYes, kYes},
     .runs = true,
     .has_replicas = true,
     .module = "tf.distribute.experimental.",
     .arguments = {"compute_devices"}},
    {.kind = StrategyKind::kTpu,
     .name = "TPUStrategy",
     .sentence = "The cores of a TPU, each with a full copy.",
     .brief = "A TPU's cores, by an exported script",
     .guide = {kPlanned, kYes, kBasics},
     .today = {kNeedsTpu, kNeedsTpu, kNoEstimator},
     .here = {kScript, kNotHere, kNotHere},
     .limit = "a TPU is trained on by the exported script, since no PJRT plug-in runs a project in this version",
     .arguments = {"tpu_cluster_resolver"}},
    {.kind = StrategyKind::kOneDevice,
     .name = "OneDeviceStrategy",
     .sentence = "Everything on one device.",
     .brief = "Everything on one device",
     .guide = {kNotInGuide, kNotInGuide, kNotInGuide},
     .today = {kYes, kYes, kNoEstimator},
     .here = {kYes, kYes, kYes},
     .runs = true,
     .is_offered = false,
     .arguments = {"device"}},
    {.kind = StrategyKind::kDefault,
     .name = "DefaultStrategy",
     .sentence = "No distribution.",
     .brief = "No distribution",
     .guide = {kNotInGuide, kNotInGuide, kNotInGuide},
     .today = {kYes, kYes, kNoEstimator},
     .here = {kYes, kYes, kYes},
     .runs = true,
     .is_offered = false,
     .arguments = {"devices", "cross_device_ops"}},
};

}  // namespace

std::span<const StrategyRow> strategyTable() {
    return kTable;
}

const StrategyRow& rowOf(StrategyKind kind) {
    return *std::find_if(std::begin(kTable), std::end(kTable), [kind](const StrategyRow& row) { return row.kind == kind; });
}

const StrategyRow* findStrategy(std::string_view name) {
    const auto* found = std::find_if(std::begin(kTable), std::end(kTable), [name](const StrategyRow& row) { return row.name == name; });
    return found == std::end(kTable) ? nullptr : found;
}

std::optional<StrategyKind> strategyKind(std::string_view name) {
    const StrategyRow* row = findStrategy(name);
    return row == nullptr ? std::nullopt : std::optional(row->kind);
}

std::string strategyName(StrategyKind kind) {
    return std::string(rowOf(kind).name);
}

TfConfigUse tfConfigUse(std::string_view strategy) {
    const StrategyRow* row = findStrategy(strategy);
    return row != nullptr && row->has_servers ? TfConfigUse::kParameterServer : TfConfigUse::kMultiWorker;
}

}  // namespace engine::spec
