// Residual blocks on any executor against Keras' numbers of the class that exported code defines: tests/data/keras/residual.json.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/compile.h"
#include "engine/plan/loss.h"
#include "engine/plan/metric.h"
#include "tests/support/keras_models.h"

namespace engine::backend {
namespace {

class KerasResidual : public KerasModels {};

TEST_P(KerasResidual, ComputesAndGoesBackTheSame) {
    const nlohmann::json cases = readGolden("residual.json").at("layers");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        checkLayers(golden);
    }
}

TEST_P(KerasResidual, TrainsTheSameForFiveSteps) {
    const nlohmann::json golden = readGolden("residual.json").at("training");
    const Array input = toArray(golden.at("input")), labels = toArray(golden.at("labels"));
    spec::RunSpec run;
    run.model = modelOf(golden);
    run.compile.optimizer = {"SGD", {{"momentum", 0.9}}};
    run.compile.loss = {"SparseCategoricalCrossentropy", {}};
    run.compile.metrics.clear();
    const plan::Plan plan = plan::compile(run, {.batch = input.shape.front()});
    const std::vector<spec::VariableInfo> infos = variablesOf(run.model);
    Variables variables(plan);
    setWeights(variables, infos, toArrays(golden.at("weights")));
    Batch batch;
    fillBatch(batch, input, labels, plan);
    const auto executor = GetParam().make(plan, variables, {.threads = GetParam().threads});
    executor->reloadVariables();
    for (const nlohmann::json& loss : golden.at("losses")) {
        const StepResult result = executor->trainStep(batch.view, {.learning_rate = 0.05F});
        const std::vector<double> header(result.header.begin(), result.header.end());
        EXPECT_NEAR(plan::lossValue(header), loss.get<double>(), 1e-4);
    }
    executor->syncVariables();
    const std::vector<Array> after = toArrays(golden.at("weights_after"));
    for (std::size_t i = 0; i < infos.size(); ++i) {
        EXPECT_TRUE(isNear(variables.values(infos[i].name), after[i].values, 1e-4)) << infos[i].name;
    }
}

}  // namespace
}  // namespace engine::backend
