#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/executor.h"
#include "engine/backend/flat_update.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/plan/lower.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"

namespace engine::backend {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

spec::RunSpec tutorialRun(spec::ObjectSpec optimizer) {
    spec::RunSpec run;
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith(std::move(optimizer));
    return run;
}

TEST(Variables, ListParametersThenSlotsInModelOrder) {
    const Variables variables(plan::compile(tutorialRun({"SGD", {{"momentum", 0.9}}}), {}));
    std::vector<std::string> names;
    for (const Variables::Entry& entry : variables.entries()) names.push_back(entry.name);
    EXPECT_THAT(names, ElementsAre("conv2d/kernel", "conv2d/bias", "dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias",
                                   "conv2d/kernel:momentum", "conv2d/bias:momentum", "dense/kernel:momentum", "dense/bias:momentum",
                                   "dense_1/kernel:momentum", "dense_1/bias:momentum"));
    EXPECT_EQ(variables.values("dense/kernel").size(), 5408U * 64U);
    EXPECT_EQ(variables.values("dense/kernel").data(), variables.entries()[2].values.data());
    EXPECT_FALSE(variables.entries()[5].is_slot);
    EXPECT_TRUE(variables.entries()[6].is_slot);
}

TEST(Variables, KeepWeightsOfFrozenLayersInModelOrder) {
    spec::RunSpec run = tutorialRun({"SGD", {{"momentum", 0.9}}});
    run.model.layers[3].config.set("trainable", false);
    const Variables variables(plan::compile(run, {}));
    std::vector<std::string> names;
    for (const Variables::Entry& entry : variables.entries()) names.push_back(entry.name + (entry.is_state ? " state" : ""));
    EXPECT_THAT(names,
                ElementsAre("conv2d/kernel", "conv2d/bias", "dense/kernel state", "dense/bias state", "dense_1/kernel", "dense_1/bias",
                            "conv2d/kernel:momentum", "conv2d/bias:momentum", "dense_1/kernel:momentum", "dense_1/bias:momentum"));
}

TEST(Variables, BeginWithTheInitializerOfTheWayThereOnTheWayBack) {
    spec::RunSpec run;
    run.model = tests::support::model(
        {4}, {tests::support::layer("ReversibleEmbedding", "words",
                                    {{"input_dim", std::int64_t{9}},
                                     {"output_dim", std::int64_t{2}},
                                     {"tie_weights", false},
                                     {"embeddings_initializer", spec::ObjectBox({"Constant", {{"value", 0.25}}})}}),
              tests::support::layer("Flatten", "flatten"), tests::support::layer("Dense", "dense", {{"units", std::int64_t{2}}})});
    run.compile = tests::support::compileWith({"SGD", {}});
    Variables variables(plan::compile(run, {}));
    initializeVariables(variables, run.model, 1);
    EXPECT_THAT(variables.values("words/embeddings"), Each(0.25F));
    EXPECT_THAT(variables.values("words/reverse_embeddings"), Each(0.25F));
}

TEST(Variables, AreAlignedAndZero) {
    const Variables variables(plan::compile(tutorialRun({"Adam", {}}), {}));
    for (const Variables::Entry& entry : variables.entries()) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(entry.values.data()) % 64, 0U) << entry.name;
        EXPECT_THAT(entry.values, Each(0.0F)) << entry.name;
    }
}

TEST(Variables, NameWhatThePlanLacks) {
    const Variables variables(plan::compile(tutorialRun({"SGD", {}}), {}));
    EXPECT_THROW(variables.values("dense_9/kernel"), Error);
}

TEST(InitializeVariables, UsesKerasDefaultsAndTheUsersChoice) {
    spec::RunSpec run = tutorialRun({"Adam", {}});
    run.model.layers[3].config.set("bias_initializer", spec::ObjectBox({"Constant", {{"value", 0.25}}}));
    run.model.layers[4].config.set("kernel_initializer", std::string("ones"));
    Variables variables(plan::compile(run, {}));
    initializeVariables(variables, run.model, 1);
    EXPECT_THAT(variables.values("dense/bias"), Each(0.25F));
    EXPECT_THAT(variables.values("dense_1/kernel"), Each(1.0F));
    EXPECT_THAT(variables.values("conv2d/bias"), Each(0.0F));
    EXPECT_THAT(variables.values("conv2d/kernel:m"), Each(0.0F));
    const double limit = std::sqrt(6.0 / (9 + 9 * 32));
    for (float value : variables.values("conv2d/kernel")) EXPECT_LE(std::abs(value), limit);
    EXPECT_NE(variables.values("conv2d/kernel")[0], variables.values("dense/kernel")[0]);
}

TEST(InitializeVariables, DependsOnTheSeedAlone) {
    const spec::RunSpec run = tutorialRun({"Adam", {}});
    Variables one(plan::compile(run, {})), many(plan::compile(run, {.batch = 8, .replicas = 4})), other(plan::compile(run, {}));
    initializeVariables(one, run.model, 1);
    initializeVariables(many, run.model, 1);
    initializeVariables(other, run.model, 2);
    for (std::size_t i = 0; i < one.entries().size(); ++i)
        EXPECT_THAT(many.entries()[i].values, ::testing::ElementsAreArray(one.entries()[i].values));
    EXPECT_NE(one.values("dense/kernel")[0], other.values("dense/kernel")[0]);
}

TEST(FlatRuns, ABucketIsOneRunOfMemory) {
    const plan::Plan plan = plan::compile(tutorialRun({"Adam", {}}), {.batch = 8, .replicas = 2});
    const Variables variables(plan);
    std::vector<std::byte> region(static_cast<std::size_t>(plan.shared_bytes));
    int updates = 0;
    for (const plan::Op& op : plan.ops) {
        if (op.kind != plan::OpKind::kFusedUpdate) continue;
        const std::vector<FlatRun> runs = flatRuns(plan, op, [&](plan::TensorId id) {
            const plan::TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
            return tensor.region == plan::Region::kVariables ? variables.values(tensor.name).data()
                                                             : reinterpret_cast<float*>(region.data() + tensor.offset_bytes);
        });
        EXPECT_EQ(runs.size(), 1U) << op.name;
        const auto& slots = runs.front().slots;
        EXPECT_EQ(std::count_if(slots.begin(), slots.end(), [](const float* slot) { return slot != nullptr; }), 2);
        ++updates;
    }
    EXPECT_EQ(updates, static_cast<int>(plan.buckets.size()));
}

// As Keras begins: the second of four gates is open, and EinsumDense's kernel counts 30 inputs and 20 outputs.
TEST(Variables, BeginAsTheirLayersSay) {
    using Sizes = std::vector<std::int64_t>;
    spec::RunSpec run = tutorialRun({"SGD", {}});
    run.model = tests::support::model(
        {3, 5, 6},
        {tests::support::layer("ConvLSTM1D", "lstm", {{"filters", std::int64_t{2}}, {"kernel_size", std::int64_t{2}}}),
         tests::support::layer("Flatten", "flatten"), tests::support::layer("Dense", "wide", {{"units", std::int64_t{30}}}),
         tests::support::layer("EinsumDense", "einsum", {{"equation", std::string("ab,bcd->acd")}, {"output_shape", Sizes{4, 5}}})});
    Variables variables(plan::lowerLayers(run.model, {.batch = 1}));
    initializeVariables(variables, run.model, 1);
    EXPECT_THAT(variables.values("lstm/bias"), ElementsAre(0, 0, 1, 1, 0, 0, 0, 0));
    const std::span<const float> kernel = variables.values("einsum/kernel");
    const float limit = std::sqrt(6.0F / (30 + 20)), largest = *std::max_element(kernel.begin(), kernel.end());
    EXPECT_LE(largest, limit);
    EXPECT_GT(largest, 0.95F * limit);
}

TEST(DropoutMask, KeepsTheGivenShareAndRepeats) {
    std::vector<std::uint8_t> mask(100003), again(100003);
    const DropoutKey key{.seed = 1, .epoch = 2, .iteration = 3, .layer = 4};
    fillDropoutMask(key, 0.3, 17, mask);
    fillDropoutMask(key, 0.3, 17, again);
    EXPECT_EQ(mask, again);
    double kept = 0;
    for (std::uint8_t unit : mask) kept += unit;
    EXPECT_NEAR(kept / static_cast<double>(mask.size()), 0.7, 0.01);
    fillDropoutMask(key, 0.3, 18, again);
    EXPECT_NE(mask, again);
    EXPECT_FLOAT_EQ(dropoutScale(0.2), 1.25F);
}

}  // namespace
}  // namespace engine::backend
