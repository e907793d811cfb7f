// Every backward rule against finite differences, unfused and fused.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"

namespace engine::backend {
namespace {

using tests::support::Fusion;
using tests::support::gradientCheck;
using tests::support::layer;
using tests::support::model;

std::int64_t n(std::int64_t value) {
    return value;
}
std::string s(const char* text) {
    return text;
}

class GradientCheck : public ::testing::TestWithParam<Fusion> {};

TEST_P(GradientCheck, DenseWithRelu) {
    gradientCheck(model({5}, {layer("Dense", "dense", {{"units", n(4)}, {"activation", s("relu")}})}), 3, GetParam());
}

TEST_P(GradientCheck, DenseWithSoftmax) {
    gradientCheck(model({5}, {layer("Dense", "dense", {{"units", n(4)}, {"activation", s("softmax")}})}), 3, GetParam());
}

TEST_P(GradientCheck, DenseOverRows) {
    gradientCheck(model({2, 3, 4}, {layer("Dense", "dense", {{"units", n(3)}, {"activation", s("relu")}})}), 2, GetParam());
}

TEST_P(GradientCheck, ConvolutionBlock) {
    gradientCheck(model({7, 6, 2}, {layer("Conv2D", "conv2d", {{"filters", n(3)}, {"kernel_size", n(3)}, {"activation", s("relu")}}),
                                    layer("MaxPooling2D", "pool")}),
                  2, GetParam());
}

TEST_P(GradientCheck, ConvolutionWithStrideAndPadding) {
    gradientCheck(model({6, 5, 2},
                        {layer("Conv2D", "conv2d", {{"filters", n(3)}, {"kernel_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}})}),
                  2, GetParam());
}

TEST_P(GradientCheck, ConvolutionWithGroupsAndDilation) {
    gradientCheck(model({6, 6, 4}, {layer("Conv2D", "conv2d", {{"filters", n(4)}, {"kernel_size", n(2)}, {"groups", n(2)}}),
                                    layer("Conv2D", "conv2d_1", {{"filters", n(2)}, {"kernel_size", n(2)}, {"dilation_rate", n(2)}})}),
                  1, GetParam());
}

TEST_P(GradientCheck, OverlappingPooling) {
    gradientCheck(model({6, 7, 2}, {layer("MaxPooling2D", "pool", {{"pool_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}})}), 2,
                  GetParam());
}

TEST_P(GradientCheck, Dropout) {
    gradientCheck(model({12}, {layer("Dropout", "dropout", {{"rate", 0.5}}), layer("Dense", "dense", {{"units", n(3)}})}), 4, GetParam());
}

TEST_P(GradientCheck, Activations) {
    for (const char* name :
         {"relu6", "leaky_relu",  "elu",         "selu",        "gelu",        "gelu_approximate", "sigmoid", "hard_sigmoid",
          "tanh",  "hard_tanh",   "log_softmax", "sparsemax",   "softplus",    "softsign",         "silu",    "hard_silu",
          "mish",  "exponential", "log_sigmoid", "tanh_shrink", "soft_shrink", "squareplus"}) {
        SCOPED_TRACE(name);
        gradientCheck(model({6}, {layer("Activation", "activation", {{"activation", s(name)}})}), 3, GetParam());
    }
}

TEST_P(GradientCheck, ActivationLayers) {
    gradientCheck(model({6}, {layer("ReLU", "relu", {{"negative_slope", 0.1}, {"threshold", 0.2}, {"max_value", 0.6}})}), 3, GetParam());
    gradientCheck(model({4, 3}, {layer("PReLU", "prelu"), layer("LeakyReLU", "leaky"), layer("ELU", "elu", {{"alpha", 0.7}})}), 2,
                  GetParam());
}

TEST_P(GradientCheck, BatchNormalization) {
    gradientCheck(model({4, 3}, {layer("BatchNormalization", "norm", {{"epsilon", 0.1}})}), 5, GetParam());
    gradientCheck(model({4, 3}, {layer("BatchNormalization", "norm", {{"axis", n(1)}, {"epsilon", 0.1}})}), 5, GetParam());
}

TEST_P(GradientCheck, NormalisationOfSamples) {
    gradientCheck(model({3, 5}, {layer("LayerNormalization", "norm", {{"epsilon", 0.1}})}), 3, GetParam());
    gradientCheck(model({3, 6}, {layer("GroupNormalization", "norm", {{"groups", n(3)}, {"epsilon", 0.1}})}), 3, GetParam());
    gradientCheck(model({3, 5}, {layer("UnitNormalization", "norm")}), 3, GetParam());
}

TEST_P(GradientCheck, RecurrentLayers) {
    gradientCheck(model({3, 2}, {layer("SimpleRNN", "rnn", {{"units", n(3)}, {"return_sequences", true}})}), 2, GetParam());
    gradientCheck(model({3, 2}, {layer("LSTM", "lstm", {{"units", n(2)}, {"go_backwards", true}})}), 2, GetParam());
    gradientCheck(model({3, 2}, {layer("GRU", "gru", {{"units", n(2)}, {"return_sequences", true}})}), 2, GetParam());
    gradientCheck(model({3, 2}, {layer("GRU", "gru", {{"units", n(2)}, {"reset_after", false}})}), 2, GetParam());
}

TEST_P(GradientCheck, WholeNet) {
    gradientCheck(model({8, 8, 1}, {layer("Conv2D", "conv2d", {{"filters", n(3)}, {"kernel_size", n(3)}, {"activation", s("relu")}}),
                                    layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"),
                                    layer("Dense", "dense", {{"units", n(5)}, {"activation", s("relu")}}),
                                    layer("Dense", "dense_1", {{"units", n(3)}})}),
                  2, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Plans, GradientCheck, ::testing::Values(Fusion::kOff, Fusion::kOn),
                         [](const auto& param) { return param.param == Fusion::kOn ? "Fused" : "Plain"; });

}  // namespace
}  // namespace engine::backend
