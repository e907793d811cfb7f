#pragma once

#include <string_view>

#include "engine/plan/layers/layer_builder.h"

namespace engine::plan {

// Emits a layer's forward ops and records its backward rules; returns the output.
using LayerLowering = TensorId (*)(LayerBuilder&, TensorId x);

// nullptr for a class that cannot be trained yet.
LayerLowering findLayerLowering(std::string_view class_name);

TensorId lowerActivationLayer(LayerBuilder& builder, TensorId x);
TensorId lowerAveragePooling(LayerBuilder& builder, TensorId x);
TensorId lowerBatchNormalization(LayerBuilder& builder, TensorId x);
TensorId lowerBidirectional(LayerBuilder& builder, TensorId x);
TensorId lowerConv(LayerBuilder& builder, TensorId x);
TensorId lowerConv2DTranspose(LayerBuilder& builder, TensorId x);
TensorId lowerCropping(LayerBuilder& builder, TensorId x);
TensorId lowerDense(LayerBuilder& builder, TensorId x);
TensorId lowerDepthwiseConv2D(LayerBuilder& builder, TensorId x);
TensorId lowerDropout(LayerBuilder& builder, TensorId x);
TensorId lowerElu(LayerBuilder& builder, TensorId x);
TensorId lowerEmbedding(LayerBuilder& builder, TensorId x);
TensorId lowerGaussianNoise(LayerBuilder& builder, TensorId x);
TensorId lowerGlobalAveragePooling(LayerBuilder& builder, TensorId x);
TensorId lowerGlobalAveragePooling1D(LayerBuilder& builder, TensorId x);
TensorId lowerGlobalMaxPooling(LayerBuilder& builder, TensorId x);
TensorId lowerGroupNormalization(LayerBuilder& builder, TensorId x);
TensorId lowerGru(LayerBuilder& builder, TensorId x);
TensorId lowerLayerNormalization(LayerBuilder& builder, TensorId x);
TensorId lowerLeakyRelu(LayerBuilder& builder, TensorId x);
TensorId lowerLstm(LayerBuilder& builder, TensorId x);
TensorId lowerMasking(LayerBuilder& builder, TensorId x);
TensorId lowerMaxPooling(LayerBuilder& builder, TensorId x);
TensorId lowerPrelu(LayerBuilder& builder, TensorId x);
TensorId lowerRelu(LayerBuilder& builder, TensorId x);
TensorId lowerPermute(LayerBuilder& builder, TensorId x);
TensorId lowerRandomFlip(LayerBuilder& builder, TensorId x);
TensorId lowerRandomRotation(LayerBuilder& builder, TensorId x);
TensorId lowerRandomTranslation(LayerBuilder& builder, TensorId x);
TensorId lowerRandomZoom(LayerBuilder& builder, TensorId x);
TensorId lowerRepeatVector(LayerBuilder& builder, TensorId x);
TensorId lowerRescaling(LayerBuilder& builder, TensorId x);
TensorId lowerReshape(LayerBuilder& builder, TensorId x);
TensorId lowerSeparableConv2D(LayerBuilder& builder, TensorId x);
TensorId lowerSimpleRnn(LayerBuilder& builder, TensorId x);
TensorId lowerSoftmax(LayerBuilder& builder, TensorId x);
TensorId lowerUnitNormalization(LayerBuilder& builder, TensorId x);
TensorId lowerSpatialDropout(LayerBuilder& builder, TensorId x);
TensorId lowerTimeDistributed(LayerBuilder& builder, TensorId x);
TensorId lowerUpSampling(LayerBuilder& builder, TensorId x);
TensorId lowerZeroPadding(LayerBuilder& builder, TensorId x);

// Parts that several layers share.
// Training drops values by `rate` where the mask of that shape says so, see dropout.cpp; x itself otherwise. `purpose` tells masks of one
// layer apart.
TensorId lowerDropped(LayerBuilder& builder, TensorId x, const spec::Shape& mask_shape, double rate, std::int64_t purpose = 0);
TensorId lowerBiasAdd(LayerBuilder& builder, TensorId x);
// x in C order under another shape, as a tensor of the name "layer:suffix".
TensorId lowerSameBytes(LayerBuilder& builder, TensorId x, const spec::Shape& shape, std::string_view suffix);
// The op of a function; x itself for linear.
TensorId lowerActivationFunction(LayerBuilder& builder, TensorId x, Activation activation, const ActivationSettings& settings);
// The same by Keras' name; x itself for linear. Throws Error(kUnimplemented) for a name that no executor has.
TensorId lowerActivation(LayerBuilder& builder, TensorId x, std::string_view name);
// use_bias and activation of a layer whose product is x.
TensorId lowerBiasAndActivation(LayerBuilder& builder, TensorId x);

// One op of `kind` from x to the layer's output whose gradient is the same op with the attributes `back`.
TensorId lowerReversible(LayerBuilder& builder, TensorId x, OpKind kind, const OpAttributes& forward, const OpAttributes& back);
// What tells a layer's random numbers from those of others: the user's seed, else its position in the model.
std::int64_t randomSeed(const LayerBuilder& builder);

// A convolution and its backward rule, without bias.
struct ConvolutionPart {
    std::string_view kernel;  // the variable's name within the layer
    std::string_view suffix;  // of the tensor's name
    Window2D window{};
    spec::Shape output{};
};
TensorId lowerConvolution(LayerBuilder& builder, TensorId x, const ConvolutionPart& part);

// The window of a layer over `input` as its fields have it: kernel_size, strides, dilation_rate or pool_size, strides; padding ("valid",
// "same", "causal") with pads as Keras places them: the extra cell at the end. Groups are 1.
Window2D readConvolutionWindow(const spec::LayerSpec& layer, const spec::Shape& input);
Window2D readPoolWindow(const spec::LayerSpec& layer, const spec::Shape& input);
// One window that covers all of an image.
Window2D wholeImage(const spec::Shape& input);

}  // namespace engine::plan
