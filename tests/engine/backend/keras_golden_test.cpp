// The engine's numbers against Keras' on TensorFlow: tests/data/keras.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace engine::backend
