// Models of a few layers on any executor against Keras' numbers, as tests/data/keras/golden.py writes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/plan/plan.h"
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

class KerasModels : public ::testing::TestWithParam<Back> {
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

    // All samples of a golden case, with labels as the plan wants them. What it points to must outlive it.
    struct Batch {
        std::vector<std::int32_t> classes;
        std::vector<std::uint32_t> indices;
        tensor::BatchView view{};
    };
    static void fillBatch(Batch& batch, const Array& input, const Array& labels, const plan::Plan& plan) {
        const bool has_classes = plan.tensors[static_cast<std::size_t>(plan.label)].dtype == tensor::DType::kInt32;
        batch.classes.assign(labels.values.begin(), labels.values.end());
        const auto samples = static_cast<std::size_t>(input.shape.front());
        for (std::size_t i = 0; i < samples; ++i) batch.indices.push_back(static_cast<std::uint32_t>(i));
        const auto elements = [samples](const Array& array) { return static_cast<std::int64_t>(array.values.size() / samples); };
        batch.view = {.samples = reinterpret_cast<const std::byte*>(input.values.data()),
                      .sample_dtype = tensor::DType::kFloat32,
                      .sample_elements = elements(input),
                      .labels = has_classes ? reinterpret_cast<const std::byte*>(batch.classes.data())
                                            : reinterpret_cast<const std::byte*>(labels.values.data()),
                      .label_dtype = has_classes ? tensor::DType::kInt32 : tensor::DType::kFloat32,
                      .label_elements = elements(labels),
                      .indices = batch.indices};
    }
};

}  // namespace
}  // namespace engine::backend
