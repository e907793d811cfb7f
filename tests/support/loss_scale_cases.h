// Loss scaling on any executor, against Keras' rules for it: what happens to weights, scale and counter where gradients stay finite and
// where they do not.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/project/schedule.h"
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

// One weight w of a Dense layer without bias on one sample x; half the squared error to a label: the gradient is (w x - t) x.
class ScaledLoss {
public:
    ScaledLoss(const Backend& backend, const spec::ObjectSpec& optimizer, const plan::LossScaleAttributes& scaling, const char* policy,
               const spec::Fields& more = {}) {
        spec::Fields config{{"units", std::int64_t{1}}, {"use_bias", false}};
        for (const auto& [name, value] : more.entries()) config.set(name, value);
        spec::ModelSpec model = tests::support::model({1}, {tests::support::layer("Dense", "dense", config)});
        model.dtype_policy = policy;
        plan_ = plan::lower(model, {.optimizer = optimizer, .loss = {"MeanSquaredError", {}}, .metrics = {}}, {.batch = 1});
        plan_ = plan::withLossScale(plan::withMixedPrecision(std::move(plan_), model), scaling);
        plan_ = plan::planMemory(plan::fuseUpdates(plan::fuseLayers(std::move(plan_))));
        variables_ = std::make_unique<Variables>(plan_);
        initializeVariables(*variables_, model, 1);
        executor_ = backend.make(plan_, *variables_, {});
    }

    void setWeight(float value) {
        variables_->values("dense/kernel")[0] = value;
        executor_->reloadVariables();
    }
    void step(float x, float label, float rate = 0.5F) {
        const std::vector<std::uint32_t> indices{0};
        result_ = executor_->trainStep({.samples = reinterpret_cast<const std::byte*>(&x),
                                        .sample_dtype = tensor::DType::kFloat32,
                                        .sample_elements = 1,
                                        .labels = reinterpret_cast<const std::byte*>(&label),
                                        .label_dtype = tensor::DType::kFloat32,
                                        .label_elements = 1,
                                        .indices = indices},
                                       {.learning_rate = rate, .iteration = iteration_++});
        executor_->syncVariables();
    }
    float get(std::string_view name) { return variables_->values(name)[0]; }
    float weight() { return get("dense/kernel"); }
    float scale() { return get(spec::kDynamicScale); }
    float counter() { return get(spec::kStepCounter); }
    float leftOut() { return get(spec::kStepsLeftOut); }
    double loss() const { return result_.loss_sum; }

private:
    plan::Plan plan_;
    std::unique_ptr<Variables> variables_;
    std::unique_ptr<Executor> executor_;
    StepResult result_;
    std::int64_t iteration_ = 0;
};

class LossScaling : public ::testing::TestWithParam<Backend> {};

TEST_P(LossScaling, LeavesTheStepAsItIsWhereNothingOverflows) {
    for (const char* policy : {"float32", "mixed_float16"}) {
        SCOPED_TRACE(policy);
        ScaledLoss model(GetParam(), {"SGD", {}}, {}, policy);
        model.setWeight(0.5F);
        model.step(1, 0.25F);  // 2 (0.5 - 0.25) = 0.5, a power of two in float16 as well
        EXPECT_EQ(model.weight(), 0.25F);
        EXPECT_EQ(model.loss(), 0.0625);
        EXPECT_EQ(model.scale(), 32768);
        EXPECT_EQ(model.counter(), 1);
        EXPECT_EQ(model.leftOut(), 0);
    }
}

// A gradient of 2^-15 is below half the smallest float16 when it is squared into the layer before; scaled it is not.
TEST_P(LossScaling, KeepsGradientsThatFloat16WouldLose) {
    for (const double initial : {1.0, 32768.0}) {
        ScaledLoss model(GetParam(), {"SGD", {}}, {.initial_scale = initial}, "mixed_float16");
        model.setWeight(0);
        const float label = 0x1.0p-27F;  // the loss's gradient is -2^-26
        model.step(1, label, 1);
        EXPECT_EQ(model.weight(), initial == 1 ? 0.0F : 2 * label) << initial;
    }
}

TEST_P(LossScaling, DoublesTheScaleAfterFiniteStepsInARow) {
    ScaledLoss model(GetParam(), {"SGD", {}}, {.initial_scale = 4, .growth_steps = 3}, "float32");
    model.setWeight(0.5F);
    const float scales[] = {4, 4, 8, 8, 8, 16}, counters[] = {1, 2, 0, 1, 2, 0};
    for (int i = 0; i < 6; ++i) {
        model.step(1, 0);
        EXPECT_EQ(model.scale(), scales[i]) << i;
        EXPECT_EQ(model.counter(), counters[i]) << i;
    }
}

TEST_P(LossScaling, LeavesOutAStepThatIsNotFinite) {
    for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        ScaledLoss model(GetParam(), {"Adam", {{"clipnorm", 1.0}, {"use_ema", true}}}, {.initial_scale = 8}, "float32",
                         {{"kernel_constraint", spec::ObjectBox({"MinMaxNorm", {{"rate", 0.5}, {"min_value", 0.0}, {"max_value", 0.1}}})}});
        model.setWeight(0.5F);
        model.step(1, 0.25F);
        const float weight = model.weight(), m = model.get("dense/kernel:m"), average = model.get("dense/kernel:average");
        EXPECT_EQ(model.counter(), 1);
        model.step(1, bad);
        EXPECT_EQ(model.weight(), weight);
        EXPECT_EQ(model.get("dense/kernel:m"), m);
        EXPECT_EQ(model.get("dense/kernel:average"), average);
        EXPECT_EQ(model.scale(), 4);
        EXPECT_EQ(model.counter(), 0);
        EXPECT_EQ(model.leftOut(), 1);
        model.step(1, 0.25F);
        EXPECT_NE(model.weight(), weight);
        EXPECT_EQ(model.scale(), 4);
        EXPECT_EQ(model.counter(), 1);
    }
}

// 0.5 x overflows float16 on the way back where the scale is too large: it falls until it fits, and the weight moves then.
TEST_P(LossScaling, FindsAScaleThatFits) {
    ScaledLoss model(GetParam(), {"SGD", {}}, {.initial_scale = 0x1.0p20}, "mixed_float16");
    model.setWeight(0.5F);
    int steps = 0;
    for (; model.weight() == 0.5F && steps < 20; ++steps) model.step(4, 0, 0x1.0p-6F);
    // 2 * 2 * scale fits from 2^13 on: 16384 * 4 is one too large. The product with x in float32 is no obstacle.
    EXPECT_EQ(model.scale(), 0x1.0p13F);
    EXPECT_EQ(model.leftOut(), 7);
    EXPECT_EQ(steps, 8);
    EXPECT_EQ(model.weight(), 0.5F - 16 * 0x1.0p-6F);
}

// Keras' optimizer counts the steps that it takes: Adam's correction is that of the first.
TEST_P(LossScaling, CountsTheStepsThatWereTaken) {
    for (const char* name : {"Adam", "Adamax", "Nadam"}) {
        ScaledLoss plain(GetParam(), {name, {}}, {}, "float32"), late(GetParam(), {name, {}}, {}, "float32");
        plain.setWeight(0.5F);
        late.setWeight(0.5F);
        late.step(1, std::numeric_limits<float>::infinity());
        for (int i = 0; i < 3; ++i) {
            plain.step(1, 0.25F, 0.01F);
            late.step(1, 0.25F, 0.01F);
            EXPECT_NEAR(late.weight(), plain.weight(), 1e-7) << name;
        }
        EXPECT_LT(plain.weight(), 0.48F);
    }
}

TEST_P(LossScaling, ScalesPenaltiesWithTheLoss) {
    ScaledLoss model(GetParam(), {"SGD", {}}, {}, "float32", {{"kernel_regularizer", spec::ObjectBox({"L2", {{"l2", 0.25}}})}});
    model.setWeight(0.5F);
    model.step(0, 0, 1);  // the penalty's slope alone
    EXPECT_EQ(model.weight(), 0.5F - 2 * 0.25F * 0.5F);
}

// Real Keras' run with steps left out at the beginning and again and again: tests/data/keras_training/make_loss_scale.py.
TEST_P(LossScaling, FollowsTheReferencesTrainingStepByStep) {
    std::ifstream file(std::string(TANDEM_TEST_DATA) + "/keras_training/loss_scale.json");
    const nlohmann::json golden = nlohmann::json::parse(file);
    constexpr std::int64_t kSamples = 1, kInputs = 3, kOutputs = 2;
    const auto x = golden.at("x").get<std::vector<float>>(), y = golden.at("y").get<std::vector<float>>();
    spec::ModelSpec net = tests::support::model(
        {kInputs}, {tests::support::layer("Dense", "hidden", {{"units", std::int64_t{5}}, {"activation", std::string("relu")}}),
                    tests::support::layer("Dense", "out", {{"units", kOutputs}})});
    const std::pair<const char*, spec::ObjectSpec> optimizers[] = {
        {"SGD", {"SGD", {{"learning_rate", 0.002}, {"momentum", 0.5}}}},
        {"Adam", {"Adam", {{"learning_rate", 0.05}}}},
        {"Scheduled", {"SGD", {{"learning_rate", 0.004}}}}};  // the rate comes with each step
    for (const auto& [name, optimizer] : optimizers) {
        SCOPED_TRACE(name);
        plan::Plan plan = plan::lower(net, {.optimizer = optimizer, .loss = {"MeanSquaredError", {}}, .metrics = {}}, {.batch = kSamples});
        plan = plan::withLossScale(std::move(plan),
                                   {.initial_scale = golden.at("initial_scale"), .growth_steps = golden.at("dynamic_growth_steps")});
        plan = plan::planMemory(plan::fuseUpdates(plan::fuseLayers(std::move(plan))));
        Variables variables(plan);
        initializeVariables(variables, net, 1);
        const auto initial = golden.at("weights").get<std::vector<float>>();
        const char* const weights[] = {"hidden/kernel", "hidden/bias", "out/kernel", "out/bias"};
        for (std::size_t at = 0; const char* weight : weights) {
            for (float& value : variables.values(weight)) value = initial.at(at++);
        }
        const auto executor = GetParam().make(plan, variables, {});
        executor->reloadVariables();
        const std::vector<std::uint32_t> indices{0};
        const tensor::BatchView batch{.samples = reinterpret_cast<const std::byte*>(x.data()),
                                      .sample_dtype = tensor::DType::kFloat32,
                                      .sample_elements = kInputs,
                                      .labels = reinterpret_cast<const std::byte*>(y.data()),
                                      .label_dtype = tensor::DType::kFloat32,
                                      .label_elements = kOutputs,
                                      .indices = indices};
        std::int64_t step = 0;
        for (const nlohmann::json& wanted : golden.at("steps").at(name)) {
            const double usual = spec::optimizerRate(optimizer, 0);
            const float rate = wanted.at("rate").is_null() ? static_cast<float>(usual) : wanted.at("rate").get<float>();
            executor->trainStep(batch, {.learning_rate = rate, .iteration = step++});
            executor->syncVariables();
            ASSERT_EQ(variables.values(spec::kDynamicScale)[0], wanted.at("scale").get<float>()) << step;
            ASSERT_EQ(variables.values(spec::kStepCounter)[0], wanted.at("counter").get<float>()) << step;
            ASSERT_EQ(static_cast<float>(step) - variables.values(spec::kStepsLeftOut)[0], wanted.at("iterations").get<float>()) << step;
            const auto values = wanted.at("weights").get<std::vector<float>>();
            for (std::size_t at = 0; const char* weight : weights) {
                for (const float value : variables.values(weight)) {
                    const float expected = values.at(at++);
                    ASSERT_NEAR(value, expected, 2e-5 * std::max(1.0F, std::abs(expected))) << weight << " after " << step;
                }
            }
        }
    }
}

}  // namespace
}  // namespace engine::backend
