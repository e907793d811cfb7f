#include "engine/plan/variable_parts.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "engine/plan/strategies/parameter_server.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

using ::testing::ElementsAre;

const spec::ObjectSpec kFiveShards{"FixedShardsPartitioner", {{"num_shards", std::int64_t{5}}}};

// Variables as a program makes them one after another.
Plan planOf(const std::vector<spec::Shape>& shapes) {
    Plan plan;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        plan.tensors.push_back({.name = "v" + std::to_string(i), .role = TensorRole::kParameter, .shape = shapes[i]});
    }
    return plan;
}

// "v0@0 v1/part_0@1 (3)"
std::vector<std::string> placed(const std::vector<VariablePart>& parts) {
    std::vector<std::string> texts;
    for (const VariablePart& part : parts) {
        texts.push_back(part.name + "@" + std::to_string(part.server) + (part.is_shard ? " " + std::to_string(part.shape.front()) : ""));
    }
    return texts;
}

// What TensorFlow 2.21 does with two ps: three scalars, a [13, 2] in five shards, another variable.
TEST(VariableParts, LieWhereTensorFlowPutsThem) {
    const spec::StrategySpec settings{.variable_partitioner = kFiveShards};
    EXPECT_THAT(
        placed(variableParts(planOf({{}, {}, {}, {13, 2}, {}}), settings, 2)),
        ElementsAre("v0@0", "v1@1", "v2@0", "v3/part_0@1 3", "v3/part_1@0 3", "v3/part_2@1 3", "v3/part_3@0 2", "v3/part_4@1 2", "v4@0"));
}

TEST(VariableParts, ShardsAreRunsOfTheVariablesElements) {
    const spec::StrategySpec settings{.variable_partitioner = kFiveShards};
    std::int64_t next = 0;
    for (const VariablePart& part : variableParts(planOf({{13, 2}}), settings, 2)) {
        EXPECT_EQ(part.first_element, next);
        next += elementCount(part);
    }
    EXPECT_EQ(next, 26);
}

TEST(VariableParts, PartitionersCountAsTensorFlowsDo) {
    const spec::ObjectSpec at_least{"MinSizePartitioner", {{"min_shard_bytes", std::int64_t{1000}}, {"max_shards", std::int64_t{4}}}};
    const spec::ObjectSpec at_most{"MaxSizePartitioner", {{"max_shard_bytes", std::int64_t{1000}}}};
    const spec::ObjectSpec few{"MaxSizePartitioner", {{"max_shard_bytes", std::int64_t{1000}}, {"max_shards", std::int64_t{2}}}};
    EXPECT_EQ(shardCount(at_least, {100, 10}), 4);
    EXPECT_EQ(shardCount(at_most, {100, 10}), 4);
    EXPECT_EQ(shardCount(few, {100, 10}), 2);
    EXPECT_EQ(shardCount(kFiveShards, {3, 2}), 3) << "no more than there are rows";
    EXPECT_EQ(shardCount(kFiveShards, {}), 1) << "a scalar stays whole";
    EXPECT_EQ(shardCount({"MinSizePartitioner", {}}, {1 << 20, 10}), 1) << "one shard at the most by default";
    EXPECT_EQ(shardCount(at_most, {4, 1000}), 4) << "a row is never cut";
    EXPECT_EQ(shardCount({}, {100, 10}), 1);
}

TEST(VariableParts, AnUnknownPartitionerIsNamed) {
    try {
        shardCount({"Halves", {}}, {2});
        FAIL() << "it was taken";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("got Halves"));
    }
}

// Each server has its parts of it, whose averages follow with the bucket that every step pushes.
TEST(ParameterServerPlan, AveragesOfAWeightWithoutAGradientFollowIt) {
    const std::string weight = "words/reverse_embeddings";
    spec::RunSpec run;
    run.model = tests::support::model(
        {4}, {tests::support::layer("ReversibleEmbedding", "words",
                                    {{"input_dim", std::int64_t{9}}, {"output_dim", std::int64_t{2}}, {"tie_weights", false}}),
              tests::support::layer("Flatten", "flatten"), tests::support::layer("Dense", "dense", {{"units", std::int64_t{2}}})});
    run.model.input_dtype = "int32";
    run.compile = tests::support::compileWith({"SGD", {{"use_ema", true}}});
    run.strategy = {.name = "ParameterServerStrategy", .variable_partitioner = kFiveShards};
    const Plan whole = compileWhole(run, {.batch = 8, .servers = 2});
    std::vector<std::string> followed;
    for (int server = 0; server < 2; ++server) {
        for (const ServerPlan& plan : serverPlans(whole, variableParts(whole, run.strategy, 2), server, "/job:ps/task:0")) {
            for (const Op& op : plan.plan.ops) {
                if (op.kind != OpKind::kMovingAverage) continue;
                EXPECT_EQ(plan.bucket, 0);
                ASSERT_EQ(op.inputs.size(), 2U);
                const TensorDesc &average = plan.plan.tensors[static_cast<std::size_t>(op.inputs[0])],
                                 &part = plan.plan.tensors[static_cast<std::size_t>(op.inputs[1])];
                EXPECT_EQ(op.outputs, std::vector<TensorId>{op.inputs[0]});
                EXPECT_EQ(average.slot_name, "average");
                EXPECT_EQ(average.of, op.inputs[1]);
                EXPECT_EQ(average.shape, part.shape);
                followed.push_back(part.name);
            }
        }
    }
    std::sort(followed.begin(), followed.end());
    EXPECT_THAT(followed, ElementsAre(weight + "/part_0", weight + "/part_1"));
}

TEST(ParameterServerPlan, ServersReadWhereTheWorkerWrites) {
    spec::RunSpec run;
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"Adam", {}});
    run.strategy = {.name = "ParameterServerStrategy", .variable_partitioner = kFiveShards};
    const CompileTarget target{.batch = 8, .servers = 2};
    const Plan whole = compileWhole(run, target), worker = compile(run, target);
    ASSERT_EQ(whole.shared_bytes, worker.shared_bytes);
    std::vector<std::pair<std::int64_t, std::int64_t>> read, written;
    for (int server = 0; server < 2; ++server) {
        for (const ServerPlan& plan : serverPlans(whole, variableParts(whole, run.strategy, 2), server, "/job:ps/task:0")) {
            for (const ServerPlan::Range& range : plan.reads) read.emplace_back(range.offset_bytes, range.bytes);
            EXPECT_TRUE(std::all_of(plan.plan.ops.begin(), plan.plan.ops.end(), [](const Op& op) { return op.phase == Phase::kUpdate; }));
        }
    }
    std::sort(read.begin(), read.end());
    // Neighbours are one range of a gradient.
    std::vector<std::pair<std::int64_t, std::int64_t>> joined;
    for (const auto& [offset, bytes] : read) {
        if (!joined.empty() && joined.back().first + joined.back().second == offset) {
            joined.back().second += bytes;
        } else {
            joined.emplace_back(offset, bytes);
        }
    }
    for (const Bucket& bucket : worker.buckets) {
        for (const TensorId id : bucket.gradients) {
            const TensorDesc& gradient = worker.tensors[static_cast<std::size_t>(id)];
            written.emplace_back(gradient.offset_bytes, byteCount(gradient));
        }
    }
    std::sort(written.begin(), written.end());
    std::int64_t all_read = 0, all_written = 0;
    for (const auto& [offset, bytes] : joined) all_read += bytes;
    for (const auto& [offset, bytes] : written) all_written += bytes;
    EXPECT_EQ(all_read, all_written);
    EXPECT_EQ(joined.front().first, written.front().first);
}

}  // namespace
}  // namespace engine::plan
