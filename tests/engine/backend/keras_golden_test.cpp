// The engine's numbers against Keras' on TensorFlow: tests/data/keras.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/flat_update.h"
#include "engine/plan/optimizer.h"
#include "tests/support/golden.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::Fusion;
using tests::support::isNear;
using tests::support::LayerRig;
using tests::support::readGolden;
using tests::support::toArray;
using tests::support::toArrays;

spec::ModelSpec modelOf(const nlohmann::json& golden, const Array& input) {
    return tests::support::model({input.shape.begin() + 1, input.shape.end()},
                                 {tests::support::layer(golden.at("class_name"), "layer", tests::support::toFields(golden.at("config")))});
}

// Sets the layer's weights; the entries of the store are in Keras' order.
void setWeights(LayerRig& rig, const std::vector<Array>& weights) {
    ASSERT_EQ(rig.variables().entries().size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Variables::Entry& entry = rig.variables().entries()[i];
        ASSERT_EQ(entry.shape, weights[i].shape) << entry.name;
        std::copy(weights[i].values.begin(), weights[i].values.end(), entry.values.begin());
    }
}

TEST(KerasGolden, LayersGiveTheSameOutput) {
    const nlohmann::json cases = readGolden("layers_forward.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const Array input = toArray(golden.at("input"));
        LayerRig rig(modelOf(golden, input), input.shape.front(), Fusion::kOff);
        setWeights(rig, toArrays(golden.at("weights")));
        EXPECT_TRUE(isNear(rig.forward(input.values), toArray(golden.at("output")).values, 1e-5));
    }
}

class KerasGoldenGradients : public ::testing::TestWithParam<Fusion> {};

TEST_P(KerasGoldenGradients, AreThoseOfTheLayers) {
    const nlohmann::json cases = readGolden("layers_gradients.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const Array input = toArray(golden.at("input"));
        LayerRig rig(modelOf(golden, input), input.shape.front(), GetParam());
        setWeights(rig, toArrays(golden.at("weights")));
        EXPECT_TRUE(isNear(rig.forward(input.values), toArray(golden.at("output")).values, 1e-5));
        rig.backward(toArray(golden.at("r")).values);
        EXPECT_TRUE(isNear(rig.tensor("input:grad"), toArray(golden.at("grad_input")).values, 1e-4));
        const std::vector<Array> gradients = toArrays(golden.at("grad_weights"));
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            const std::string& name = rig.variables().entries()[i].name;
            EXPECT_TRUE(isNear(rig.tensor(name + ":grad"), gradients[i].values, 1e-4)) << name;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Plans, KerasGoldenGradients, ::testing::Values(Fusion::kOff, Fusion::kOn),
                         [](const auto& param) { return param.param == Fusion::kOn ? "Fused" : "Plain"; });

TEST(KerasGolden, OptimizersTakeTheSameFiveSteps) {
    const nlohmann::json golden = readGolden("optimizers.json");
    const std::vector<Array> gradients = toArrays(golden.at("grads_w"));
    ASSERT_FALSE(golden.at("runs").empty());
    for (const nlohmann::json& run : golden.at("runs")) {
        SCOPED_TRACE(run.at("class_name").get<std::string>() + " " + run.at("config").dump());
        const plan::UpdateRule rule = plan::updateRule({run.at("class_name"), tests::support::toFields(run.at("config"))});
        std::vector<float> w = toArray(golden.at("w0")).values;
        std::vector<std::vector<float>> slots(plan::slotNames(rule).size(), std::vector<float>(w.size()));
        for (std::size_t step = 0; step < gradients.size(); ++step) {
            FlatRun flat{.parameter = w.data(),
                         .gradient = gradients[step].values.data(),
                         .slots = {},
                         .count = static_cast<std::int64_t>(w.size())};
            for (std::vector<float>& slot : slots) flat.slots.push_back(slot.data());
            const float rate = run.at("config").at("learning_rate").get<float>();
            updateRange(rule, plan::stepSize(rule, rate, static_cast<std::int64_t>(step)), flat, 0, flat.count);
            EXPECT_TRUE(isNear(w, toArray(run.at("after_each_step")[step].at("w")).values, 1e-5)) << "step " << step;
        }
    }
}

}  // namespace
}  // namespace engine::backend
