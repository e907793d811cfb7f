// The CPU executor's layers against Keras' on TensorFlow: tests/data/keras.
#include <gtest/gtest.h>

#include "tests/support/cpu_layer_rig.h"
#include "tests/support/golden_layers.h"

namespace engine::backend::cpu {
namespace {

using tests::support::CpuLayerRig;
using tests::support::Fusion;

class CpuKerasGolden : public ::testing::TestWithParam<Fusion> {};

TEST_P(CpuKerasGolden, LayersGiveTheSameOutput) {
    for (const char* file : {"layers_forward.json", "image_layers_forward.json"}) {
        tests::support::expectKerasOutputs<CpuLayerRig>(file, GetParam());
    }
}

TEST_P(CpuKerasGolden, LayersGiveTheSameGradients) {
    for (const char* file : {"layers_gradients.json", "image_layers_gradients.json", "volumes.json", "adaptive_pooling.json",
                             "einsum_dense.json", "spectrograms.json", "axes.json"}) {
        tests::support::expectKerasGradients<CpuLayerRig>(file, GetParam());
    }
    tests::support::expectKerasGradients<CpuLayerRig>("mel_spectrograms.json", GetParam(), 5e-5);  // decibels of Keras' float32
}

INSTANTIATE_TEST_SUITE_P(Plans, CpuKerasGolden, ::testing::Values(Fusion::kOff, Fusion::kOn),
                         [](const auto& param) { return param.param == Fusion::kOn ? "Fused" : "Plain"; });

}  // namespace
}  // namespace engine::backend::cpu
