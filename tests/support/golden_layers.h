// Single layers against Keras' numbers on any rig: Rig(model, batch, fusion) with variables(), forward(), backward() and tensor() as
// layer_rig.h has them. A rig's backward() may run the forward pass again.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace tests::support {

inline engine::spec::ModelSpec goldenModel(const nlohmann::json& golden, const Array& input) {
    return model({input.shape.begin() + 1, input.shape.end()}, {layer(golden.at("class_name"), "layer", toFields(golden.at("config")))});
}

// The entries of the store are in Keras' order.
template <typename Rig>
void setWeights(Rig& rig, const std::vector<Array>& weights) {
    ASSERT_EQ(rig.variables().entries().size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const engine::backend::Variables::Entry& entry = rig.variables().entries()[i];
        ASSERT_EQ(entry.shape, weights[i].shape) << entry.name;
        std::copy(weights[i].values.begin(), weights[i].values.end(), entry.values.begin());
    }
}

template <typename Rig>
void expectKerasOutputs(const char* file, Fusion fusion) {
    const nlohmann::json cases = readGolden(file);
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const Array input = toArray(golden.at("input"));
        Rig rig(goldenModel(golden, input), input.shape.front(), fusion);
        setWeights(rig, toArrays(golden.at("weights")));
        EXPECT_TRUE(isNear(rig.forward(input.values), toArray(golden.at("output")).values, 1e-5));
    }
}

// `tolerance`: of outputs; gradients have ten times as much.
template <typename Rig>
void expectKerasGradients(const char* file, Fusion fusion, double tolerance = 1e-5) {
    const nlohmann::json cases = readGolden(file);
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const Array input = toArray(golden.at("input"));
        Rig rig(goldenModel(golden, input), input.shape.front(), fusion);
        setWeights(rig, toArrays(golden.at("weights")));
        EXPECT_TRUE(isNear(rig.forward(input.values), toArray(golden.at("output")).values, tolerance));
        rig.backward(toArray(golden.at("r")).values);
        EXPECT_TRUE(isNear(rig.tensor("input:grad"), toArray(golden.at("grad_input")).values, 10 * tolerance));
        const std::vector<Array> gradients = toArrays(golden.at("grad_weights"));
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            const std::string& name = rig.variables().entries()[i].name;
            EXPECT_TRUE(isNear(rig.tensor(name + ":grad"), gradients[i].values, 10 * tolerance)) << name;
        }
    }
}

}  // namespace tests::support
