// Every backward rule against finite differences, unfused and fused.
#include <string>
#include <utility>
#include <vector>

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

std::vector<std::int64_t> ints(std::initializer_list<std::int64_t> values) {
    return values;
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

TEST_P(GradientCheck, GaussianDropout) {
    gradientCheck(model({12}, {layer("GaussianDropout", "dropout", {{"rate", 0.3}}), layer("Dense", "dense", {{"units", n(3)}})}), 4,
                  GetParam());
    gradientCheck(model({3, 5}, {layer("TimeDistributed", "each", {{"layer", spec::ObjectBox({"GaussianDropout", {{"rate", 0.3}}})}})}), 2,
                  GetParam());
}

TEST_P(GradientCheck, Activations) {
    for (const char* name :
         {"relu6", "leaky_relu",  "elu",         "selu",        "gelu",        "gelu_approximate", "sigmoid",     "hard_sigmoid",
          "tanh",  "hard_tanh",   "log_softmax", "sparsemax",   "softplus",    "softsign",         "silu",        "hard_silu",
          "mish",  "exponential", "log_sigmoid", "tanh_shrink", "soft_shrink", "squareplus",       "sparse_plus", "sparse_sigmoid"}) {
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
    gradientCheck(model({3, 5}, {layer("RMSNormalization", "norm", {{"epsilon", 0.1}})}), 3, GetParam());
    gradientCheck(model({3, 2, 2}, {layer("RMSNormalization", "norm", {{"axis", ints({-2, -1})}, {"epsilon", 0.1}})}), 3, GetParam());
    gradientCheck(model({3, 5}, {layer("UnitNormalization", "norm")}), 3, GetParam());
}

TEST_P(GradientCheck, RecurrentLayers) {
    gradientCheck(model({3, 2}, {layer("SimpleRNN", "rnn", {{"units", n(3)}, {"return_sequences", true}})}), 2, GetParam());
    gradientCheck(model({3, 2}, {layer("LSTM", "lstm", {{"units", n(2)}, {"go_backwards", true}})}), 2, GetParam());
    gradientCheck(model({3, 2}, {layer("GRU", "gru", {{"units", n(2)}, {"return_sequences", true}})}), 2, GetParam());
    gradientCheck(model({3, 2}, {layer("GRU", "gru", {{"units", n(2)}, {"reset_after", false}})}), 2, GetParam());
}

spec::FieldValue inner(const char* class_name, spec::Fields config) {
    return spec::ObjectBox({class_name, std::move(config)});
}

TEST_P(GradientCheck, RecurrentLayersThatDrop) {
    for (const char* cell : {"SimpleRNN", "LSTM", "GRU"}) {
        SCOPED_TRACE(cell);
        gradientCheck(model({3, 2}, {layer(cell, "rnn", {{"units", n(3)}, {"dropout", 0.4}, {"recurrent_dropout", 0.4}})}), 3, GetParam());
    }
    gradientCheck(model({3, 2}, {layer("GRU", "gru", {{"units", n(3)}, {"recurrent_dropout", 0.4}, {"reset_after", false}})}), 3,
                  GetParam());
}

TEST_P(GradientCheck, EinsumDense) {
    const auto einsum = [](const char* name, const char* equation, spec::FieldValue sizes, const char* bias) {
        return layer("EinsumDense", name, {{"equation", s(equation)}, {"output_shape", std::move(sizes)}, {"bias_axes", s(bias)}});
    };
    gradientCheck(
        model({3, 4}, {einsum("heads", "abc,cde->abde", ints({-1, 2, 3}), "de"), einsum("join", "abde,def->abf", ints({-1, 3}), "f"),
                       einsum("turn", "...bc,bd->...cd", ints({3, 2}), "c")}),
        2, GetParam());
    gradientCheck(model({2, 3, 2}, {einsum("middle", "ab...,bc->ac...", ints({4}), "c")}), 2, GetParam());
}

TEST_P(GradientCheck, RecurrentConvolutions) {
    gradientCheck(
        model({3, 3, 4, 2},
              {layer("ConvLSTM2D", "images", {{"filters", n(2)}, {"kernel_size", ints({2, 3})}, {"return_sequences", true}}),
               layer("ConvLSTM2D", "last", {{"filters", n(2)}, {"kernel_size", n(2)}, {"padding", s("same")}, {"go_backwards", true}})}),
        2, GetParam());
    gradientCheck(model({3, 4, 2}, {layer("ConvLSTM1D", "sequences",
                                          {{"filters", n(2)}, {"kernel_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}})}),
                  2, GetParam());
    gradientCheck(model({2, 2, 3, 3, 1},
                        {layer("ConvLSTM3D", "volumes",
                               {{"filters", n(2)}, {"kernel_size", ints({3, 2, 2})}, {"padding", s("same")}, {"return_sequences", true}})}),
                  2, GetParam());
    // Both masks drop values of each gate's own.
    gradientCheck(
        model({3, 3, 2, 2},
              {layer("ConvLSTM2D", "drops",
                     {{"filters", n(2)}, {"kernel_size", n(2)}, {"padding", s("same")}, {"dropout", 0.4}, {"recurrent_dropout", 0.4}})}),
        3, GetParam());
    gradientCheck(
        model({2, 2, 2, 3, 2}, {layer("ConvLSTM3D", "drops",
                                      {{"filters", n(2)}, {"kernel_size", n(2)}, {"padding", s("same")}, {"recurrent_dropout", 0.4}})}),
        3, GetParam());
    gradientCheck(
        model({2, 2, 3, 2},
              {layer("TimeDistributed", "each",
                     {{"layer",
                       inner("ConvLSTM1D", {{"filters", n(2)}, {"kernel_size", n(2)}, {"dropout", 0.3}, {"recurrent_dropout", 0.3}})}})}),
        2, GetParam());
}

TEST_P(GradientCheck, ResidualBlocks) {
    using Layers = std::vector<spec::ObjectBox>;
    const auto conv = [](std::int64_t filters, std::int64_t size, std::int64_t strides) {
        return spec::ObjectSpec{
            "Conv2D",
            {{"filters", filters}, {"kernel_size", size}, {"strides", strides}, {"padding", s("same")}, {"activation", s("tanh")}}};
    };
    const spec::ObjectSpec norm{"BatchNormalization", {{"epsilon", 0.1}}}, dropout{"Dropout", {{"rate", 0.3}}};
    gradientCheck(model({4, 5, 2}, {layer("Residual", "block", {{"layers", Layers{conv(3, 3, 1), norm, dropout, conv(2, 3, 1)}}})}), 3,
                  GetParam());
    gradientCheck(model({4, 5, 2}, {layer("Residual", "block",
                                          {{"layers", Layers{conv(3, 3, 2), conv(4, 3, 1)}}, {"shortcut", Layers{conv(4, 1, 2)}}})}),
                  2, GetParam());
    gradientCheck(
        model({4}, {layer("Residual", "block", {{"layers", Layers{spec::ObjectSpec{"Activation", {{"activation", s("sigmoid")}}}}}}),
                    layer("Dense", "dense", {{"units", n(3)}})}),
        2, GetParam());
}

TEST_P(GradientCheck, Attention) {
    for (const bool causal : {false, true}) {
        gradientCheck(
            model({4, 3},
                  {layer("PositionEmbedding", "position"),
                   layer("SelfAttention", "attention",
                         {{"num_heads", n(2)}, {"key_dim", n(3)}, {"value_dim", n(2)}, {"dropout", 0.3}, {"use_causal_mask", causal}}),
                   layer("Dense", "dense", {{"units", n(2)}})}),
            3, GetParam());
    }
    gradientCheck(model({4, 3}, {layer("Masking", "masking"), layer("SelfAttention", "attention", {{"num_heads", n(2)}, {"key_dim", n(2)}}),
                                 layer("SimpleRNN", "rnn", {{"units", n(2)}})}),
                  2, GetParam());
}

TEST_P(GradientCheck, TwoDirections) {
    for (const char* mode : {"concat", "sum", "ave", "mul"}) {
        SCOPED_TRACE(mode);
        gradientCheck(
            model({3, 2}, {layer("Dense", "dense", {{"units", n(2)}}),
                           layer("Bidirectional", "both",
                                 {{"layer", inner("LSTM", {{"units", n(2)}, {"return_sequences", true}, {"dropout", 0.3}})},
                                  {"merge_mode", s(mode)}}),
                           layer("Bidirectional", "both_1", {{"layer", inner("GRU", {{"units", n(2)}})}, {"merge_mode", s(mode)}})}),
            2, GetParam());
    }
}

TEST_P(GradientCheck, EveryTime) {
    gradientCheck(
        model({3, 2, 2}, {layer("TimeDistributed", "each", {{"layer", inner("Dense", {{"units", n(3)}, {"activation", s("relu")}})}}),
                          layer("TimeDistributed", "each_1", {{"layer", inner("Flatten", {})}}),
                          layer("TimeDistributed", "each_2", {{"layer", inner("LayerNormalization", {{"epsilon", 0.1}})}}),
                          layer("TimeDistributed", "each_3", {{"layer", inner("Dropout", {{"rate", 0.3}})}})}),
        2, GetParam());
}

// Which steps count follows from the input: those with a feature above the threshold.
TEST_P(GradientCheck, MaskedSequences) {
    const spec::LayerSpec cut = layer("ReLU", "cut", {{"threshold", 0.3}}), masking = layer("Masking", "masking");
    for (const char* cell : {"SimpleRNN", "LSTM", "GRU"}) {
        SCOPED_TRACE(cell);
        for (const bool zeros : {false, true}) {
            gradientCheck(model({4, 2}, {cut, masking,
                                         layer(cell, "rnn", {{"units", n(2)}, {"return_sequences", true}, {"zero_output_for_mask", zeros}}),
                                         layer(cell, "rnn_1", {{"units", n(2)}, {"go_backwards", true}})}),
                          3, GetParam());
        }
    }
    gradientCheck(
        model({4, 2}, {cut, masking,
                       layer("Bidirectional", "both",
                             {{"layer", inner("GRU", {{"units", n(2)}, {"return_sequences", true}, {"recurrent_dropout", 0.3}})}}),
                       layer("LSTM", "lstm", {{"units", n(2)}, {"recurrent_dropout", 0.3}})}),
        3, GetParam());
}

TEST_P(GradientCheck, StacksOfCells) {
    using Cells = std::vector<spec::ObjectBox>;
    const spec::LayerSpec cut = layer("ReLU", "cut", {{"threshold", 0.3}}), masking = layer("Masking", "masking");
    const Cells stack{spec::ObjectSpec{"LSTMCell", {{"units", n(2)}, {"dropout", 0.3}}},
                      spec::ObjectSpec{"GRUCell", {{"units", n(3)}, {"recurrent_dropout", 0.3}}},
                      spec::ObjectSpec{"SimpleRNNCell", {{"units", n(2)}}}};
    for (const bool backwards : {false, true}) {
        const auto rnn = [&](const char* name, bool sequences) {
            return layer("RNN", name, {{"cell", stack}, {"go_backwards", backwards}, {"return_sequences", sequences}});
        };
        gradientCheck(model({3, 2}, {layer("Dense", "dense", {{"units", n(2)}}), rnn("rnn", true), rnn("rnn_1", false)}), 2, GetParam());
        gradientCheck(model({4, 2}, {cut, masking, rnn("rnn", true), rnn("rnn_1", false)}), 3, GetParam());
    }
}

TEST_P(GradientCheck, MaskedMeansAndStatistics) {
    const spec::LayerSpec cut = layer("ReLU", "cut", {{"threshold", 0.1}}), masking = layer("Masking", "masking");
    gradientCheck(model({8, 2}, {cut, masking, layer("Dense", "dense", {{"units", n(3)}}), layer("GlobalAveragePooling1D", "mean")}), 3,
                  GetParam());
    for (const std::int64_t axis : {-1, 1}) {
        gradientCheck(model({3, 2}, {cut, masking, layer("BatchNormalization", "norm", {{"axis", axis}, {"epsilon", 0.1}})}), 4,
                      GetParam());
    }
}

TEST_P(GradientCheck, ImagesOfEveryTime) {
    const auto each = [](const char* name, const char* class_name, spec::Fields config) {
        return layer("TimeDistributed", name, {{"layer", inner(class_name, std::move(config))}});
    };
    gradientCheck(model({2, 5, 6, 2}, {each("each", "Conv2D", {{"filters", n(3)}, {"kernel_size", n(2)}, {"activation", s("relu")}}),
                                       each("each_1", "MaxPooling2D", {}), each("each_2", "SpatialDropout2D", {{"rate", 0.3}}),
                                       each("each_3", "PReLU", {}), each("each_4", "RandomRotation", {{"factor", 0.1}}),
                                       each("each_5", "Flatten", {}), layer("LSTM", "lstm", {{"units", n(2)}})}),
                  2, GetParam());
    gradientCheck(model({2, 4, 3}, {each("each", "Conv1D", {{"filters", n(2)}, {"kernel_size", n(2)}}),
                                    each("each_1", "GRU", {{"units", n(2)}, {"dropout", 0.3}, {"recurrent_dropout", 0.3}})}),
                  2, GetParam());
}

TEST_P(GradientCheck, SequencesWithCausalPadding) {
    gradientCheck(
        model(
            {9, 2},
            {layer(
                 "Conv1D", "conv1d",
                 {{"filters", n(3)}, {"kernel_size", n(2)}, {"dilation_rate", n(2)}, {"padding", s("causal")}, {"activation", s("relu")}}),
             layer("MaxPooling1D", "pool"), layer("AveragePooling1D", "pool_1", {{"padding", s("same")}})}),
        2, GetParam());
}

TEST_P(GradientCheck, DepthwiseAndSeparable) {
    gradientCheck(model({6, 5, 3}, {layer("DepthwiseConv2D", "depthwise", {{"kernel_size", n(2)}, {"depth_multiplier", n(2)}}),
                                    layer("SeparableConv2D", "separable", {{"filters", n(2)}, {"kernel_size", n(3)}})}),
                  2, GetParam());
}

TEST_P(GradientCheck, TransposedConvolution) {
    gradientCheck(
        model({3, 4, 2},
              {layer("Conv2DTranspose", "up",
                     {{"filters", n(3)}, {"kernel_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}, {"output_padding", n(1)}}),
               layer("Conv2DTranspose", "up_1", {{"filters", n(2)}, {"kernel_size", n(2)}, {"dilation_rate", n(2)}})}),
        2, GetParam());
}

TEST_P(GradientCheck, AveragesOfImages) {
    gradientCheck(model({5, 6, 2}, {layer("AveragePooling2D", "pool", {{"pool_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}}),
                                    layer("GlobalAveragePooling2D", "mean")}),
                  2, GetParam());
}

TEST_P(GradientCheck, ShapesOfImages) {
    gradientCheck(model({3, 4, 2}, {layer("UpSampling2D", "up", {{"size", ints({2, 3})}, {"interpolation", s("bilinear")}}),
                                    layer("ZeroPadding2D", "pad", {{"padding", ints({1, 0, 2, 1})}}),
                                    layer("Cropping2D", "crop", {{"cropping", ints({0, 2, 3, 1})}}),
                                    layer("Permute", "permute", {{"dims", ints({3, 1, 2})}}),
                                    layer("Rescaling", "scale", {{"scale", -0.5}, {"offset", 2.0}}),
                                    layer("Reshape", "reshape", {{"target_shape", ints({-1, 5})}}), layer("UpSampling1D", "up_1"),
                                    layer("Cropping1D", "crop_1"), layer("ZeroPadding1D", "pad_1")}),
                  2, GetParam());
}

TEST_P(GradientCheck, ConvolutionsOfSequences) {
    gradientCheck(
        model({7, 3}, {layer("DepthwiseConv1D", "depthwise", {{"kernel_size", n(3)}, {"depth_multiplier", n(2)}, {"padding", s("same")}}),
                       layer("SeparableConv1D", "separable", {{"filters", n(2)}, {"kernel_size", n(2)}}),
                       layer("Conv1DTranspose", "up", {{"filters", n(3)}, {"kernel_size", n(3)}, {"strides", n(2)}})}),
        2, GetParam());
}

TEST_P(GradientCheck, ConvolutionsOfVolumes) {
    gradientCheck(model({4, 3, 4, 2},
                        {layer("Conv3D", "conv3d",
                               {{"filters", n(3)}, {"kernel_size", ints({2, 3, 2})}, {"strides", ints({1, 2, 1})}, {"padding", s("same")}}),
                         layer("Conv3DTranspose", "up", {{"filters", n(2)}, {"kernel_size", n(2)}, {"strides", ints({1, 2, 1})}})}),
                  2, GetParam());
}

TEST_P(GradientCheck, PoolingAndShapesOfVolumes) {
    gradientCheck(model({4, 4, 3, 2}, {layer("ZeroPadding3D", "pad", {{"padding", ints({1, 0, 0, 1, 2, 1})}}),
                                       layer("AveragePooling3D", "pool", {{"pool_size", ints({2, 3, 2})}, {"padding", s("same")}}),
                                       layer("UpSampling3D", "up", {{"size", ints({1, 2, 3})}}), layer("MaxPooling3D", "pool_1"),
                                       layer("Cropping3D", "crop", {{"cropping", ints({0, 0, 1})}}), layer("Identity", "same"),
                                       layer("GlobalAveragePooling3D", "mean", {{"keepdims", true}})}),
                  2, GetParam());
}

TEST_P(GradientCheck, AdaptivePooling) {
    gradientCheck(model({5, 7, 2}, {layer("AdaptiveAveragePooling2D", "mean", {{"output_size", ints({4, 5})}}),
                                    layer("AdaptiveMaxPooling2D", "pool", {{"output_size", ints({3, 2})}})}),
                  2, GetParam());
    gradientCheck(model({5, 4, 3, 2}, {layer("AdaptiveAveragePooling3D", "mean", {{"output_size", ints({3, 5, 2})}}),
                                       layer("AdaptiveMaxPooling3D", "pool", {{"output_size", ints({2, 3, 1})}})}),
                  2, GetParam());
    gradientCheck(model({7, 3}, {layer("AdaptiveMaxPooling1D", "pool", {{"output_size", n(5)}}),
                                 layer("AdaptiveAveragePooling1D", "mean", {{"output_size", n(3)}})}),
                  2, GetParam());
}

TEST_P(GradientCheck, DropoutOfOtherKinds) {
    gradientCheck(model({3, 2, 4, 3}, {layer("SpatialDropout3D", "spatial", {{"rate", 0.4}}), layer("Flatten", "flatten"),
                                       layer("Dense", "dense", {{"units", n(6)}, {"activation", s("selu")}}),
                                       layer("AlphaDropout", "alpha", {{"rate", 0.3}})}),
                  3, GetParam());
}

TEST_P(GradientCheck, RepeatedVector) {
    gradientCheck(model({5}, {layer("RepeatVector", "repeat", {{"n", n(3)}}), layer("Dense", "dense", {{"units", n(2)}})}), 2, GetParam());
}

TEST_P(GradientCheck, SharedDropout) {
    gradientCheck(model({4, 3, 5}, {layer("SpatialDropout2D", "spatial", {{"rate", 0.4}}),
                                    layer("Dropout", "dropout", {{"rate", 0.4}, {"noise_shape", ints({-1, 4, 1, 5})}})}),
                  3, GetParam());
}

TEST_P(GradientCheck, RandomImages) {
    const std::vector<std::vector<spec::LayerSpec>> nets{
        {layer("RandomFlip", "flip"), layer("RandomRotation", "turn", {{"factor", 0.2}})},
        {layer("RandomZoom", "zoom", {{"height_factor", 0.4}, {"fill_mode", s("wrap")}}),
         layer("RandomTranslation", "shift",
               {{"height_factor", 0.3}, {"width_factor", 0.4}, {"fill_mode", s("constant")}, {"fill_value", 0.5}})},
        {layer("RandomRotation", "turn", {{"factor", 0.2}, {"fill_mode", s("nearest")}, {"interpolation", s("nearest")}}),
         layer("GaussianNoise", "noise", {{"stddev", 0.1}})},
        {layer("RandomShear", "shear", {{"x_factor", 0.5}, {"y_factor", 0.3}}),
         layer("RandomPerspective", "corners", {{"scale", 0.5}, {"factor", std::vector<double>{1, 1}}}),
         layer("RandomErasing", "erase", {{"factor", std::vector<double>{1, 1}}, {"fill_value", 0.5}})}};
    for (const auto& layers : nets) gradientCheck(model({5, 6, 2}, layers), 2, GetParam());
}

TEST_P(GradientCheck, GivenMeans) {
    const auto given = [](spec::Fields more) {
        more.set("mean", std::vector<double>{0.5, -0.25, 1});
        more.set("variance", std::vector<double>{0.25, 2, 1.5});
        return layer("Normalization", "given", std::move(more));
    };
    gradientCheck(model({4, 3}, {given({})}), 3, GetParam());
    gradientCheck(model({4, 3}, {given({{"invert", true}})}), 3, GetParam());
    gradientCheck(model({3, 2}, {given({{"axis", n(1)}}), layer("Normalization", "one", {{"mean", 0.5}, {"variance", 0.5}})}), 3,
                  GetParam());
    gradientCheck(model({2, 3, 2}, {given({{"axis", std::vector<std::int64_t>{1, 2}}, {"invert", true}})}), 2, GetParam());
}

TEST_P(GradientCheck, ResizedImages) {
    for (const char* interpolation : {"bilinear", "nearest"}) {
        gradientCheck(
            model({5, 7, 2}, {layer("Resizing", "resize", {{"height", n(8)}, {"width", n(4)}, {"interpolation", s(interpolation)}}),
                              layer("Resizing", "padded",
                                    {{"height", n(5)},
                                     {"width", n(6)},
                                     {"interpolation", s(interpolation)},
                                     {"pad_to_aspect_ratio", true},
                                     {"fill_value", 0.5}}),
                              layer("RandomCrop", "cut", {{"height", n(4)}, {"width", n(5)}}),
                              layer("RandomCrop", "cut_1", {{"height", n(5)}, {"width", n(3)}}),
                              layer("CenterCrop", "crop", {{"height", n(4)}, {"width", n(3)}})}),
            2, GetParam());
    }
}

TEST_P(GradientCheck, RandomColors) {
    const std::vector<double> range{-0.8, 0.9}, parts{0, 1};
    const auto sigmoid = layer("Activation", "act", {{"activation", s("sigmoid")}});
    const std::vector<std::vector<spec::LayerSpec>> nets{
        {layer("RandomBrightness", "brightness", {{"factor", 0.3}, {"value_range", range}}),
         layer("RandomContrast", "contrast", {{"factor", std::vector<double>{0.2, 0.9}}, {"value_range", range}})},
        {layer("RandomInvert", "invert", {{"factor", 0.9}, {"value_range", range}}),
         layer("Solarization", "sun", {{"addition_factor", 0.3}, {"threshold_factor", 0.9}, {"value_range", range}})},
        {sigmoid, layer("RandomGrayscale", "gray"),
         layer("RandomColorDegeneration", "degeneration", {{"factor", 0.7}, {"value_range", parts}})},
        {sigmoid, layer("RandomSaturation", "saturation", {{"factor", 0.8}, {"value_range", parts}})},
        {sigmoid, layer("RandomHue", "hue", {{"factor", 0.8}, {"value_range", parts}})},
        {sigmoid, layer("RandomColorJitter", "jitter",
                        {{"value_range", parts},
                         {"brightness_factor", 0.1},
                         {"contrast_factor", 0.2},
                         {"saturation_factor", 0.6},
                         {"hue_factor", 0.2}})},
    };
    for (const auto& layers : nets) gradientCheck(model({4, 3, 3}, layers), 3, GetParam());
}

TEST_P(GradientCheck, BlurredImages) {
    const std::vector<double> range{-0.6, 0.7}, always{1, 1};
    const std::vector<std::vector<spec::LayerSpec>> nets{
        {layer("RandomSharpness", "sharpness", {{"factor", 0.9}, {"value_range", range}})},
        {layer("RandomSharpness", "sharpness", {{"factor", std::vector<double>{0.6, 1}}, {"value_range", range}})},
        {layer("RandomGaussianBlur", "blur", {{"factor", always}, {"value_range", range}})},
        {layer("RandomGaussianBlur", "blur",
               {{"factor", 0.9}, {"kernel_size", ints({5, 3})}, {"sigma", std::vector<double>{0.8, 2}}, {"value_range", range}})},
        {layer("RandomGaussianBlur", "blur", {{"factor", always}, {"kernel_size", ints({1, 7})}, {"value_range", range}})}};
    for (const auto& layers : nets) gradientCheck(model({5, 4, 2}, layers), 3, GetParam());
}

// Several seeds, so that several layers are drawn.
TEST_P(GradientCheck, AugmentedImages) {
    const std::vector<double> range{-0.9, 0.8};
    for (const std::int64_t seed : {1, 2, 3, 4}) {
        SCOPED_TRACE(seed);
        gradientCheck(model({4, 3, 3}, {layer("RandAugment", "augment", {{"factor", 0.4}, {"value_range", range}, {"seed", seed}})}), 2,
                      GetParam());
        gradientCheck(model({4, 3, 3},
                            {layer("AugMix", "mix",
                                   {{"num_chains", n(2)}, {"chain_depth", n(2)}, {"alpha", 2.0}, {"value_range", range}, {"seed", seed}})}),
                      2, GetParam());
    }
}

TEST_P(GradientCheck, ElasticImages) {
    const std::vector<double> range{-0.6, 0.7}, scale{1, 9};
    for (const char* fill : {"reflect", "constant", "wrap", "nearest"}) {
        for (const char* interpolation : {"bilinear", "nearest"}) {
            SCOPED_TRACE(std::string(fill) + " " + interpolation);
            const spec::Fields config{{"factor", 0.9},        {"scale", scale},    {"interpolation", s(interpolation)},
                                      {"fill_mode", s(fill)}, {"fill_value", 0.3}, {"value_range", range}};
            gradientCheck(model({5, 4, 2}, {layer("RandomElasticTransform", "elastic", config)}), 3, GetParam());
        }
    }
}

TEST_P(GradientCheck, TilesOfImages) {
    const spec::Fields config{{"value_range", std::vector<double>{-100, 100}}, {"tile_grid_size", ints({2, 3})}};
    gradientCheck(model({4, 5, 2}, {layer("ContrastLimitedAdaptiveHistogramEqualization", "tiles", config)}), 2, GetParam());
}

TEST_P(GradientCheck, StretchedImages) {
    const auto tanh = layer("Activation", "act", {{"activation", s("tanh")}});
    gradientCheck(model({4, 3, 2}, {layer("AutoContrast", "contrast", {{"value_range", std::vector<double>{-1, 1}}}), tanh}), 2,
                  GetParam());
    gradientCheck(model({3, 3, 2}, {tanh, layer("AutoContrast", "contrast", {{"value_range", std::vector<double>{0, 0.5}}})}), 2,
                  GetParam());
}

TEST_P(GradientCheck, EqualizedImages) {
    for (const std::int64_t bins : {1, 3}) {
        gradientCheck(model({4, 3, 2}, {layer("Equalization", "levels", {{"bins", bins}, {"value_range", std::vector<double>{-1, 1}}})}), 2,
                      GetParam());
    }
}

TEST_P(GradientCheck, SpectraOfFrames) {
    for (const char* mode : {"log", "magnitude", "psd", "real", "imag", "angle", "stft"}) {
        SCOPED_TRACE(mode);
        gradientCheck(
            model({9, 2}, {layer("STFTSpectrogram", "stft", {{"mode", s(mode)}, {"frame_length", n(4)}, {"padding", s("same")}})}), 2,
            GetParam(), 0.03);
    }
    gradientCheck(model({9, 2}, {layer("STFTSpectrogram", "stft",
                                       {{"mode", s("magnitude")}, {"frame_length", n(3)}, {"fft_length", n(5)}, {"expand_dims", true}}),
                                 layer("Reshape", "reshape", {{"target_shape", ints({21, 2})}}),
                                 layer("STFTSpectrogram", "second", {{"mode", s("imag")}, {"frame_length", n(2)}})}),
                  2, GetParam());
    gradientCheck(
        model({2, 7, 2}, {layer("TimeDistributed", "each",
                                {{"layer", spec::ObjectBox({"STFTSpectrogram", {{"frame_length", n(4)}, {"mode", s("psd")}}})}})}),
        2, GetParam());
}

TEST_P(GradientCheck, BandsOfFrames) {
    const auto mel = [](spec::Fields config) {
        config.set("num_mel_bins", n(3));
        config.set("sampling_rate", n(1000));
        return layer("MelSpectrogram", "mel", std::move(config));
    };
    gradientCheck(model({13}, {mel({{"fft_length", n(8)}, {"sequence_stride", n(3)}, {"power_to_db", false}})}), 2, GetParam());
    gradientCheck(model({13}, {mel({{"fft_length", n(9)}, {"sequence_stride", n(4)}, {"power_to_db", false}, {"mag_exp", 1.5}})}), 2,
                  GetParam());
    gradientCheck(model({13}, {mel({{"fft_length", n(8)}, {"sequence_stride", n(3)}, {"min_power", 0.5}, {"top_db", 4.0}})}), 2, GetParam(),
                  0.03);
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
