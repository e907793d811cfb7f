#pragma once

#include <string_view>

#include "engine/plan/layers/layer_builder.h"

namespace engine::plan {

// Emits a layer's forward ops and records its backward rules; returns the output.
using LayerLowering = TensorId (*)(LayerBuilder&, TensorId x);

// nullptr for a class that cannot be trained yet.
LayerLowering findLayerLowering(std::string_view class_name);

TensorId lowerActivationLayer(LayerBuilder& builder, TensorId x);
TensorId lowerBatchNormalization(LayerBuilder& builder, TensorId x);
TensorId lowerConv2D(LayerBuilder& builder, TensorId x);
TensorId lowerDense(LayerBuilder& builder, TensorId x);
TensorId lowerDropout(LayerBuilder& builder, TensorId x);
TensorId lowerElu(LayerBuilder& builder, TensorId x);
TensorId lowerEmbedding(LayerBuilder& builder, TensorId x);
TensorId lowerFlatten(LayerBuilder& builder, TensorId x);
TensorId lowerGroupNormalization(LayerBuilder& builder, TensorId x);
TensorId lowerGru(LayerBuilder& builder, TensorId x);
TensorId lowerLayerNormalization(LayerBuilder& builder, TensorId x);
TensorId lowerLeakyRelu(LayerBuilder& builder, TensorId x);
TensorId lowerLstm(LayerBuilder& builder, TensorId x);
TensorId lowerMaxPooling2D(LayerBuilder& builder, TensorId x);
TensorId lowerPrelu(LayerBuilder& builder, TensorId x);
TensorId lowerRelu(LayerBuilder& builder, TensorId x);
TensorId lowerSimpleRnn(LayerBuilder& builder, TensorId x);
TensorId lowerSoftmax(LayerBuilder& builder, TensorId x);
TensorId lowerUnitNormalization(LayerBuilder& builder, TensorId x);

// Parts that several layers share.
TensorId lowerBiasAdd(LayerBuilder& builder, TensorId x);
// The op of a function; x itself for linear.
TensorId lowerActivationFunction(LayerBuilder& builder, TensorId x, Activation activation, const ActivationSettings& settings);
// The same by Keras' name; x itself for linear. Throws Error(kUnimplemented) for a name that no executor has.
TensorId lowerActivation(LayerBuilder& builder, TensorId x, std::string_view name);
// The window of a layer with strides, padding ("valid", "same") and sizes already read; pads as Keras places them: the extra cell at the
// end.
Window2D resolvePadding(Window2D window, std::string_view padding, std::int64_t height, std::int64_t width);
// A field that is one number or a pair; `fallback` for both when absent or null.
struct IntPair {
    int first = 1, second = 1;
};
IntPair readPair(const spec::LayerSpec& layer, std::string_view field, IntPair fallback);

}  // namespace engine::plan
