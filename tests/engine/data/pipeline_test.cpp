#include "engine/data/pipeline.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

std::shared_ptr<const Samples> tinySet(std::int64_t count) {
    auto samples = std::make_shared<Samples>();
    samples->source = "tiny";
    samples->label_source = "tiny labels";
    samples->count = count;
    samples->sample_shape = {1};
    samples->samples = ByteBuffer(static_cast<std::size_t>(count));
    samples->labels = ByteBuffer(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        samples->samples.data()[i] = static_cast<std::byte>(i);
        samples->labels.data()[i] = static_cast<std::byte>(i % 10);
    }
    return samples;
}

using Batches = std::vector<std::vector<std::uint32_t>>;

Batches pass(Pipeline& pipeline, std::uint64_t number) {
    Batches batches;
    tensor::BatchView view;
    pipeline.start(number);
    while (pipeline.next(view)) {
        batches.emplace_back(view.indices.begin(), view.indices.end());
    }
    EXPECT_TRUE(view.indices.empty());
    return batches;
}

spec::DataSpec plain() {
    spec::DataSpec data;
    data.shuffle = 0;
    return data;
}

TEST(Pipeline, YieldsViewsIntoTheSetWithoutCopyingIt) {
    const auto samples = tinySet(10);
    Pipeline pipeline = trainingPipeline(plain(), samples, {0, 10}, {.replicas = 2, .index = 1, .global_batch = 4});
    tensor::BatchView view;
    ASSERT_TRUE(pipeline.next(view));
    EXPECT_EQ(view.samples, samples->samples.data());
    EXPECT_EQ(view.sample_dtype, tensor::DType::kUInt8);
    EXPECT_FLOAT_EQ(view.scale, 1.0F / 255.0F);
    EXPECT_THAT(view.indices, testing::ElementsAre(2, 3));
    EXPECT_EQ(pipeline.batchesPerPass(), 3);
    EXPECT_EQ(pipeline.largestBatch(), 2);
}

TEST(Pipeline, ShuffledShardsOfAllReplicasMakeUpTheWholeSet) {
    spec::DataSpec data;
    data.shuffle = 20;
    const auto samples = tinySet(50);
    std::vector<std::uint32_t> all;
    for (int index = 0; index < 3; ++index) {
        Pipeline pipeline = trainingPipeline(data, samples, {0, 50}, {.replicas = 3, .index = index, .global_batch = 12, .seed = 4});
        for (const auto& batch : pass(pipeline, 2)) {
            all.insert(all.end(), batch.begin(), batch.end());
        }
    }
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> expected(50);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(all, expected);
}

TEST(Pipeline, OffShowsEverythingInOneOrderOrInOneOfEachWorker) {
    spec::DataSpec data;
    data.auto_shard = spec::AutoShardPolicy::kOff;
    data.shuffle = 50;
    const auto samples = tinySet(50);
    const auto order = [&](int index) {
        Pipeline pipeline = trainingPipeline(data, samples, {0, 50}, {.replicas = 2, .index = index, .global_batch = 20, .seed = 4});
        EXPECT_EQ(pipeline.batchesPerPass(), 5);
        return pass(pipeline, 0);
    };
    EXPECT_EQ(order(0), order(1));
    data.seed_per_worker = true;
    EXPECT_NE(order(0), order(1));
}

TEST(Pipeline, EndlessSetsGoOnOverTheBorder) {
    Pipeline pipeline = trainingPipeline(plain(), tinySet(6), {0, 6}, {.replicas = 2, .index = 0, .global_batch = 4, .endless = true});
    EXPECT_EQ(pipeline.batchesPerPass(), ElementStream::kEndless);
    tensor::BatchView view;
    pipeline.next(view);
    pipeline.next(view);
    pipeline.next(view);
    EXPECT_THAT(view.indices, testing::ElementsAre(2, 3));
}

TEST(Pipeline, RefusesFileShardingOfASetInMemory) {
    spec::DataSpec data = plain();
    data.auto_shard = spec::AutoShardPolicy::kFile;
    EXPECT_THROW(trainingPipeline(data, tinySet(6), {0, 6}, {.replicas = 2, .index = 0, .global_batch = 4}), Error);
    EXPECT_NO_THROW(trainingPipeline(data, tinySet(6), {0, 6}, {.replicas = 1, .index = 0, .global_batch = 4}));
}

TEST(Pipeline, SplitsTheLastFractionOffBeforeShuffling) {
    spec::DataSpec data;
    data.validation_split = 0.25;
    EXPECT_EQ(splitTraining(data, 10).train, (Extent{0, 7}));
    EXPECT_EQ(splitTraining(data, 10).validation, (Extent{7, 10}));
    data.take = 4;
    EXPECT_EQ(splitTraining(data, 10).train, (Extent{0, 3}));
    EXPECT_EQ(splitTraining(data, 10).validation, (Extent{3, 4}));
    data.validation_split = 0;
    EXPECT_EQ(splitTraining(data, 10).train, (Extent{0, 4}));
    EXPECT_EQ(splitTraining(data, 10).validation, (Extent{4, 4}));
    data.take = 1;
    data.validation_split = 0.5;
    EXPECT_THROW(splitTraining(data, 10), Error);
}

TEST(Pipeline, EvaluatesEverySampleOnceOverAllReplicas) {
    for (int replicas : {1, 2, 3, 7}) {
        std::vector<std::uint32_t> all;
        for (int index = 0; index < replicas; ++index) {
            Pipeline pipeline = evaluationPipeline(plain(), tinySet(20), {4, 15}, replicas, index, 2);
            for (const auto& batch : pass(pipeline, 0)) {
                all.insert(all.end(), batch.begin(), batch.end());
            }
        }
        EXPECT_THAT(all, testing::ElementsAre(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)) << replicas;
    }
}

TEST(Pipeline, NormalisesByChannel) {
    auto samples = std::make_shared<Samples>();
    samples->source = "pictures";
    samples->count = 1;
    samples->sample_shape = {1, 2, 3};
    samples->samples = ByteBuffer(6);
    samples->labels = ByteBuffer(1);
    spec::DataSpec data = plain();
    data.scale = 0.5;
    data.mean = {1, 2, 3};
    data.std = {4};
    Pipeline pipeline = trainingPipeline(data, samples, {0, 1}, {.global_batch = 1});
    Pipeline moved = std::move(pipeline);
    tensor::BatchView view;
    ASSERT_TRUE(moved.next(view));
    EXPECT_THAT(std::vector<float>(view.scales, view.scales + 6), testing::Each(0.125F));
    EXPECT_THAT(std::vector<float>(view.offsets, view.offsets + 6), testing::ElementsAre(-0.25F, -0.5F, -0.75F, -0.25F, -0.5F, -0.75F));
    data.mean = {1};
    EXPECT_EQ(sampleMap(data, *samples).all, (AffineMap{0.125, -0.25}));
    EXPECT_TRUE(sampleMap(data, *samples).scales.empty());
    data.std = {1, 2};
    EXPECT_THROW(sampleMap(data, *samples), Error);
}

TEST(Pipeline, ComposesAffineMaps) {
    const AffineMap both = AffineMap{2, 1}.then({10, 3});
    EXPECT_EQ(both, (AffineMap{20, 13}));
}

}  // namespace
}  // namespace engine::data
