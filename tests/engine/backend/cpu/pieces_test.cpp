// A step that takes some samples after others does what one of the whole batch does.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/cpu/cpu_executor.h"
#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "engine/plan/passes/passes.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"
#include "tests/support/near.h"
#include "tests/support/piecewise.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/words.h"

namespace engine::backend::cpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using tests::support::compileWith;
using tests::support::ExecutorFactory;
using tests::support::expectTrainsLikeReference;
using tests::support::FakeData;
using tests::support::isNear;
using tests::support::makePiecewiseExecutor;
using tests::support::ModelCase;
using tests::support::modelCases;
using tests::support::Words;
using tests::support::wordsCase;

struct Setting {
    std::string name;
    bool fuse, apply;
    int threads;
};

class Pieces : public testing::TestWithParam<Setting> {};

TEST_P(Pieces, TrainLikeTheWholeBatchOnEveryModelOfTheTable) {
    for (const ModelCase& c : modelCases()) {
        expectTrainsLikeReference(
            c, makePiecewiseExecutor,
            {.fuse = GetParam().fuse, .fuse_updates_into_gradients = GetParam().apply, .threads = GetParam().threads});
    }
}

INSTANTIATE_TEST_SUITE_P(Settings, Pieces,
                         testing::Values(Setting{"Applied", true, true, 1}, Setting{"Fused", true, false, 2},
                                         Setting{"Plain", false, false, 3}),
                         [](const auto& of) { return of.param.name; });

// Convolutions and dense layers: what a worker of the tutorial trains, with weights of some size.
ModelCase tutorialCase(std::int64_t batch) {
    return {"tutorial", tests::support::tutorialModel(), compileWith(tests::support::rows::kAdam), batch, batch, 0.001F};
}

std::vector<std::uint32_t> indicesFrom(std::int64_t first, std::int64_t count) {
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) indices[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(first + i);
    return indices;
}

std::vector<float> allValues(const Variables& variables) {
    std::vector<float> values;
    for (const Variables::Entry& entry : variables.entries()) values.insert(values.end(), entry.values.begin(), entry.values.end());
    return values;
}

// After four steps, of which the third has `few` samples.
std::vector<float> trained(const ModelCase& c, const ExecutorOptions& options, std::int64_t few) {
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto executor = makeCpuExecutor(plan, variables, options);
    const FakeData data(c.batch, 784, 10, 3);
    const std::vector<std::uint32_t> all = indicesFrom(0, c.batch), some = indicesFrom(0, few);
    for (int step = 0; step < 4; ++step) {
        executor->trainStep(data.view(step == 2 ? some : all), {.learning_rate = c.learning_rate, .iteration = step});
    }
    return allValues(variables);
}

TEST(PiecesOfABatch, GiveTheSameBytesForAnyNumberOfThreads) {
    const ModelCase c = tutorialCase(20);
    const std::vector<float> one = trained(c, {.threads = 1, .piece = 6}, 7);
    EXPECT_EQ(trained(c, {.threads = 2, .piece = 6}, 7), one);
    EXPECT_EQ(trained(c, {.threads = 3, .piece = 6}, 7), one);
    EXPECT_EQ(trained(c, {.threads = 2, .piece = 6, .strips = 4}, 7), one);
}

// With SGD: Adam makes a step of full size of a gradient that is nothing but rounding.
TEST(PiecesOfABatch, TakeStepsOfFewSamplesAndOfNone) {
    ModelCase c = tutorialCase(20);
    c.compile = compileWith(tests::support::rows::kSgd);
    c.learning_rate = 0.1F;
    for (const std::int64_t few : {0, 1, 5, 6, 7, 12, 13, 19}) {
        EXPECT_TRUE(isNear(trained(c, {.threads = 2, .piece = 6}, few), trained(c, {.threads = 2, .piece = 20}, few), 1e-6)) << few;
    }
}

// Each piece casts the weights again, and gradients are added up in float32.
TEST(PiecesOfABatch, TrainInMixedPrecision) {
    ModelCase c = tutorialCase(20);
    c.model.dtype_policy = "mixed_bfloat16";
    c.compile = compileWith(tests::support::rows::kSgd);
    const std::vector<float> in_pieces = trained(c, {.threads = 2, .piece = 6}, 7);
    EXPECT_TRUE(isNear(in_pieces, trained(c, {.threads = 2, .piece = 20}, 7), 1e-4));
    EXPECT_EQ(trained(c, {.threads = 1, .piece = 6}, 7), in_pieces);
    EXPECT_EQ(trained(c, {.threads = 2, .piece = 6, .strips = 4}, 7), in_pieces);
}

// After four steps: of all samples, of those behind the first one, of `few` of these, and of all again. What a step leaves of the word
// that the first sample alone has would train the next step's row of it.
std::vector<float> trainedOnWords(const ModelCase& c, const ExecutorFactory& make, const ExecutorOptions& options, std::int64_t few) {
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .fuse = false});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto executor = make(plan, variables, options);
    const Words words;
    std::int64_t iteration = 0;
    for (const std::vector<std::uint32_t>& step :
         {indicesFrom(0, c.batch), indicesFrom(1, c.batch - 1), indicesFrom(1, few), indicesFrom(0, c.batch)}) {
        executor->trainStep(words.view(step), {.learning_rate = c.learning_rate, .iteration = iteration++});
    }
    return allValues(variables);
}

std::string planTextInPieces(const ModelCase& c) {
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .fuse = false});
    Variables variables(plan);
    return CpuExecutor(plan, variables, {.threads = 1, .piece = 6}).planText();
}

// The op of a table's gradient adds up by itself: over six samples at once and a smaller last piece, in steps of one piece, and of none.
TEST(PiecesOfABatch, SumRowsOfATableAsTheWholeBatchDoes) {
    const ModelCase c = wordsCase();
    EXPECT_THAT(planTextInPieces(c), HasSubstr("sums by id over all pieces"));
    for (const std::int64_t few : {0, 1, 6, 7, 13}) {
        SCOPED_TRACE(few);
        const std::vector<float> one = trainedOnWords(c, makeCpuExecutor, {.threads = 1, .piece = 6}, few);
        EXPECT_TRUE(isNear(one, trainedOnWords(c, makeReferenceExecutor, {}, few), 1e-5));
        EXPECT_TRUE(isNear(one, trainedOnWords(c, makeCpuExecutor, {.threads = 2, .piece = c.batch}, few), 1e-5));
        EXPECT_EQ(trainedOnWords(c, makeCpuExecutor, {.threads = 2, .piece = 6}, few), one);
        EXPECT_EQ(trainedOnWords(c, makeCpuExecutor, {.threads = 3, .piece = 6}, few), one);
        EXPECT_EQ(trainedOnWords(c, makeCpuExecutor, {.threads = 2, .piece = 6, .strips = 4}, few), one);
    }
}

TEST(PiecesOfABatch, SumRowsOfATableInMixedPrecision) {
    ModelCase c = wordsCase();
    c.model.dtype_policy = "mixed_bfloat16";
    EXPECT_THAT(planTextInPieces(c), HasSubstr("sums by id over all pieces"));
    const std::vector<float> in_pieces = trainedOnWords(c, makeCpuExecutor, {.threads = 2, .piece = 6}, 7);
    EXPECT_TRUE(isNear(in_pieces, trainedOnWords(c, makeCpuExecutor, {.threads = 2, .piece = c.batch}, 7), 1e-4));
    EXPECT_EQ(trainedOnWords(c, makeCpuExecutor, {.threads = 1, .piece = 6}, 7), in_pieces);
    EXPECT_EQ(trainedOnWords(c, makeCpuExecutor, {.threads = 2, .piece = 6, .strips = 4}, 7), in_pieces);
}

// A table that is multiplied in place of its rows: once a step, however it was cut, and before two replicas add up its gradients.
TEST(PiecesOfABatch, MultiplyATableOnceAStep) {
    std::vector<ModelCase> cases = tests::support::rows::recurrentCases();
    const auto c = std::ranges::find(cases, "GruOfATable", &ModelCase::name);
    ASSERT_NE(c, cases.end());
    const std::vector<std::uint32_t> all = indicesFrom(0, c->batch), some = indicesFrom(1, 4);
    const FakeData data(c->batch, 62, 4, 3);
    const auto together = [&](int replicas, int threads, std::int64_t piece) {
        std::vector<float> values;
        tests::support::spawnRanks(replicas, [&](distribute::Collective& group) {
            const plan::Plan plan = plan::compile(tests::support::runOf(*c), {.batch = c->batch, .replicas = replicas});
            Variables variables(plan);
            initializeVariables(variables, c->model, 3);
            const std::span<std::byte> region = group.allocateRegion(static_cast<std::size_t>(plan.shared_bytes));
            CpuExecutor executor(
                plan, variables,
                {.threads = threads, .collective = replicas > 1 ? &group : nullptr, .region = region, .loss = {}, .piece = piece});
            EXPECT_THAT(executor.planText(), HasSubstr("of the table's 256 rows"));
            for (int step = 0; step < 4; ++step) {
                executor.trainStep(data.view(step == 2 ? some : all), {.learning_rate = 0.01F, .iteration = step});
            }
            if (group.rank() == 0) values = allValues(variables);
        });
        return values;
    };
    const std::vector<float> one = together(1, 1, c->batch);
    EXPECT_EQ(together(1, 3, c->batch), one);
    EXPECT_TRUE(isNear(together(1, 2, 2), one, 1e-4));
    EXPECT_TRUE(isNear(together(2, 2, 2), one, 1e-4)) << "both have the same samples";
    EXPECT_TRUE(isNear(together(2, 2, c->batch), one, 1e-4));
}

// Two replicas add up gradients and the header of their whole parts, however these were cut.
TEST(PiecesOfABatch, AreReducedOnceAStep) {
    const ModelCase c = tutorialCase(16);
    const FakeData data(32, 784, 10, 3);
    const auto together = [&](std::int64_t piece, int strips) {
        std::pair<std::vector<float>, StepResult> result;
        tests::support::spawnRanks(2, [&](distribute::Collective& group) {
            const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 16, .replicas = 2});
            Variables variables(plan);
            initializeVariables(variables, c.model, 3);
            const std::span<std::byte> region = group.allocateRegion(static_cast<std::size_t>(plan.shared_bytes));
            const auto executor = makeCpuExecutor(
                plan, variables, {.threads = 2, .collective = &group, .region = region, .loss = {}, .piece = piece, .strips = strips});
            const std::vector<std::uint32_t> mine = indicesFrom(16 * group.rank(), 16);
            StepResult last;
            for (int step = 0; step < 4; ++step) {
                last = executor->trainStep(data.view(mine),
                                           {.learning_rate = 0.001F, .iteration = step, .control = group.rank() == 0 ? 2.0F : 0.0F});
            }
            if (group.rank() == 0) result = {allValues(variables), last};
        });
        return result;
    };
    const auto [whole, of_whole] = together(16, 0);
    const auto [cut, of_cut] = together(5, 0);
    const auto [in_strips, of_strips] = together(5, 4);
    EXPECT_TRUE(isNear(cut, whole, 1e-5));
    EXPECT_NEAR(of_cut.loss_sum, of_whole.loss_sum, 1e-4 * of_whole.loss_sum);
    EXPECT_EQ(of_cut.correct, of_whole.correct);
    EXPECT_EQ(of_cut.count, 32);
    EXPECT_EQ(of_cut.control, 2);
    EXPECT_EQ(in_strips, cut);
    EXPECT_EQ(of_strips.loss_sum, of_cut.loss_sum);
    EXPECT_EQ(of_strips.correct, of_cut.correct);
    EXPECT_EQ(of_strips.control, 2);
}

// Its activations are far larger than a processor's caches, and memory takes longer than products.
TEST(PiecesOfABatch, AreChosenForALargeBatchOfALightModel) {
    using tests::support::layer;
    const ModelCase c{"light",
                      tests::support::model({28, 28}, {layer("LSTM", "lstm", {{"units", std::int64_t{32}}, {"return_sequences", true}}),
                                                       layer("Flatten", "flatten"), tests::support::rows::dense("dense", 10, "linear")}),
                      compileWith(tests::support::rows::kSgd),
                      512,
                      512,
                      0.01F};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch});
    Variables variables(plan);
    const CpuExecutor chosen(plan, variables, {.threads = 1}), whole(plan, variables, {.threads = 1, .piece = 512});
    EXPECT_EQ(chosen.plan().batch, plan::bestPiece(plan));
    EXPECT_GT(chosen.pieces(), 1);
    EXPECT_LT(2 * chosen.plan().private_bytes, whole.plan().private_bytes);
    EXPECT_THAT(chosen.describe(), HasSubstr("samples at once"));
    EXPECT_THAT(whole.describe(), Not(HasSubstr("samples at once")));
    EXPECT_TRUE(isNear(trained(c, {.threads = 2}, 100), trained(c, {.threads = 2, .piece = 512}, 100), 1e-5));
}

TEST(PiecesOfABatch, AreNotMadeWhereSamplesMeet) {
    using tests::support::layer;
    const ModelCase c{"met",
                      tests::support::model({6}, {layer("BatchNormalization", "norm"), tests::support::rows::dense("dense", 3, "linear")}),
                      compileWith(tests::support::rows::kSgd),
                      8,
                      8,
                      0.01F};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch});
    Variables variables(plan);
    EXPECT_FALSE(plan::comesInPieces(plan));
    EXPECT_EQ(CpuExecutor(plan, variables, {.threads = 1, .piece = 3}).pieces(), 1);
}

}  // namespace
}  // namespace engine::backend::cpu
