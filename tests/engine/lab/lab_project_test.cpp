#include "engine/lab/lab_project.h"

#include <cstdint>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/validate/validate.h"
#include "tests/support/model_builder.h"

namespace engine::lab {
namespace {

using tests::support::layer;
using Kind = ReplicaCause::Kind;

spec::RunSpec project() {
    spec::RunSpec run;
    run.name = "digits";
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"Adam", {}});
    run.data.batch_size_per_replica = 64;
    return run;
}

LabRow row(const std::string& name) {
    return chosenRows({name}).back();
}

TEST(LabProject, EveryRowIsAValidProjectOfOneGlobalBatch) {
    const LabSettings settings{.rows = chosenRows({})};
    const std::int64_t batch = labBatch(project(), settings.rows);
    EXPECT_EQ(batch, 60) << "the nearest to 64 that 2, 3 and 4 replicas share out evenly";
    for (const LabRow& one : settings.rows) {
        const spec::RunSpec run = labProject(project(), one, settings);
        for (const spec::Diagnostic& finding : validate(run)) {
            EXPECT_NE(finding.severity, spec::Severity::kError) << one.name << ": " << toString(finding);
        }
        const std::vector<spec::TaskPlan> tasks = spec::planTasks(run);
        EXPECT_EQ(tasks.size(), static_cast<std::size_t>(one.workers + one.servers)) << one.name;
        EXPECT_EQ(tasks.front().global_batch_size, batch) << one.name;
        EXPECT_EQ(tasks.front().devices.size(), static_cast<std::size_t>(one.devices)) << one.name;
        EXPECT_EQ(run.model, project().model);
        EXPECT_EQ(run.compile, project().compile);
        EXPECT_EQ(run.fit.seed, project().fit.seed);
    }
}

TEST(LabProject, TakesTheBatchOfTheProjectsOwnReplicas) {
    spec::RunSpec run = project();
    spec::useLocalWorkers(run, {1, 2, 3});
    EXPECT_EQ(globalBatchOf(run), 192);
    EXPECT_EQ(labBatch(run, chosenRows({})), 192);
    EXPECT_EQ(labBatch(run, chosenRows({"OneDevice"})), 192);
    run.strategy.logical_cpus = 2;
    EXPECT_EQ(globalBatchOf(run), 384);
    spec::useLocalServers(run, {1}, {2, 3});
    run.strategy.logical_cpus = 0;
    EXPECT_EQ(globalBatchOf(run), 64) << "a worker takes whole batches";
    run.data.batch_size_per_replica = 1;
    EXPECT_EQ(labBatch(run, chosenRows({})), 12) << "at least a sample for each";
}

TEST(LabProject, LeavesOutWhatWouldEndSaveOrLookOn) {
    spec::RunSpec run = project();
    run.fit.epochs = 12;
    run.fit.initial_epoch = 3;
    run.fit.histogram_freq = 1;
    run.fit.save_weights = "weights.keras";
    run.data.auto_shard = spec::AutoShardPolicy::kOff;
    run.data.seed_per_worker = true;
    run.callbacks = {{"EarlyStopping", {}}, {"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0}}}}, {"ModelCheckpoint", {}}};
    const spec::RunSpec mirrored = labProject(run, row("CentralStorage"), {.rows = chosenRows({}), .steps = 40});
    EXPECT_EQ(mirrored.fit.epochs - mirrored.fit.initial_epoch, 1);
    EXPECT_EQ(mirrored.fit.steps_per_epoch, 40);
    EXPECT_EQ(mirrored.fit.histogram_freq, 0);
    EXPECT_EQ(mirrored.fit.save_weights, "");
    EXPECT_EQ(mirrored.data.auto_shard, spec::AutoShardPolicy::kData);
    EXPECT_FALSE(mirrored.data.seed_per_worker);
    ASSERT_EQ(mirrored.callbacks.size(), 1U);
    EXPECT_EQ(mirrored.callbacks[0].class_name, "LearningRateScheduler");
    EXPECT_EQ(labProject(run, row("ParameterServer:1"), {.rows = chosenRows({}), .steps = 40}).fit.steps, 40);
}

TEST(LabProject, PutsEachReplicaOnAGpuWhereAsked) {
    const spec::RunSpec run = labProject(project(), row("Mirrored:NcclAllReduce"), {.rows = chosenRows({}), .on_gpus = true});
    EXPECT_THAT(run.strategy.devices, testing::ElementsAre("GPU:0", "GPU:1"));
    EXPECT_EQ(run.strategy.logical_gpus, 2);
}

TEST(LabProject, ToleratesMoreIn16Bits) {
    spec::RunSpec run = project();
    EXPECT_EQ(toleranceOf(run), kFloat32Tolerance);
    run.model.layers[0].config.set("dtype", std::string("mixed_bfloat16"));
    EXPECT_EQ(toleranceOf(run), kHalfTolerance);
    run = project();
    run.model.dtype_policy = "mixed_float16";
    EXPECT_EQ(toleranceOf(run), kHalfTolerance);
}

TEST(CauseToDiffer, IsWhatReplicasComputeByThemselves) {
    const LabRow mirrored = row("CentralStorage");
    EXPECT_EQ(causeToDiffer(project(), mirrored), ReplicaCause());

    spec::RunSpec run = project();
    run.model.layers.insert(run.model.layers.begin() + 1, layer("BatchNormalization", "bn"));
    EXPECT_EQ(causeToDiffer(run, mirrored), (ReplicaCause{Kind::kStatistics, "bn"}));
    EXPECT_EQ(causeToDiffer(run, row("OneDevice")), ReplicaCause()) << "one replica has the whole batch";
    EXPECT_EQ(causeToDiffer(run, row("ParameterServer:1")), ReplicaCause());
    run.model.layers[1].config.set("synchronized", true);
    EXPECT_EQ(causeToDiffer(run, mirrored), ReplicaCause());

    run = project();
    run.model.layers.insert(run.model.layers.begin(), layer("Equalization", "even"));
    EXPECT_EQ(causeToDiffer(run, mirrored), (ReplicaCause{Kind::kLevels, "even"}));
    for (const auto& [name, count] : {std::pair("RandAugment", "num_ops"), std::pair("AugMix", "chain_depth")}) {
        run.model.layers.front() = layer(name, "drawn");
        EXPECT_EQ(causeToDiffer(run, mirrored), (ReplicaCause{Kind::kLevels, "drawn"})) << name;
        run.model.layers.front().config.set(count, std::int64_t{0});
        EXPECT_EQ(causeToDiffer(run, mirrored), ReplicaCause()) << name;
    }

    run = project();
    run.compile.optimizer.config.set("clipnorm", 1.0);
    EXPECT_EQ(causeToDiffer(run, mirrored), (ReplicaCause{Kind::kClipping, "clipnorm"}));

    run = project();
    run.compile.loss.config.set("reduction", std::string("sum"));
    EXPECT_EQ(causeToDiffer(run, mirrored), (ReplicaCause{Kind::kReduction, "sum"}));

    run = project();
    run.model = tests::support::model(
        {7}, {layer("Embedding", "words", {{"input_dim", std::int64_t{9}}, {"output_dim", std::int64_t{3}}, {"mask_zero", true}}),
              layer("Dense", "tags", {{"units", std::int64_t{4}}})});
    EXPECT_EQ(causeToDiffer(run, mirrored), (ReplicaCause{Kind::kMask, "tags"}));
}

TEST(CauseToDiffer, IsNotADropoutWhoseUnitsGoBySample) {
    spec::RunSpec run = project();
    run.model.layers.insert(run.model.layers.begin() + 3, layer("Dropout", "dropout", {{"rate", 0.5}}));
    EXPECT_EQ(causeToDiffer(run, row("CentralStorage")), ReplicaCause());
}

TEST(CauseToDiffer, IsSaidInASentence) {
    EXPECT_EQ(toString(ReplicaCause{}), "");
    EXPECT_EQ(toString(ReplicaCause{Kind::kClipping, "clipnorm"}),
              "clipnorm: each replica clips its own gradients before they are summed, as in Keras");
    EXPECT_EQ(toString(ReplicaCause{Kind::kLevels, "even"}),
              "even: Equalization counts the values of each replica's own part of the batch, as in Keras");
}

}  // namespace
}  // namespace engine::lab
