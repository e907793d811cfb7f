// The engine's numbers against Keras' on TensorFlow: tests/data/keras.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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
    for (const char* file : {"layers_gradients.json", "image_layers_gradients.json", "volumes.json", "adaptive_pooling.json",
                             "einsum_dense.json", "spectrograms.json"}) {
        tests::support::expectKerasGradients<LayerRig>(file, GetParam());
    }
    tests::support::expectKerasGradients<LayerRig>("mel_spectrograms.json", GetParam(), 5e-5);  // decibels of Keras' float32
}
INSTANTIATE_TEST_SUITE_P(Plans, KerasGoldenGradients, ::testing::Values(Fusion::kOff, Fusion::kOn),
                         [](const auto& param) { return param.param == Fusion::kOn ? "Fused" : "Plain"; });

}  // namespace
}  // namespace engine::backend
