#include "engine/data/shard_preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/mix_samples.h"
#include "engine/data/ones.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

spec::RunSpec runOf(std::int64_t batch) {
    spec::RunSpec run;
    run.data.shuffle = 0;
    run.data.batch_size_per_replica = batch;
    run.fit.epochs = 2;
    return run;
}

std::vector<spec::TaskPlan> tasksOf(const spec::RunSpec& run, int count) {
    std::vector<spec::TaskPlan> tasks;
    for (int rank = 0; rank < count; ++rank) {
        tasks.push_back(
            {.task = {"worker", rank}, .rank = rank, .replicas = count, .global_batch_size = run.data.batch_size_per_replica * count});
    }
    return tasks;
}

// TensorFlow's own result: range(10), global batch 4, two workers, AUTO or DATA.
TEST(ShardPreview, GivesEachTaskWhatTensorFlowGivesIt) {
    const spec::RunSpec run = runOf(2);
    const auto steps = previewShards(run, ones(10), tasksOf(run, 2), 4);
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps[0], (ShardStep{1, 0, {{0, 1}, {2, 3}}}));
    EXPECT_EQ(steps[1], (ShardStep{2, 0, {{4, 5}, {6, 7}}}));
    EXPECT_EQ(steps[2], (ShardStep{3, 0, {{8}, {9}}}));
    EXPECT_EQ(steps[3], (ShardStep{4, 1, {{0, 1}, {2, 3}}}));
    EXPECT_EQ(shardLine(2, 0, {"worker", 1}, steps[1].elements[1]), "step 2 epoch 0 worker 1: 6 7");
}

// TensorFlow's own result: range(14), global batch 8, the two devices of MirroredStrategy. The smaller batch is split as the others are.
TEST(ShardPreview, SplitsASmallerBatchOfMirroredDevicesInEqualPieces) {
    const spec::RunSpec run = runOf(4);
    std::vector<spec::TaskPlan> tasks = tasksOf(run, 1);
    tasks[0].devices = {"CPU:0", "CPU:1"};
    tasks[0].global_batch_size = 8;
    const auto steps = previewShards(run, ones(14), tasks, 2);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0], (ShardStep{1, 0, {{0, 1, 2, 3, 4, 5, 6, 7}}, {{4, 4}}}));
    EXPECT_EQ(steps[1], (ShardStep{2, 0, {{8, 9, 10, 11, 12, 13}}, {{3, 3}}}));
}

TEST(ShardPreview, TellsTheDevicesOfAWorkerApart) {
    spec::RunSpec run = runOf(2);
    std::vector<spec::TaskPlan> tasks = tasksOf(run, 2);
    for (spec::TaskPlan& task : tasks) {
        task.devices = {"CPU:0", "CPU:1"};
        task.global_batch_size *= 2;
    }
    const auto steps = previewShards(run, ones(19), tasks, 3);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0], (ShardStep{1, 0, {{0, 1, 4, 5}, {2, 3, 6, 7}}, {{2, 2}, {2, 2}}}));
    EXPECT_EQ(steps[2], (ShardStep{3, 0, {{16, 18}, {17}}, {{1, 1}, {1, 0}}}));
    EXPECT_EQ(shardLine(1, 0, tasks[0].task, steps[0].elements[0], steps[0].parts[0]), "step 1 epoch 0 worker 0: 0 1 | 4 5");
    EXPECT_EQ(shardLine(3, 0, tasks[1].task, steps[2].elements[1], steps[2].parts[1]), "step 3 epoch 0 worker 1: 17 |");

    run.data.auto_shard = spec::AutoShardPolicy::kOff;  // each worker reads everything, its devices one after the other
    EXPECT_EQ(previewShards(run, ones(7), tasks, 9), (std::vector<ShardStep>{{1, 0, {{0, 1, 2, 3}, {0, 1, 2, 3}}, {{2, 2}, {2, 2}}},
                                                                             {2, 0, {{4, 5, 6}, {4, 5, 6}}, {{2, 1}, {2, 1}}},
                                                                             {3, 1, {{0, 1, 2, 3}, {0, 1, 2, 3}}, {{2, 2}, {2, 2}}},
                                                                             {4, 1, {{4, 5, 6}, {4, 5, 6}}, {{2, 1}, {2, 1}}}}));
}

TEST(ShardPreview, GoesOnOverTheEpochsOfAnEndlessSet) {
    spec::RunSpec run = runOf(4);
    run.fit.steps_per_epoch = 2;
    const auto steps = previewShards(run, ones(6), tasksOf(run, 1), 10);
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(epochSteps(run, ones(6), tasksOf(run, 1)), 2);
    EXPECT_EQ(steps[1].elements[0], (std::vector<std::uint32_t>{4, 5, 0, 1}));
    EXPECT_EQ(steps[2].epoch, 1);
    EXPECT_EQ(steps[2].elements[0], (std::vector<std::uint32_t>{2, 3, 4, 5}));
    run.fit.initial_epoch = 1;
    run.fit.initial_weights = "of_the_first_epoch.weights.h5";
    EXPECT_EQ(previewShards(run, ones(6), tasksOf(run, 1), 1)[0], steps[2]);
    run.fit.initial_weights.clear();  // a new run, whose data begin
    EXPECT_EQ(previewShards(run, ones(6), tasksOf(run, 1), 1)[0].elements, steps[0].elements);
}

TEST(ShardPreview, RefusesASetWithoutAWholeBatch) {
    spec::RunSpec run = runOf(64);
    run.data.drop_remainder = true;
    EXPECT_THROW(previewShards(run, ones(10), tasksOf(run, 1), 1), Error);
}

TEST(MixSamples, KeepsSamplesWithTheirLabelsInAnOrderOfTheSeed) {
    const auto labelled = [] {
        Samples samples;
        samples.count = 100;
        samples.sample_shape = {1};
        samples.samples = ByteBuffer(100);
        samples.labels = ByteBuffer(100);
        for (int i = 0; i < 100; ++i) {
            samples.samples.data()[i] = samples.labels.data()[i] = static_cast<std::byte>(i);
        }
        return samples;
    };
    Samples one = labelled(), again = labelled(), other = labelled();
    mixSamples(one, 1);
    mixSamples(again, 1);
    mixSamples(other, 2);
    const auto bytes = [](const ByteBuffer& buffer) { return std::vector<std::byte>(buffer.data(), buffer.data() + buffer.size()); };
    EXPECT_EQ(bytes(one.samples), bytes(one.labels));
    EXPECT_EQ(bytes(one.samples), bytes(again.samples));
    EXPECT_NE(bytes(one.samples), bytes(other.samples));
    EXPECT_NE(bytes(one.samples), bytes(labelled().samples));
}

}  // namespace
}  // namespace engine::data
