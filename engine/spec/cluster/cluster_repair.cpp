#include "engine/spec/cluster/cluster_repair.h"

#include <algorithm>
#include <functional>

#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

bool same(const Diagnostic& a, const Diagnostic& b) {
    return a.path == b.path && a.message == b.message;
}

std::ptrdiff_t errorsIn(const Diagnostics& all) {
    return std::count_if(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

class RunRepairer {
public:
    RunRepairer(const RunSpec& run, const Diagnostic& finding, const RepairFacts& facts)
        : run_(run), finding_(finding), facts_(facts), before_(validate(run)) {}

    std::optional<Repair> repair() {
        const std::string& path = finding_.path;
        if (path.starts_with("strategy.")) {
            strategy(path.substr(9));
        } else if (path == "cluster.start_timeout_s") {
            attempt("Wait 600 seconds, as usual", [](RunSpec& run) { run.cluster.start_timeout_s = 600; });
        } else if (path == "cluster.heartbeat_fatal_s") {
            attempt("Wait ten seconds for a sign of life, as usual",
                    [](RunSpec& run) { run.cluster.heartbeat_fatal_s = ClusterSettings{}.heartbeat_fatal_s; });
        } else if (path == "cluster.max_restarts") {
            attempt("Restart three times, as usual", [](RunSpec& run) { run.cluster.max_restarts = ClusterSettings{}.max_restarts; });
        } else if (path == "cluster.on_task_lost") {
            attempt("Restart all tasks, as usual", [](RunSpec& run) { run.cluster.on_task_lost = ClusterSettings{}.on_task_lost; });
        } else if (path == "cluster.home_lost_s") {
            attempt("Let tasks go on without home, as usual",
                    [](RunSpec& run) { run.cluster.home_lost_s = ClusterSettings{}.home_lost_s; });
        } else if (path == "cluster.threads_per_task") {
            attempt("Share the cores evenly", [](RunSpec& run) { run.cluster.threads_per_task = 0; });
        } else if (path == "data.order" || (path == "data.shuffle" && finding_.fix.starts_with("Move shuffle"))) {
            order();
        } else if (path == "data.mix") {
            mix();
        } else if (path == "cluster" || path.starts_with("cluster.")) {
            const bool of_validate = std::any_of(before_.begin(), before_.end(), [&](const Diagnostic& d) { return same(d, finding_); });
            of_validate ? cluster() : hostFinding();
        }
        return std::move(found_);
    }

private:
    void attempt(const std::string& text, const std::function<void(RunSpec&)>& edit) {
        if (found_) {
            return;
        }
        RunSpec after = run_;
        edit(after);
        const Diagnostics found = validate(after);
        if (after == run_ || std::any_of(found.begin(), found.end(), [&](const Diagnostic& d) { return same(d, finding_); }) ||
            errorsIn(found) > errorsIn(before_)) {
            return;
        }
        found_ = Repair{text, std::move(after)};
    }

    void strategy(const std::string& field) {
        const StrategySpec usual;
        if (field == "name") {
            if (run_.cluster.spec.taskCount("ps") > 0) {
                attempt("Use ParameterServerStrategy",
                        [](RunSpec& run) { run.strategy.name = strategyName(StrategyKind::kParameterServer); });
            }
            const bool several = !run_.cluster.spec.empty();
            const std::string fitting = strategyName(several ? StrategyKind::kMultiWorkerMirrored : StrategyKind::kMirrored);
            attempt("Use " + fitting, [&](RunSpec& run) { chooseStrategy(run, fitting, facts_.free_ports); });
        } else if (field == "communication") {
            attempt("Let AUTO choose", [](RunSpec& run) { run.strategy.communication = "AUTO"; });
        } else if (field == "bytes_per_pack") {
            attempt("Leave the size of packs to the engine", [](RunSpec& run) { run.strategy.bytes_per_pack = 0; });
        } else if (field == "logical_cpus" || field == "logical_gpus" || field.starts_with("devices")) {
            attempt("Use one device", [](RunSpec& run) {
                run.strategy.devices.clear();
                run.strategy.logical_cpus = 0;
                run.strategy.logical_gpus = 0;
            });
            attempt("Use every device of the list once", [](RunSpec& run) {
                std::vector<std::string> names;
                for (const DeviceName& device : devicesOf(run.strategy)) {
                    if (std::find(names.begin(), names.end(), toString(device)) == names.end()) {
                        names.push_back(toString(device));
                    }
                }
                run.strategy.devices = std::move(names);
            });
        } else if (field == "cross_device_ops.reduce_to_device") {
            attempt("Add up on the first device", [](RunSpec& run) { run.strategy.cross_device_ops.config.erase("reduce_to_device"); });
        } else if (field.starts_with("cross_device_ops")) {
            attempt("Use NcclAllReduce, as usual", [&](RunSpec& run) { run.strategy.cross_device_ops = usual.cross_device_ops; });
        }
    }

    // The step at fault goes to the nearest place that helps.
    void order() {
        const std::vector<DataStep>& order = run_.data.order;
        const auto at_fault = finding_.path == "data.shuffle" ? std::optional(DataStep::kShuffle)
                                                              : dataStepOf(finding_.message.substr(0, finding_.message.find(':')));
        const auto found = at_fault ? std::find(order.begin(), order.end(), *at_fault) : order.end();
        const auto at = found - order.begin();
        for (std::ptrdiff_t distance = 1; found != order.end() && distance < std::ssize(order); ++distance) {
            for (const auto& [other, side] : {std::pair{at - distance, Side::kBefore}, {at + distance, Side::kBehind}}) {
                if (other < 0 || other >= std::ssize(order)) {
                    continue;
                }
                const DataStep beside = order[static_cast<std::size_t>(other)];
                attempt(std::string("Move ") + dataStepName(*at_fault) + (side == Side::kBefore ? " before " : " behind ") +
                            dataStepName(beside),
                        [&, side = side](RunSpec& run) { run.data.order = movedStep(order, *at_fault, side, beside); });
            }
        }
        attempt("Use the usual order", [](RunSpec& run) { run.data.order = DataSpec().order; });
    }

    // Labels that can be mixed are rows, which the loss of class indices has a sibling for.
    void mix() {
        const std::vector<LayerInfo> infos = inferShapes(run_.model);
        if (run_.compile.loss.class_name == "SparseCategoricalCrossentropy" && !infos.empty() && !infos.back().output_shape.empty()) {
            attempt("Take labels as rows, with CategoricalCrossentropy", [&](RunSpec& run) {
                run.compile.loss.class_name = "CategoricalCrossentropy";
                run.data.one_hot = infos.back().output_shape.back();
            });
        }
        attempt("Mix no samples", [](RunSpec& run) { run.data.mix = {}; });
    }

    // A finding of the cluster's rules: the TF_CONFIG of its first task is mended, and the project takes that cluster.
    void cluster() {
        if (finding_.path.starts_with("cluster.evaluator[") && finding_.severity == Severity::kWarning) {
            attempt("Remove the evaluator",
                    [](RunSpec& run) { std::erase_if(run.cluster.spec.jobs, [](const Job& job) { return job.name == "evaluator"; }); });
            return;
        }
        if (finding_.path == "cluster.ps" && strategyKind(run_.strategy.name) == StrategyKind::kMultiWorkerMirrored) {
            attempt("Use ParameterServerStrategy", [](RunSpec& run) { run.strategy.name = strategyName(StrategyKind::kParameterServer); });
        }
        const TfConfigUse use = tfConfigUse(run_.strategy.name);
        const ClusterSpec& cluster = run_.cluster.spec;
        const std::vector<TaskId> tasks = cluster.trainingTasks();
        const TaskId task = tasks.empty() ? TaskId{} : tasks.front();
        if (const auto mended = repairTfConfig(toTfConfigJson(cluster, task), use, finding_, facts_)) {
            attempt(mended->text, [&](RunSpec& run) { run.cluster.spec = checkTfConfig(mended->tf_config, use).config.cluster; });
        }
        if (cluster.trainingTasks().empty()) {
            attempt("Add a worker on this computer", [&](RunSpec& run) { addTask(run, "worker", "localhost", facts_.free_ports); });
        }
        attempt("Train without a cluster", [](RunSpec& run) {
            run.cluster.spec = {};
            run.strategy.name = strategyName(StrategyKind::kMirrored);
        });
    }

    // What a host knows of an address: its port is taken, or it is another computer's.
    void hostFinding() {
        for (const TaskId& task : allTasks(run_.cluster.spec)) {
            if (pathOf(task) != finding_.path) {
                continue;
            }
            const std::string host = hostOf(*run_.cluster.spec.address(task));
            const bool elsewhere = !isLoopbackName(host) && host != facts_.host_name;
            if (elsewhere) {
                attempt("Move " + toString(task) + " to this computer",
                        [&](RunSpec& run) { moveTask(run, task, "localhost", facts_.free_ports); });
                return;
            }
            const int port = unusedPort(run_.cluster.spec, host, facts_.free_ports);
            attempt("Give " + toString(task) + " port " + std::to_string(port),
                    [&](RunSpec& run) { setAddress(run, task, joinHostPort(host, port)); });
            return;
        }
    }

    const RunSpec& run_;
    const Diagnostic& finding_;
    const RepairFacts& facts_;
    const Diagnostics before_;
    std::optional<Repair> found_;
};

}  // namespace

std::optional<Repair> repairRun(const RunSpec& run, const Diagnostic& finding, const RepairFacts& facts) {
    return RunRepairer(run, finding, facts).repair();
}

}  // namespace engine::spec
