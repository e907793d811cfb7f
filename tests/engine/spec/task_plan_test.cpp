#include "engine/spec/cluster/task_plan.h"

#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/spec/events/engine_question.h"

namespace engine::spec {
namespace {

RunSpec smallRun() {
    RunSpec run;
    run.model.input_shape = {4};
    run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{3}}, {"activation", "softmax"}}}};
    return run;
}

TEST(TaskPlan, GivesEveryLocalWorkerItsTask) {
    RunSpec run = smallRun();
    useLocalWorkers(run, {12345, 23456});
    const std::vector<TaskPlan> plans = planTasks(run);
    ASSERT_EQ(plans.size(), 2U);
    EXPECT_EQ(run.strategy.name, "MultiWorkerMirroredStrategy");
    EXPECT_EQ(toString(plans[1].task), "worker 1");
    EXPECT_EQ(plans[1].address, "localhost:23456");
    EXPECT_TRUE(plans[0].is_chief);
    EXPECT_FALSE(plans[1].is_chief);
    EXPECT_EQ(plans[1].rank, 1);
    EXPECT_EQ(plans[1].replicas, 2);
    EXPECT_EQ(plans[1].global_batch_size, 128);
    EXPECT_EQ(plans[1].tf_config,
              R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 1}})");
}

TEST(TaskPlan, NeedsNoClusterForOneTask) {
    RunSpec run = smallRun();
    useLocalWorkers(run, {12345, 23456});
    useLocalWorkers(run, {12345});
    const std::vector<TaskPlan> plans = planTasks(run);
    ASSERT_EQ(plans.size(), 1U);
    EXPECT_TRUE(plans[0].is_chief);
    EXPECT_EQ(plans[0].tf_config, "");
    EXPECT_EQ(plans[0].global_batch_size, 64);
}

TEST(TaskPlan, CountsTheDevicesOfATask) {
    RunSpec run = smallRun();
    run.strategy.devices = {"/cpu:1", "CPU:0"};
    const TaskPlan plan = planTasks(run).front();
    EXPECT_EQ(plan.devices, (std::vector<std::string>{"CPU:1", "CPU:0"}));
    EXPECT_EQ(plan.replicas, 1);
    EXPECT_EQ(plan.global_batch_size, 128);
    EXPECT_EQ(stepsPerEpoch(run, 1000, 1), 8);
}

TEST(TaskPlan, CountsTheDevicesOfEveryWorker) {
    RunSpec run = smallRun();
    run.strategy.logical_cpus = 2;
    useLocalWorkers(run, {12345, 23456, 34567});
    const std::vector<TaskPlan> plans = planTasks(run);
    ASSERT_EQ(plans.size(), 3U);
    for (const TaskPlan& plan : plans) {
        EXPECT_EQ(plan.devices, (std::vector<std::string>{"CPU:0", "CPU:1"}));
        EXPECT_EQ(plan.replicas, 3);
        EXPECT_EQ(plan.global_batch_size, 64 * 6);
    }
    EXPECT_EQ(stepsPerEpoch(run, 1000, 3), 3);
    run.data.auto_shard = AutoShardPolicy::kOff;
    EXPECT_EQ(stepsPerEpoch(run, 1000, 3), 8) << "every worker reads all samples, 128 a step";
    EXPECT_EQ(stepsPerEpoch(run, SetSize{500, {200, 100, 100, 100}}, 3), 4);
    run.data.auto_shard = AutoShardPolicy::kFile;
    EXPECT_EQ(stepsPerEpoch(run, SetSize{500, {200, 100, 100, 100}}, 3), 3) << "300 samples of the first worker";
}

TEST(TaskPlan, RanksTheChiefFirst) {
    RunSpec run = smallRun();
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.cluster.spec = {{{"worker", {{0, "h1:1"}, {1, "h2:1"}}}, {"chief", {{0, "h0:1"}}}}};
    const std::vector<TaskPlan> plans = planTasks(run);
    ASSERT_EQ(plans.size(), 3U);
    EXPECT_EQ(toString(plans[0].task), "chief 0");
    EXPECT_TRUE(plans[0].is_chief);
    EXPECT_FALSE(plans[1].is_chief);
    EXPECT_EQ(plans[2].rank, 2);
}

TEST(TaskPlan, AChiefOfParameterServersCoordinates) {
    RunSpec run = smallRun();
    run.strategy.name = "ParameterServerStrategy";
    run.cluster.spec = {{{"chief", {{0, "h0:1"}}}, {"worker", {{0, "h1:1"}, {1, "h2:1"}}}, {"ps", {{0, "h3:1"}}}}};
    std::vector<TaskPlan> plans = planTasks(run);
    ASSERT_EQ(plans.size(), 4U);
    EXPECT_TRUE(coordinates(plans[0])) << toString(plans[0].task);
    for (std::size_t i = 1; i < plans.size(); ++i) EXPECT_FALSE(coordinates(plans[i])) << toString(plans[i].task);
    EXPECT_EQ(plans[1].coordinated_workers, 2);
    run.estimator.emplace();
    EXPECT_FALSE(coordinates(planTasks(run)[0])) << "TensorFlow 1's chief trains";
    run.estimator.reset();
    run.cluster.spec = {{{"worker", {{0, "h1:1"}, {1, "h2:1"}}}, {"ps", {{0, "h3:1"}}}}};
    plans = planTasks(run);
    EXPECT_TRUE(plans[0].is_chief && !coordinates(plans[0]));
}

TEST(TaskPlan, AModelAloneNeedsNoneOfTheDevicesItWasTrainedOn) {
    RunSpec run = smallRun();
    run.strategy.name = "MirroredStrategy";
    run.strategy.logical_cpus = 2;
    EXPECT_EQ(planTasks(run).front().devices.size(), 2U);
    EXPECT_EQ(planTasks(withoutCluster(run)).front().devices.size(), 1U);
    run.strategy.logical_cpus = 0;
    run.strategy.devices = {"CPU:0", "CPU:1"};
    EXPECT_EQ(planTasks(withoutCluster(run)).front().devices.size(), 1U);
}

TEST(TaskPlan, ThrowsForARunWithMistakes) {
    RunSpec run = smallRun();
    run.fit.epochs = 0;
    EXPECT_THROW(planTasks(run), Error);
}

TEST(TaskPlan, FollowsTheTfConfigOfAWorker) {
    const RunSpec run = smallRun();
    const TfConfig config =
        checkTfConfig(R"({"cluster": {"chief": ["h0:1"], "worker": ["h1:1"]}, "task": {"type": "worker", "index": 0}})").config;
    const TaskPlan plan = planTask(run, config);
    EXPECT_EQ(plan.rank, 1);
    EXPECT_EQ(plan.replicas, 2);
    EXPECT_FALSE(plan.is_chief);
    EXPECT_EQ(plan.address, "h1:1");
    EXPECT_EQ(planTask(run, {}).replicas, 1);
}

TEST(TaskPlan, RefusesATaskThatDoesNotTrain) {
    for (const TaskId& task : {TaskId{"ps", 0}, TaskId{"worker", 5}}) {
        const TfConfig config{{{{"worker", {{0, "h1:1"}}}, {"ps", {{0, "h2:1"}}}, {"evaluator", {{0, "h3:1"}}}}}, task, ""};
        EXPECT_THROW(planTask(smallRun(), config), Error) << toString(task);
    }
    EXPECT_THROW(planTask(smallRun(), {{{{"worker", {{0, "h1:1"}}}}}, std::nullopt, ""}), Error);
}

TEST(TaskPlan, HasAnEvaluatorBesideThoseThatTrain) {
    RunSpec run = smallRun();
    useLocalWorkers(run, {12345, 23456});
    run.cluster.spec.jobs.push_back({"evaluator", {{0, "localhost:34567"}}});
    const std::vector<TaskPlan> plans = planTasks(run);
    ASSERT_EQ(plans.size(), 3U);
    EXPECT_EQ(plans[0].replicas, 2) << "it takes no part in their sums";
    EXPECT_TRUE(isEvaluator(plans[2]));
    EXPECT_FALSE(isTrainer(plans[2]));
    EXPECT_EQ(plans[2].replicas, 1);
    EXPECT_FALSE(plans[2].is_chief);
    const TfConfig unlisted{{{{"chief", {{0, "h0:1"}}}}}, TaskId{"evaluator", 0}, ""};
    EXPECT_TRUE(isEvaluator(planTask(smallRun(), unlisted))) << "nobody connects to it";
}

TEST(TaskPlan, CountsTheStepsOfAnEpoch) {
    RunSpec run = smallRun();
    EXPECT_EQ(stepsPerEpoch(run, 60000, 1), 938);
    EXPECT_EQ(stepsPerEpoch(run, 60000, 2), 469);
    EXPECT_EQ(stepsPerEpoch(run, 64, 2), 1);
    run.data.drop_remainder = true;
    EXPECT_EQ(stepsPerEpoch(run, 60000, 1), 937);
    EXPECT_EQ(stepsPerEpoch(run, 64, 2), 0);
    run.data.drop_remainder = false;
    run.data.auto_shard = AutoShardPolicy::kOff;
    EXPECT_EQ(stepsPerEpoch(run, 60000, 2), 938);
    run.data.auto_shard = AutoShardPolicy::kAuto;
    run.data.take = 6400;
    EXPECT_EQ(stepsPerEpoch(run, 60000, 1), 100);
    run.data.validation_split = 0.1;
    EXPECT_EQ(stepsPerEpoch(run, 60000, 1), 90);
    run.fit.steps_per_epoch = 5;
    EXPECT_EQ(stepsPerEpoch(run, 60000, 2), 5);
}

// AUTO deals whole files where there are some: the worker with the most samples counts.
TEST(TaskPlan, CountsTheStepsOfASetThatIsReadFileByFile) {
    RunSpec run = smallRun();
    const SetSize set{1000, {500, 100, 300, 100}};
    EXPECT_EQ(stepsPerEpoch(run, set, 1), 16);
    EXPECT_EQ(stepsPerEpoch(run, set, 2), 13) << "800 and 200 samples in batches of 64";
    EXPECT_EQ(stepsPerEpoch(run, set, 5), 0) << "fewer files than workers";
    run.data.validation_split = 0.5;
    EXPECT_EQ(stepsPerEpoch(run, set, 2), 8) << "500 and none";
    run.data.split_seed = 1;
    EXPECT_EQ(stepsPerEpoch(run, set, 2), 4) << "mixed over the files' borders";
    run.data.split_seed = -1;
    run.data.auto_shard = AutoShardPolicy::kData;
    EXPECT_EQ(stepsPerEpoch(run, set, 2), 4);
}

}  // namespace
}  // namespace engine::spec
