// The engine's numbers against Keras' on TensorFlow: tests/data/keras.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/flat_update.h"
#include "engine/backend/reference/kernels.h"
#include "engine/plan/optimizer.h"
#include "tests/support/golden.h"
#include "tests/support/golden_layers.h"
#include "tests/support/layer_rig.h"
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

TEST(KerasGolden, LayersGiveTheSameOutput) {
    for (const char* file : {"layers_forward.json", "image_layers_forward.json"}) {
        tests::support::expectKerasOutputs<LayerRig>(file, Fusion::kOff);
    }
}

class KerasGoldenGradients : public ::testing::TestWithParam<Fusion> {};

TEST_P(KerasGoldenGradients, AreThoseOfTheLayers) {
    for (const char* file : {"layers_gradients.json", "image_layers_gradients.json"}) {
        tests::support::expectKerasGradients<LayerRig>(file, GetParam());
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

TEST(KerasGolden, SparseCategoricalCrossentropyHasTheSameValueAndGradient) {
    const nlohmann::json cases = readGolden("losses.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const auto labels = golden.at("labels").get<std::vector<std::int32_t>>();
        const Array scores = toArray(golden.at("scores"));
        const auto kind = golden.at("from_logits").get<bool>() ? reference::Scores::kLogits : reference::Scores::kProbabilities;
        std::vector<float> gradient(scores.values.size());
        const auto count = static_cast<double>(labels.size());
        const reference::LossSums sums = reference::crossEntropy(kind, scores.shape.back(), scores.values, labels, 1 / count, gradient);
        EXPECT_NEAR(sums.loss / count, golden.at("value").get<double>(), 1e-5);
        EXPECT_TRUE(isNear(gradient, toArray(golden.at("gradient")).values, 1e-5));
    }
}

}  // namespace
}  // namespace engine::backend
