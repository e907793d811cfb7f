// Models of the classes that exported code defines, on any executor, against Keras' numbers: Residual and SelfAttention with its kin
// (tests/data/keras/residual.json, attention.json). And of SpectralNormalization, which changes what it trains (spectral_norm.json), and of
// ReversibleEmbedding, which has weights that nothing trains (reversible_embedding.json).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/compile.h"
#include "engine/plan/loss.h"
#include "engine/plan/metric.h"
#include "tests/support/keras_models.h"

namespace engine::backend {
namespace {

class KerasTandemClasses : public KerasModels {
protected:
    void checkAll(const char* file) {
        const nlohmann::json cases = readGolden(file).at("layers");
        ASSERT_FALSE(cases.empty());
        for (const nlohmann::json& golden : cases) {
            SCOPED_TRACE(golden.at("name").get<std::string>());
            checkLayers(golden);
        }
    }
    void checkTraining(const char* file);
};

TEST_P(KerasTandemClasses, ResidualComputesAndGoesBackTheSame) {
    checkAll("residual.json");
}

TEST_P(KerasTandemClasses, ResidualTrainsTheSameForFiveSteps) {
    checkTraining("residual.json");
}

TEST_P(KerasTandemClasses, AttentionComputesAndGoesBackTheSame) {
    checkAll("attention.json");
}

TEST_P(KerasTandemClasses, AttentionTrainsTheSameForFiveSteps) {
    checkTraining("attention.json");
}

TEST_P(KerasTandemClasses, SpectralNormalizationComputesAndGoesBackTheSame) {
    checkAll("spectral_norm.json");
}

TEST_P(KerasTandemClasses, SpectralNormalizationTrainsTheSameForFiveSteps) {
    checkTraining("spectral_norm.json");
}

// What the optimizer keeps of weights without a gradient stays as it began, but for a moving average, which is the weights.
TEST_P(KerasTandemClasses, ReversibleEmbeddingTrainsTheSameForFiveSteps) {
    const std::string weights = "layer_0/reverse_embeddings";
    const nlohmann::json goldens = readGolden("reversible_embedding.json");
    for (const nlohmann::json& golden : goldens.at("training")) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const Array input = toArray(golden.at("input")), labels = toArray(golden.at("labels"));
        const nlohmann::json& optimizer = golden.at("optimizer");
        spec::RunSpec run;
        run.model = modelOf(golden);
        run.compile.optimizer = {optimizer.at("class_name").get<std::string>(), tests::support::toFields(optimizer.at("config"))};
        run.compile.loss = {"SparseCategoricalCrossentropy", {}};
        run.compile.metrics.clear();
        const plan::Plan plan = plan::compile(run, {.batch = input.shape.front()});
        const std::vector<spec::VariableInfo> infos = variablesOf(run.model);
        Variables variables(plan);
        for (const Variables::Entry& entry : variables.entries()) std::fill(entry.values.begin(), entry.values.end(), entry.initial);
        setWeights(variables, infos, toArrays(golden.at("weights")));
        Batch batch;
        fillBatch(batch, input, labels, plan);
        const auto executor = GetParam().make(plan, variables, {.threads = GetParam().threads});
        executor->reloadVariables();
        const float rate = optimizer.at("config").at("learning_rate").get<float>();
        std::int64_t step = 0;
        for (const nlohmann::json& loss : golden.at("losses")) {
            const StepResult result = executor->trainStep(batch.view, {.learning_rate = rate, .iteration = step++});
            const std::vector<double> header(result.header.begin(), result.header.end());
            EXPECT_NEAR(plan::lossValue(header), loss.get<double>(), 1e-4);
        }
        executor->syncVariables();
        const std::vector<Array> after = toArrays(golden.at("weights_after"));
        for (std::size_t i = 0; i < infos.size(); ++i) {
            EXPECT_TRUE(isNear(variables.values(infos[i].name), after[i].values, 1e-4)) << infos[i].name;
        }
        std::size_t slots = 0;
        for (const Variables::Entry& entry : variables.entries()) {
            if (!entry.name.starts_with(weights + ":")) continue;
            ++slots;
            const std::string slot = entry.name.substr(weights.size() + 1);
            std::vector<float> expected(entry.values.size(), 0.0F);
            for (const auto& [name, values] : golden.at("slots").items()) {
                if (name.ends_with("_" + slot)) expected = toArray(values).values;
            }
            EXPECT_TRUE(isNear(entry.values, expected, 1e-6)) << entry.name;
        }
        EXPECT_EQ(slots, golden.at("slots").size());
    }
}

void KerasTandemClasses::checkTraining(const char* file) {
    const nlohmann::json golden = readGolden(file).at("training");
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
