#include "engine/train/fit/training_batches.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::replica;

std::vector<std::uint32_t> nextOf(TrainingBatches& batches) {
    tensor::BatchView view;
    batches.next(view);
    return {view.indices.begin(), view.indices.end()};
}

TEST(TrainingBatches, BeginsAnEpochWhereItIsTold) {
    const spec::RunSpec run = quarterRun();
    const spec::TaskPlan task = replica(run);
    TrainingBatches whole(run, task, quarterImages(100)), later(run, task, quarterImages(100));
    EXPECT_EQ(whole.largest(), 16);
    const std::int64_t length = whole.stepsPerEpoch(nullptr);
    EXPECT_EQ(length, 7);
    whole.goTo(1, 0, length);
    nextOf(whole);
    nextOf(whole);
    later.goTo(1, 2, length);
    EXPECT_EQ(nextOf(later), nextOf(whole));
}

// With steps_per_epoch the samples go on where the epoch before has ended.
TEST(TrainingBatches, AnEndlessRowGoesOnOverTheEpochsBorders) {
    spec::RunSpec run = quarterRun();
    run.fit.steps_per_epoch = 3;
    const spec::TaskPlan task = replica(run);
    TrainingBatches whole(run, task, quarterImages(100)), later(run, task, quarterImages(100));
    EXPECT_EQ(whole.stepsPerEpoch(nullptr), 3);
    whole.goTo(0, 0, 3);
    for (int step = 0; step < 3; ++step) {
        nextOf(whole);
    }
    whole.goTo(1, 0, 3);
    nextOf(whole);
    later.goTo(1, 1, 3);
    EXPECT_EQ(nextOf(later), nextOf(whole));
}

TEST(TrainingBatches, HoldsBackWhatValidates) {
    spec::RunSpec run = quarterRun();
    run.data.validation_split = 0.25;
    const spec::TaskPlan task = replica(run);
    const TrainingBatches batches(run, task, quarterImages(100));
    EXPECT_EQ(batches.heldBack(), (data::Extent{75, 100}));
}

TEST(TrainingBatches, SaysWhoHasWhichSample) {
    spec::RunSpec run = quarterRun();
    run.data.shuffle = 0;
    const spec::TaskPlan task = replica(run);
    TrainingBatches batches(run, task, quarterImages(100));
    batches.goTo(0, 0, 7);
    nextOf(batches);
    EXPECT_THAT(batches.shardLine(1, 0), testing::StartsWith("shard: "));
}

TEST(TrainingBatches, TheLongestPassCountsForAllReplicas) {
    const spec::RunSpec run = quarterRun();
    std::vector<std::int64_t> steps(3);
    tests::support::spawnRanks(3, [&](distribute::Collective& collective) {
        const int rank = collective.rank();
        const spec::TaskPlan task = replica(run, rank, 3);
        // Each has other samples, which none would have in a run.
        const TrainingBatches batches(run, task, quarterImages(rank == 1 ? 480 : 96));
        steps[static_cast<std::size_t>(rank)] = batches.stepsPerEpoch(&collective);
    });
    EXPECT_THAT(steps, testing::Each(10));
}

TEST(TrainingBatches, RefusesSamplesThatMakeNoWholeBatch) {
    spec::RunSpec run = quarterRun();
    run.data.drop_remainder = true;
    const spec::TaskPlan task = replica(run);
    const TrainingBatches batches(run, task, quarterImages(10));
    try {
        batches.stepsPerEpoch(nullptr);
        FAIL() << "there was a step";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "data: 10 training samples make no whole batch of 16, expected at least one");
    }
}

}  // namespace
}  // namespace engine::train
