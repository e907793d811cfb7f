// Masks on any executor against Keras' numbers: tests/data/keras/masks.json. What each layer does with a mask that it meets, and what a
// mask does to the loss and the metrics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "engine/plan/metric.h"
#include "engine/spec/catalog/shape_inference.h"
#include "tests/support/executor_rig.h"
#include "tests/support/golden.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::ExecutorFactory;
using tests::support::ExecutorRig;
using tests::support::isNear;
using tests::support::readGolden;
using tests::support::toArray;
using tests::support::toArrays;

struct Back {
    const char* name;
    ExecutorFactory make;
    int threads = 1;
    std::string missing{};  // of this machine: nothing is run
};
void PrintTo(const Back& back, std::ostream* out) {
    *out << back.name;
}

spec::ModelSpec modelOf(const nlohmann::json& golden) {
    const Array input = toArray(golden.at("input"));
    std::vector<spec::LayerSpec> layers;
    for (const nlohmann::json& layer : golden.at("layers")) {
        layers.push_back(tests::support::layer(layer.at("class_name"), "layer_" + std::to_string(layers.size()),
                                               tests::support::toFields(layer.at("config"))));
    }
    spec::ModelSpec model = tests::support::model({input.shape.begin() + 1, input.shape.end()}, std::move(layers));
    if (golden.at("ids").get<bool>()) model.input_dtype = "int32";
    return model;
}

// Returns the variables in Keras' order, layer by layer.
std::vector<spec::VariableInfo> variablesOf(const spec::ModelSpec& model) {
    std::vector<spec::VariableInfo> variables;
    for (const spec::LayerInfo& info : spec::inferShapes(model)) {
        EXPECT_EQ(info.error, "");
        variables.insert(variables.end(), info.variables.begin(), info.variables.end());
    }
    return variables;
}

void setWeights(Variables& variables, const std::vector<spec::VariableInfo>& infos, const std::vector<Array>& weights) {
    ASSERT_EQ(infos.size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        ASSERT_EQ(infos[i].shape, weights[i].shape) << infos[i].name;
        std::copy(weights[i].values.begin(), weights[i].values.end(), variables.values(infos[i].name).begin());
    }
}

class KerasMasks : public ::testing::TestWithParam<Back> {
protected:
    void SetUp() override {
        if (!GetParam().missing.empty()) GTEST_SKIP() << GetParam().missing;
    }

    static void checkLayers(const nlohmann::json& golden) {
        const Array input = toArray(golden.at("input"));
        const spec::ModelSpec model = modelOf(golden);
        const std::vector<spec::VariableInfo> infos = variablesOf(model);
        const bool trains = golden.at("training").get<bool>();
        ExecutorRig rig(model, GetParam().make, {.batch = input.shape.front(), .training = trains, .threads = GetParam().threads});
        setWeights(rig.variables(), infos, toArrays(golden.at("weights")));
        rig.run(input.values, toArray(golden.at("r")).values);
        EXPECT_TRUE(isNear(rig.tensor("output"), toArray(golden.at("output")).values, 1e-5));
        if (!trains) return;
        if (golden.contains("grad_input")) {
            EXPECT_TRUE(isNear(rig.tensor("input:grad"), toArray(golden.at("grad_input")).values, 1e-4));
        }
        const std::vector<Array> gradients = toArrays(golden.at("grad_weights")), after = toArrays(golden.at("weights_after"));
        std::size_t next = 0;
        for (std::size_t i = 0; i < infos.size(); ++i) {
            if (infos[i].trainable) {
                ASSERT_LT(next, gradients.size());
                EXPECT_TRUE(isNear(rig.tensor(infos[i].name + ":grad"), gradients[next++].values, 1e-4)) << infos[i].name;
            } else {
                EXPECT_TRUE(isNear(rig.variables().values(infos[i].name), after[i].values, 1e-5)) << infos[i].name;
            }
        }
        EXPECT_EQ(next, gradients.size());
    }

    // One step and an evaluation after it.
    static void checkTraining(const nlohmann::json& golden) {
        const Array input = toArray(golden.at("input")), labels = toArray(golden.at("labels"));
        spec::RunSpec run;
        run.model = modelOf(golden);
        run.compile.optimizer = {"SGD", {}};
        run.compile.loss = {golden.at("loss").at("class_name"), tests::support::toFields(golden.at("loss").at("config"))};
        run.compile.metrics.clear();
        for (const nlohmann::json& metric : golden.at("metrics")) run.compile.metrics.push_back(metric.get<std::string>());
        plan::CompileTarget target{.batch = input.shape.front()};
        const plan::Plan plan = plan::compile(run, target);
        const std::vector<spec::VariableInfo> infos = variablesOf(run.model);
        Variables variables(plan);
        setWeights(variables, infos, toArrays(golden.at("weights")));

        const bool has_classes = plan.tensors[static_cast<std::size_t>(plan.label)].dtype == tensor::DType::kInt32;
        const std::vector<std::int32_t> classes(labels.values.begin(), labels.values.end());
        const auto samples = static_cast<std::size_t>(input.shape.front());
        std::vector<std::uint32_t> indices(samples);
        for (std::size_t i = 0; i < samples; ++i) indices[i] = static_cast<std::uint32_t>(i);
        const auto elements = [samples](const Array& array) { return static_cast<std::int64_t>(array.values.size() / samples); };
        const tensor::BatchView batch{.samples = reinterpret_cast<const std::byte*>(input.values.data()),
                                      .sample_dtype = tensor::DType::kFloat32,
                                      .sample_elements = elements(input),
                                      .labels = has_classes ? reinterpret_cast<const std::byte*>(classes.data())
                                                            : reinterpret_cast<const std::byte*>(labels.values.data()),
                                      .label_dtype = has_classes ? tensor::DType::kInt32 : tensor::DType::kFloat32,
                                      .label_elements = elements(labels),
                                      .indices = indices};
        const auto executor = GetParam().make(plan, variables, {.threads = GetParam().threads});
        executor->reloadVariables();
        constexpr float kRate = 0.5F;
        expectResults(golden.at("trained"), plan, executor->trainStep(batch, {.learning_rate = kRate}));
        executor->syncVariables();
        const std::vector<Array> after = toArrays(golden.at("weights_after"));
        for (std::size_t i = 0; i < infos.size(); ++i) {
            EXPECT_TRUE(isNear(variables.values(infos[i].name), after[i].values, 1e-5)) << infos[i].name;
        }

        target.training = false;
        const plan::Plan forward = plan::compile(run, target);
        const auto evaluator = GetParam().make(forward, variables, {.threads = GetParam().threads});
        evaluator->reloadVariables();
        expectResults(golden.at("evaluated"), forward, evaluator->evaluateStep(batch));
    }

    static void expectResults(const nlohmann::json& wanted, const plan::Plan& plan, const StepResult& result) {
        const std::vector<double> header(result.header.begin(), result.header.end());
        const double loss = wanted.at("loss");
        EXPECT_NEAR(plan::lossValue(header), loss, 2e-5 * std::max(1.0, std::abs(loss)));
        EXPECT_EQ(plan.metrics.size() + 1, wanted.size());
        for (const plan::NamedMetric& metric : plan.metrics) {
            EXPECT_NEAR(plan::metricValue(metric.attributes, header), wanted.at(metric.name).get<double>(), 2e-5) << metric.name;
        }
    }
};

TEST_P(KerasMasks, TravelThroughLayersTheSame) {
    const nlohmann::json cases = readGolden("masks.json").at("layers");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        checkLayers(golden);
    }
}

TEST_P(KerasMasks, WeighLossAndMetricsTheSame) {
    const nlohmann::json cases = readGolden("masks.json").at("training");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        checkTraining(golden);
    }
}

}  // namespace
}  // namespace engine::backend
