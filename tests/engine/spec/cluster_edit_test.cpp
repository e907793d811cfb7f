#include "engine/spec/cluster/cluster_edit.h"

#include <gtest/gtest.h>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

const std::vector<int> kPorts{12345, 23456, 34567, 45678, 56789};

// "chief 0 localhost:1, worker 0 ... | Strategy"
std::string text(const RunSpec& run) {
    std::string out;
    for (const TaskId& task : allTasks(run.cluster.spec)) {
        out += (out.empty() ? "" : ", ") + toString(task) + " " + *run.cluster.spec.address(task);
    }
    return out + " | " + run.strategy.name;
}

std::string clusterFaults(const RunSpec& run) {
    std::string out;
    for (const Diagnostic& d : validate(run)) {
        if (d.path.starts_with("cluster") && d.severity == Severity::kError) out += toString(d) + "\n";
    }
    return out;
}

RunSpec workers(int count) {
    RunSpec run;
    useTemplate(run, ClusterTemplate::kWorkers, count, kPorts);
    return run;
}

TEST(ClusterEdit, MakesEveryTemplateWithoutAFault) {
    RunSpec run;
    useTemplate(run, ClusterTemplate::kWorkers, 2, kPorts);
    EXPECT_EQ(text(run), "worker 0 localhost:12345, worker 1 localhost:23456 | MultiWorkerMirroredStrategy");
    EXPECT_EQ(clusterFaults(run), "");
    useTemplate(run, ClusterTemplate::kParameterServer, 0, kPorts);
    EXPECT_EQ(
        text(run),
        "ps 0 localhost:12345, worker 0 localhost:23456, worker 1 localhost:34567, worker 2 localhost:45678 | ParameterServerStrategy");
    EXPECT_EQ(clusterFaults(run), "");
    useTemplate(run, ClusterTemplate::kChiefWorkersEvaluator, 0, kPorts);
    EXPECT_EQ(text(run),
              "chief 0 localhost:12345, worker 0 localhost:23456, worker 1 localhost:34567, evaluator 0 localhost:45678 | "
              "MultiWorkerMirroredStrategy");
    EXPECT_EQ(clusterFaults(run), "");
    useTemplate(run, ClusterTemplate::kOneTask, 1, kPorts);
    EXPECT_EQ(text(run), " | MultiWorkerMirroredStrategy");
}

TEST(ClusterEdit, GivesEightWorkersPortsOfTheirOwn) {
    const RunSpec run = workers(8);
    EXPECT_EQ(run.cluster.spec.taskCount("worker"), 8);
    EXPECT_EQ(clusterFaults(run), "");
}

TEST(ClusterEdit, AFirstTaskBesideTheOneThatTrainsAloneMakesACluster) {
    RunSpec run;
    EXPECT_EQ(addTask(run, "worker", "localhost", kPorts), (TaskId{"worker", 1}));
    EXPECT_EQ(text(run), "worker 0 localhost:12345, worker 1 localhost:23456 | MultiWorkerMirroredStrategy");
    EXPECT_EQ(addTask(run, "ps", "node1", kPorts), (TaskId{"ps", 0}));
    EXPECT_EQ(text(run), "worker 0 localhost:12345, worker 1 localhost:23456, ps 0 node1:12345 | ParameterServerStrategy");
    removeTask(run, {"ps", 0});
    EXPECT_EQ(run.strategy.name, "MultiWorkerMirroredStrategy");
}

TEST(ClusterEdit, RefusesASecondChiefOrEvaluator) {
    RunSpec run;
    addTask(run, "chief", "localhost", kPorts);
    EXPECT_EQ(addObstacle(run.cluster.spec, "chief"), "a cluster has at most one chief");
    EXPECT_EQ(addObstacle(run.cluster.spec, "worker"), "");
    EXPECT_NE(addObstacle(run.cluster.spec, "master"), "");
}

TEST(ClusterEdit, TasksMoveUpWhenOneIsRemoved) {
    RunSpec run = workers(3);
    removeTask(run, {"worker", 0});
    EXPECT_EQ(text(run), "worker 0 localhost:23456, worker 1 localhost:34567 | MultiWorkerMirroredStrategy");
    removeTask(run, {"worker", 5});
    EXPECT_EQ(run.cluster.spec.taskCount("worker"), 2);
    removeTask(run, {"worker", 1});
    EXPECT_TRUE(run.cluster.spec.empty()) << "one worker is no cluster";
}

TEST(ClusterEdit, MovesATaskAndKeepsItsPortWhereItIsFree) {
    RunSpec run = workers(2);
    addHost(run, "node1");
    moveTask(run, {"worker", 1}, "node1", kPorts);
    EXPECT_EQ(text(run), "worker 0 localhost:12345, worker 1 node1:23456 | MultiWorkerMirroredStrategy");
    moveTask(run, {"worker", 0}, "node1", kPorts);
    setAddress(run, {"worker", 0}, "localhost:23456");
    moveTask(run, {"worker", 0}, "node1", kPorts);
    EXPECT_EQ(*run.cluster.spec.address({"worker", 0}), "node1:23457") << "its port is worker 1's there";
    moveTask(run, {"worker", 1}, "localhost", kPorts);
    EXPECT_EQ(*run.cluster.spec.address({"worker", 1}), "localhost:23456");
}

TEST(ClusterEdit, HostsAreThisComputerThenTheOthersThenThoseWithoutTasks) {
    RunSpec run = workers(2);
    addHost(run, "spare");
    addHost(run, "spare");
    moveTask(run, {"worker", 1}, "node1", kPorts);
    const auto mine = [](const std::string& name) { return name == "laptop"; };
    const std::vector<ClusterHost> expected{{"localhost", true, {{"worker", 0}}}, {"node1", false, {{"worker", 1}}}, {"spare", false, {}}};
    EXPECT_EQ(hostsOf(run.cluster, mine), expected);
    renameHost(run, "node1", "laptop");
    EXPECT_EQ(hostsOf(run.cluster, mine).front().tasks.size(), 2U) << "its own name is this computer";
    removeHost(run, "spare", kPorts);
    EXPECT_EQ(hostsOf(run.cluster, mine).size(), 1U);
}

TEST(ClusterEdit, AHostThatGoesLeavesItsTasksHere) {
    RunSpec run = workers(2);
    moveTask(run, {"worker", 1}, "node1", kPorts);
    removeHost(run, "node1", kPorts);
    EXPECT_EQ(text(run), "worker 0 localhost:12345, worker 1 localhost:23456 | MultiWorkerMirroredStrategy");
}

TEST(ClusterEdit, KeepsHostsWithoutTasksInTheProject) {
    RunSpec run = workers(2);
    addHost(run, "node1");
    const ProjectReport read = parseProject(toProjectJson(run));
    EXPECT_FALSE(hasErrors(read.diagnostics));
    EXPECT_EQ(read.run.cluster, run.cluster);
}

TEST(ClusterEdit, ChoosesAStrategyWithTheClusterItNeeds) {
    RunSpec run;
    chooseStrategy(run, "MultiWorkerMirroredStrategy", kPorts);
    EXPECT_EQ(run.cluster.spec.taskCount("worker"), 2);
    addTask(run, "ps", "localhost", kPorts);
    chooseStrategy(run, "MultiWorkerMirroredStrategy", kPorts);
    EXPECT_EQ(run.cluster.spec.taskCount("ps"), 0);
    chooseStrategy(run, "MirroredStrategy", kPorts);
    EXPECT_TRUE(run.cluster.spec.empty());
    EXPECT_FALSE(hasErrors(validate(run)) && clusterFaults(run) != "");
}

TEST(ClusterEdit, KeepsTheDevicesOfATaskForEveryWorker) {
    RunSpec run;
    run.strategy.logical_cpus = 2;
    const std::int64_t batch = run.data.batch_size_per_replica;
    chooseStrategy(run, "MultiWorkerMirroredStrategy", kPorts);
    EXPECT_EQ(run.strategy.logical_cpus, 2);
    EXPECT_EQ(run.data.batch_size_per_replica, batch);
    EXPECT_EQ(clusterFaults(run), "");
    const auto fields = strategyFields(run);
    const auto found = std::find_if(fields.begin(), fields.end(), [](const auto& field) { return field.path == "strategy.logical_cpus"; });
    ASSERT_NE(found, fields.end());
    EXPECT_EQ(found->schema.hint, "Each worker's processor as so many devices; 0: one");
}

TEST(StrategySupport, SaysWhyAStrategyCannotBeChosen) {
    RunSpec run;
    const auto optionOf = [&](const std::string& name) {
        for (const StrategyOption& option : strategyOptions(run)) {
            if (option.name == name) return option;
        }
        return StrategyOption{};
    };
    EXPECT_EQ(optionOf("ParameterServerStrategy").obstacle, "needs a ps task");
    EXPECT_EQ(optionOf("TPUStrategy").obstacle, "") << "a script can be made anywhere";
    EXPECT_EQ(optionOf("MultiWorkerMirroredStrategy").obstacle, "");
    EXPECT_EQ(optionOf("MultiWorkerMirroredStrategy").limit, "");
    EXPECT_EQ(optionOf("OneDeviceStrategy").name, "") << "offered only where a project uses it";
    useTemplate(run, ClusterTemplate::kParameterServer, 0, kPorts);
    EXPECT_EQ(optionOf("ParameterServerStrategy").obstacle, "");
    EXPECT_EQ(optionOf("ParameterServerStrategy").limit, "");
    EXPECT_EQ(optionOf("MirroredStrategy").sentence, "One process; removes the 4 tasks");
}

TEST(StrategySupport, HoldsTheTableOfTheGuide) {
    const auto guide = [](const char* name, TrainingApi api) { return findStrategy(name)->guide[static_cast<std::size_t>(api)].level; };
    EXPECT_EQ(guide("MirroredStrategy", TrainingApi::kKerasFit), Support::kFull);
    EXPECT_EQ(guide("TPUStrategy", TrainingApi::kKerasFit), Support::kPlanned);
    EXPECT_EQ(guide("MultiWorkerMirroredStrategy", TrainingApi::kKerasFit), Support::kExperimental);
    EXPECT_EQ(guide("TPUStrategy", TrainingApi::kCustomLoop), Support::kFull);
    EXPECT_EQ(guide("ParameterServerStrategy", TrainingApi::kCustomLoop), Support::kNone);
    EXPECT_EQ(guide("CentralStorageStrategy", TrainingApi::kEstimator), Support::kLimited);
    for (const StrategyRow& row : strategyTable()) {
        for (const auto& cells : {row.guide, row.today, row.here}) {
            for (const SupportCell& cell : cells) EXPECT_EQ(cell.reason.empty(), cell.level == Support::kFull) << row.name;
        }
        EXPECT_LE(row.brief.size(), 40U);
        EXPECT_TRUE(supportText(row, TrainingApi::kEstimator).starts_with("Estimator: "));
    }
}

TEST(StrategyTable, HasARowForEachKind) {
    EXPECT_EQ(strategyTable().size(), static_cast<std::size_t>(StrategyKind::kTpu) + 1);
    for (int i = 0; i <= static_cast<int>(StrategyKind::kTpu); ++i) {
        const auto kind = static_cast<StrategyKind>(i);
        EXPECT_EQ(rowOf(kind).kind, kind);
        EXPECT_EQ(strategyKind(strategyName(kind)), kind);
    }
    EXPECT_EQ(strategyKind("mirroredstrategy"), std::nullopt);
    EXPECT_EQ(tfConfigUse("ParameterServerStrategy"), TfConfigUse::kParameterServer);
    EXPECT_EQ(tfConfigUse("SomeLaterStrategy"), TfConfigUse::kMultiWorker);
}

TEST(StrategyTable, DiagnosticsNameEveryStrategyInTheOrderOfKinds) {
    RunSpec run;
    run.strategy.name = "SomeLaterStrategy";
    const Diagnostics found = validate(run);
    const auto named = std::find_if(found.begin(), found.end(), [](const Diagnostic& one) { return one.path == "strategy.name"; });
    ASSERT_NE(named, found.end());
    EXPECT_EQ(named->message,
              "expected DefaultStrategy, OneDeviceStrategy, MirroredStrategy, MultiWorkerMirroredStrategy, "
              "CentralStorageStrategy, ParameterServerStrategy or TPUStrategy, got SomeLaterStrategy");
}

TEST(StrategySupport, EveryFieldReadsAndTakesItsValue) {
    for (const char* name :
         {"MirroredStrategy", "MultiWorkerMirroredStrategy", "CentralStorageStrategy", "ParameterServerStrategy", "TPUStrategy"}) {
        RunSpec run;
        run.strategy.name = name;
        const std::vector<StrategyField> fields = strategyFields(run);
        EXPECT_FALSE(fields.empty()) << name;
        for (const StrategyField& field : fields) {
            EXPECT_EQ(strategyField(run, field.path), field.schema.fallback) << field.path;
            RunSpec changed = run;
            const FieldValue value = field.schema.kind == FieldKind::kBool     ? FieldValue(true)
                                     : field.schema.kind == FieldKind::kInt    ? FieldValue(std::int64_t{2})
                                     : field.schema.kind == FieldKind::kDouble ? FieldValue(5.0)
                                     : field.schema.kind == FieldKind::kChoice ? FieldValue(field.schema.choices.back())
                                     : field.schema.kind == FieldKind::kString
                                         ? FieldValue(std::string("CPU:0"))
                                         : FieldValue(ObjectBox(ObjectSpec{field.schema.choices[1], {}}));
            setStrategyField(changed, field.path, value);
            EXPECT_EQ(strategyField(changed, field.path), value) << field.path;
            EXPECT_NE(changed, run) << field.path;
            setStrategyField(changed, field.path, {});
            EXPECT_EQ(changed, run) << field.path;
        }
    }
}

TEST(StrategySupport, ARunThatGoesOnWithFewerWorkersMayScaleItsLearningRate) {
    RunSpec run;
    run.strategy.name = "MultiWorkerMirroredStrategy";
    const auto hasIt = [&] {
        const std::vector<StrategyField> fields = strategyFields(run);
        return std::any_of(fields.begin(), fields.end(), [](const auto& one) { return one.path == "cluster.scale_learning_rate"; });
    };
    EXPECT_FALSE(hasIt());
    setStrategyField(run, "cluster.on_task_lost", std::string("continue"));
    EXPECT_EQ(run.cluster.on_task_lost, OnTaskLost::kContinue);
    ASSERT_TRUE(hasIt());
    setStrategyField(run, "cluster.scale_learning_rate", true);
    EXPECT_TRUE(run.cluster.scale_learning_rate);
    EXPECT_EQ(strategyField(run, "cluster.scale_learning_rate"), FieldValue(true));
}

TEST(StrategySupport, APartitionerThatIsChosenBeginsWithNumbersThatWork) {
    RunSpec run;
    useTemplate(run, ClusterTemplate::kParameterServer, 0, kPorts);
    for (Job& job : run.cluster.spec.jobs) {
        if (job.name == "ps") job.tasks[1] = "localhost:29999";
    }
    run.strategy.name = "ParameterServerStrategy";
    const auto paths = [&] {
        std::string text;
        for (const StrategyField& field : strategyFields(run)) {
            if (field.path.find("partitioner") != std::string::npos) text += field.path.substr(sizeof("strategy.") - 1) + " ";
        }
        return text;
    };
    EXPECT_EQ(paths(), "variable_partitioner ");
    setStrategyField(run, "strategy.variable_partitioner", ObjectBox(ObjectSpec{"FixedShardsPartitioner", {}}));
    EXPECT_EQ(strategyField(run, "strategy.variable_partitioner.num_shards"), FieldValue(std::int64_t{2})) << "a shard for each ps";
    EXPECT_EQ(paths(), "variable_partitioner variable_partitioner.num_shards ");
    setStrategyField(run, "strategy.variable_partitioner", ObjectBox(ObjectSpec{"MinSizePartitioner", {}}));
    EXPECT_EQ(strategyField(run, "strategy.variable_partitioner.min_shard_bytes"), FieldValue(std::int64_t{256 * 1024}));
    setStrategyField(run, "strategy.variable_partitioner.max_shards", std::int64_t{3});
    EXPECT_EQ(run.strategy.variable_partitioner.config.getInt("max_shards", 0), 3);
    setStrategyField(run, "strategy.variable_partitioner", ObjectBox(ObjectSpec{"MaxSizePartitioner", {}}));
    EXPECT_EQ(strategyField(run, "strategy.variable_partitioner.max_shard_bytes"), FieldValue(std::int64_t{256 * 1024}));
    EXPECT_EQ(strategyField(run, "strategy.variable_partitioner.max_shards"), FieldValue()) << "as many as it takes";
    for (const Diagnostic& found : validate(run)) EXPECT_FALSE(found.path.starts_with("strategy")) << toString(found);
}

TEST(StrategySupport, ZeroIsABoundOfStalenessAndNullIsNone) {
    RunSpec run;
    run.strategy.name = "ParameterServerStrategy";
    EXPECT_EQ(strategyField(run, "strategy.max_staleness"), FieldValue());
    setStrategyField(run, "strategy.max_staleness", std::int64_t{0});
    EXPECT_EQ(run.strategy.max_staleness, 0);
    EXPECT_EQ(strategyField(run, "strategy.max_staleness"), FieldValue(std::int64_t{0}));
    setStrategyField(run, "strategy.max_staleness", {});
    EXPECT_EQ(run.strategy.max_staleness, std::nullopt);
}

}  // namespace
}  // namespace engine::spec
