// Regularizers: what they add to the loss and take off the weights, by their formulas, on any executor.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "tests/support/golden.h"
#include "tests/support/model_builder.h"

namespace engine::backend {
namespace {

struct Backend {
    const char* name;
    std::unique_ptr<Executor> (*make)(const plan::Plan&, Variables&, const ExecutorOptions&);
};
void PrintTo(const Backend& backend, std::ostream* out) {
    *out << backend.name;
}

class Penalties : public ::testing::TestWithParam<Backend> {
protected:
    // One Dense(1) on two inputs, with these fields; w = (2, -3), b = 1; two samples (1, 0) and (0, 1), so that y = 3 and -2. The labels
    // are y: the loss is nothing but the penalties.
    void step(const spec::Fields& fields, std::vector<spec::LayerSpec> behind = {}) {
        spec::RunSpec run;
        spec::Fields config{{"units", std::int64_t{1}}};
        for (const auto& [name, value] : fields.entries()) config.set(name, value);
        behind.insert(behind.begin(), tests::support::layer("Dense", "dense", config));
        run.model = tests::support::model({2}, std::move(behind));
        run.compile = {.optimizer = {"SGD", {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}};
        plan_ = plan::compile(run, {.batch = 2});
        variables_ = std::make_unique<Variables>(plan_);
        variables_->values("dense/kernel")[0] = 2;
        variables_->values("dense/kernel")[1] = -3;
        variables_->values("dense/bias")[0] = 1;
        const auto executor = GetParam().make(plan_, *variables_, {});
        executor->reloadVariables();
        const std::vector<float> input{1, 0, 0, 1}, labels{3, -2};
        const std::vector<std::uint32_t> indices{0, 1};
        const StepResult result = executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                                       .sample_dtype = tensor::DType::kFloat32,
                                                       .sample_elements = 2,
                                                       .labels = reinterpret_cast<const std::byte*>(labels.data()),
                                                       .label_dtype = tensor::DType::kFloat32,
                                                       .label_elements = 1,
                                                       .indices = indices},
                                                      {.learning_rate = 1});
        executor->syncVariables();
        loss_ = result.loss_sum / result.count;
    }
    static spec::FieldValue regularizer(const char* class_name, spec::Fields config) {
        return spec::ObjectBox({class_name, std::move(config)});
    }
    float weight(std::size_t i) const { return variables_->values("dense/kernel")[i]; }
    float bias() const { return variables_->values("dense/bias")[0]; }

    plan::Plan plan_;
    std::unique_ptr<Variables> variables_;
    double loss_ = 0;
};

TEST_P(Penalties, OfWeightsPullThemToZero) {
    step({{"kernel_regularizer", regularizer("L2", {{"l2", 0.1}})}});
    EXPECT_NEAR(loss_, 0.1 * (4 + 9), 1e-6);
    EXPECT_NEAR(weight(0), 2 - 0.1 * 2 * 2, 1e-6);
    EXPECT_NEAR(weight(1), -3 + 0.1 * 2 * 3, 1e-6);
    EXPECT_NEAR(bias(), 1, 1e-6);
}

TEST_P(Penalties, OfBothKindsAddUp) {
    step({{"kernel_regularizer", regularizer("L1L2", {{"l1", 0.1}, {"l2", 0.01}})}, {"bias_regularizer", std::string("l1")}});
    EXPECT_NEAR(loss_, 0.1 * 5 + 0.01 * 13 + 0.01, 1e-6);
    EXPECT_NEAR(weight(0), 2 - 0.1 - 0.04, 1e-6);
    EXPECT_NEAR(bias(), 1 - 0.01, 1e-6);
}

// The penalty counts per sample: it is the mean over the batch.
TEST_P(Penalties, OfAnOutputGoBackThroughTheLayer) {
    step({{"activity_regularizer", regularizer("L2", {{"l2", 0.1}})}});
    EXPECT_NEAR(loss_, 0.1 * (9 + 4) / 2, 1e-6);
    EXPECT_NEAR(weight(0), 2 - 0.1 * 2 * 3 / 2, 1e-6);
    EXPECT_NEAR(weight(1), -3 + 0.1 * 2 * 2 / 2, 1e-6);
    EXPECT_NEAR(bias(), 1 - 0.1 * (3 - 2), 1e-6);
}

// Keras' SimpleRNN takes one and adds nothing for it. The labels are zeros: the loss is half the sum of two squares, of which the penalty
// of the others is a hundredth.
TEST_P(Penalties, OfASimpleRnnsOutputIsNone) {
    const auto lossOf = [](const char* class_name, bool is_penalised) {
        spec::RunSpec run;
        spec::Fields fields{{"units", std::int64_t{2}}};
        if (is_penalised) fields.set("activity_regularizer", std::string("l2"));
        run.model = tests::support::model({3, 2}, {tests::support::layer(class_name, "rnn", fields)});
        run.compile = {.optimizer = {"SGD", {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}};
        const plan::Plan plan = plan::compile(run, {.batch = 1});
        Variables variables(plan);
        initializeVariables(variables, run.model, 1);
        const auto executor = GetParam().make(plan, variables, {});
        executor->reloadVariables();
        const std::vector<float> input{1, 2, 3, -1, -2, -3}, labels{0, 0};
        const std::vector<std::uint32_t> indices{0};
        const StepResult result = executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                                       .sample_dtype = tensor::DType::kFloat32,
                                                       .sample_elements = 6,
                                                       .labels = reinterpret_cast<const std::byte*>(labels.data()),
                                                       .label_dtype = tensor::DType::kFloat32,
                                                       .label_elements = 2,
                                                       .indices = indices},
                                                      {.learning_rate = 1});
        return result.loss_sum / result.count;
    };
    EXPECT_GT(lossOf("SimpleRNN", false), 0.01);
    EXPECT_EQ(lossOf("SimpleRNN", true), lossOf("SimpleRNN", false));
    for (const char* other : {"LSTM", "GRU"}) EXPECT_NEAR(lossOf(other, true), 1.02 * lossOf(other, false), 1e-6) << other;
}

TEST_P(Penalties, OfALayerOfTheirOwnGoBackThroughTheLayersBeforeIt) {
    step({}, {tests::support::layer("ActivityRegularization", "size", {{"l1", 0.2}, {"l2", 0.1}})});
    EXPECT_NEAR(loss_, (0.2 * (3 + 2) + 0.1 * (9 + 4)) / 2, 1e-6);
    EXPECT_NEAR(weight(0), 2 - (0.2 + 0.1 * 2 * 3) / 2, 1e-6);
    EXPECT_NEAR(weight(1), -3 + (0.2 + 0.1 * 2 * 2) / 2, 1e-6);
    EXPECT_NEAR(bias(), 1 - 0.1 * (3 - 2), 1e-6);
}

// alpha has the sizes of a sample, or one for all; the constraint comes after the penalty's step.
TEST_P(Penalties, OfPRelusSlopesPullThemToZero) {
    spec::RunSpec run;
    run.model = tests::support::model({2}, {tests::support::layer("PReLU", "prelu",
                                                                  {{"alpha_regularizer", regularizer("L1L2", {{"l1", 0.1}, {"l2", 0.01}})},
                                                                   {"alpha_constraint", spec::ObjectBox({"NonNeg", {}})}})});
    run.compile = {.optimizer = {"SGD", {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}};
    const plan::Plan plan = plan::compile(run, {.batch = 1});
    Variables variables(plan);
    const std::span<float> alpha = variables.values("prelu/alpha");
    alpha[0] = 2;
    alpha[1] = 0.05F;
    const auto executor = GetParam().make(plan, variables, {});
    executor->reloadVariables();
    const std::vector<float> input{1, 3};  // above 0, where the output is the input
    const std::vector<std::uint32_t> indices{0};
    const StepResult result = executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                                   .sample_dtype = tensor::DType::kFloat32,
                                                   .sample_elements = 2,
                                                   .labels = reinterpret_cast<const std::byte*>(input.data()),
                                                   .label_dtype = tensor::DType::kFloat32,
                                                   .label_elements = 2,
                                                   .indices = indices},
                                                  {.learning_rate = 1});
    executor->syncVariables();
    EXPECT_NEAR(result.loss_sum, 0.1 * 2.05 + 0.01 * (4 + 0.0025), 1e-6);
    EXPECT_NEAR(alpha[0], 2 - 0.1 - 0.04, 1e-6);
    EXPECT_EQ(alpha[1], 0.0F);
}

// Numbers of Keras: tests/data/keras/orthogonal.json.
TEST_P(Penalties, OfVectorsPullThemToRightAngles) {
    const nlohmann::json cases = tests::support::readGolden("orthogonal.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("config").dump() + " " + golden.at("w").at("shape").dump());
        const tests::support::Array w = tests::support::toArray(golden.at("w")), slope = tests::support::toArray(golden.at("gradient"));
        spec::RunSpec run;
        run.model = tests::support::model(
            {w.shape[0]}, {tests::support::layer("Dense", "dense",
                                                 {{"units", w.shape[1]},
                                                  {"use_bias", false},
                                                  {"kernel_regularizer",
                                                   regularizer("OrthogonalRegularizer", tests::support::toFields(golden.at("config")))}})});
        run.compile = {.optimizer = {"SGD", {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}};
        const plan::Plan plan = plan::compile(run, {.batch = 1});
        Variables variables(plan);
        std::copy(w.values.begin(), w.values.end(), variables.values("dense/kernel").begin());
        const auto executor = GetParam().make(plan, variables, {});
        executor->reloadVariables();
        // An input of zeros puts out zeros, which are the labels: the loss is the penalty alone.
        const std::vector<float> input(static_cast<std::size_t>(w.shape[0])), labels(static_cast<std::size_t>(w.shape[1]));
        const std::vector<std::uint32_t> indices{0};
        const StepResult result = executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                                       .sample_dtype = tensor::DType::kFloat32,
                                                       .sample_elements = w.shape[0],
                                                       .labels = reinterpret_cast<const std::byte*>(labels.data()),
                                                       .label_dtype = tensor::DType::kFloat32,
                                                       .label_elements = w.shape[1],
                                                       .indices = indices},
                                                      {.learning_rate = 1});
        executor->syncVariables();
        EXPECT_NEAR(result.loss_sum, golden.at("value").get<double>(), 2e-6);
        const std::span<const float> after = variables.values("dense/kernel");
        for (std::size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(w.values[i] - after[i], slope.values[i], 2e-6) << i;
    }
}

}  // namespace
}  // namespace engine::backend
