// Masks on any executor against Keras' numbers: tests/data/keras/masks.json, conv_lstm_masked.json, cells.json. What each layer does with a
// mask that it meets, and what a mask does to the loss and the metrics.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/plan/compile.h"
#include "engine/plan/metric.h"
#include "tests/support/keras_models.h"

namespace engine::backend {
namespace {

class KerasMasks : public KerasModels {
protected:
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

        Batch batch;
        fillBatch(batch, input, labels, plan);
        const auto executor = GetParam().make(plan, variables, {.threads = GetParam().threads});
        executor->reloadVariables();
        constexpr float kRate = 0.5F;
        expectResults(golden.at("trained"), plan, executor->trainStep(batch.view, {.learning_rate = kRate}));
        executor->syncVariables();
        const std::vector<Array> after = toArrays(golden.at("weights_after"));
        for (std::size_t i = 0; i < infos.size(); ++i) {
            EXPECT_TRUE(isNear(variables.values(infos[i].name), after[i].values, 1e-5)) << infos[i].name;
        }

        target.training = false;
        const plan::Plan forward = plan::compile(run, target);
        const auto evaluator = GetParam().make(forward, variables, {.threads = GetParam().threads});
        evaluator->reloadVariables();
        expectResults(golden.at("evaluated"), forward, evaluator->evaluateStep(batch.view));
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
    for (const nlohmann::json& cases :
         {readGolden("masks.json").at("layers"), readGolden("conv_lstm_masked.json"), readGolden("cells.json")}) {
        ASSERT_FALSE(cases.empty());
        for (const nlohmann::json& golden : cases) {
            SCOPED_TRACE(golden.at("name").get<std::string>());
            checkLayers(golden);
        }
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
