// The engine's numbers against Keras' on TensorFlow: tests/data/keras.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"
#include "tests/support/golden.h"
#include "tests/support/golden_layers.h"
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

TEST(KerasGolden, LayersGiveTheSameOutput) {
    for (const char* file : {"layers_forward.json", "image_layers_forward.json"}) {
        tests::support::expectKerasOutputs<LayerRig>(file, Fusion::kOff);
    }
}

class KerasGoldenGradients : public ::testing::TestWithParam<Fusion> {};

TEST_P(KerasGoldenGradients, AreThoseOfTheLayers) {
    for (const char* file : {"layers_gradients.json", "image_layers_gradients.json", "volumes.json", "adaptive_pooling.json",
                             "einsum_dense.json", "spectrograms.json", "axes.json"}) {
        tests::support::expectKerasGradients<LayerRig>(file, GetParam());
    }
    tests::support::expectKerasGradients<LayerRig>("mel_spectrograms.json", GetParam(), 5e-5);  // decibels of Keras' float32
}
INSTANTIATE_TEST_SUITE_P(Plans, KerasGoldenGradients, ::testing::Values(Fusion::kOff, Fusion::kOn),
                         [](const auto& param) { return param.param == Fusion::kOn ? "Fused" : "Plain"; });

// Optimizers that keep squares of gradients: JAX and PyTorch square the sum of an id's gradients, TensorFlow sums their squares.
TEST(KerasGolden, AnIdThatComesOftenLearnsAsOnJaxAndPyTorch) {
    using tests::support::layer;
    const nlohmann::json golden = readGolden("repeated_ids.json");
    const std::int64_t one = 1;
    spec::ModelSpec net = tests::support::model(
        {4}, {layer("Embedding", "embedding", {{"input_dim", std::int64_t{3}}, {"output_dim", one}}), layer("Flatten", "flatten"),
              layer("Dense", "dense", {{"units", one}, {"use_bias", false}, {"trainable", false}})});
    net.input_dtype = "int32";
    const std::vector<std::int32_t> ids{0, 0, 0, 1};
    const std::vector<float> wanted{0};
    const std::vector<std::uint32_t> indices{0};
    const tensor::BatchView batch{.samples = reinterpret_cast<const std::byte*>(ids.data()),
                                  .sample_dtype = tensor::DType::kInt32,
                                  .sample_elements = 4,
                                  .labels = reinterpret_cast<const std::byte*>(wanted.data()),
                                  .label_dtype = tensor::DType::kFloat32,
                                  .indices = indices};
    for (const std::string name : {"Adam", "Adagrad", "RMSprop", "SGD"}) {
        SCOPED_TRACE(name);
        plan::Plan plan = plan::lower(net, {.optimizer = {name, {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}}, {.batch = 1});
        plan = plan::planMemory(plan::fuseUpdates(std::move(plan)));
        Variables variables(plan);
        initializeVariables(variables, net, 1);
        for (const char* weight : {"embedding/embeddings", "dense/kernel"}) {
            for (float& value : variables.values(weight)) value = 1;
        }
        const auto executor = makeReferenceExecutor(plan, variables, {});
        executor->reloadVariables();
        for (std::int64_t step = 0; step < 2; ++step) {
            executor->trainStep(batch, {.learning_rate = name == "SGD" ? 0.01F : 0.1F, .iteration = step});
        }
        executor->syncVariables();
        const std::span<const float> rows = variables.values("embedding/embeddings");
        const std::vector<float> learnt(rows.begin(), rows.end());
        for (const char* keras : {"jax", "torch"}) {
            EXPECT_TRUE(isNear(learnt, golden.at(keras).at(name).get<std::vector<float>>(), 1e-5)) << keras;
        }
        const bool as_tensorflow = bool(isNear(learnt, golden.at("tensorflow").at(name).get<std::vector<float>>(), 1e-5));
        EXPECT_EQ(as_tensorflow, name == "SGD");
    }
}

}  // namespace
}  // namespace engine::backend
