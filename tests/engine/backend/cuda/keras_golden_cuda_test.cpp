// The CUDA executor's layers against Keras' on TensorFlow: tests/data/keras.
#include "tests/support/cuda_orders.h"

#include <gtest/gtest.h>

#include "tests/support/cuda_layer_rig.h"
#include "tests/support/golden_layers.h"

namespace engine::backend::cuda {
namespace {

using tests::support::CudaLayerRig;
using tests::support::Fusion;

class CudaKerasGolden : public ::testing::TestWithParam<Fusion> {};

TEST_P(CudaKerasGolden, LayersGiveTheSameOutput) {
    for (const char* file : {"layers_forward.json", "image_layers_forward.json"}) {
        tests::support::expectKerasOutputs<CudaLayerRig>(file, GetParam());
    }
}

TEST_P(CudaKerasGolden, LayersGiveTheSameGradients) {
    for (const char* file : {"layers_gradients.json", "image_layers_gradients.json", "volumes.json", "adaptive_pooling.json",
                             "einsum_dense.json", "spectrograms.json", "axes.json"}) {
        tests::support::expectKerasGradients<CudaLayerRig>(file, GetParam());
    }
    tests::support::expectKerasGradients<CudaLayerRig>("mel_spectrograms.json", GetParam(), 5e-5);  // decibels of Keras' float32
}

INSTANTIATE_TEST_SUITE_P(Plans, CudaKerasGolden, ::testing::Values(Fusion::kOff, Fusion::kOn),
                         [](const auto& param) { return param.param == Fusion::kOn ? "Fused" : "Plain"; });

}  // namespace
}  // namespace engine::backend::cuda
