#pragma once

#include <array>
#include <span>
#include <string_view>

#include "engine/plan/layers/layer_builder.h"
#include "engine/plan/layers/volume.h"

namespace engine::plan {

// Emits a layer's forward ops and records its backward rules; returns the output.
using LayerLowering = TensorId (*)(LayerBuilder&, TensorId x);

// Tells if TimeDistributed may hand the layer all times at once, as so many samples of the batch: each row of the last axis is its own.
enum class Times { kOneByOne, kTogether };

// A layer is added by one file of this folder: gaussian_noise.cpp defines `std::span<const LayerRow> gaussianNoiseRows()`, and CMake lists
// the function by the file's name (tandem_rows).
struct LayerRow {
    std::string_view class_name;
    LayerLowering lowering;
    Times times = Times::kOneByOne;
};

// nullptr for a class that cannot be trained yet.
const LayerRow* findLayerRow(std::string_view class_name);
// The row's lowering, which takes the axes as spec::axisOrderOf() has them: where the layer gets them in another order, x is turned before
// it, and what it makes behind it. nullptr for a class without a row.
LayerLowering findLayerLowering(std::string_view class_name);

// Parts that several layers share.
// Training drops values by `rate` where the mask of that shape says so, see dropout.cpp; x itself otherwise. `purpose` tells masks of one
// layer apart.
TensorId lowerDropped(LayerBuilder& builder, TensorId x, const spec::Shape& mask_shape, double rate, std::int64_t purpose = 0);
TensorId lowerBiasAdd(LayerBuilder& builder, TensorId x);
// x in C order under another shape, as a tensor of the name "layer:suffix".
TensorId lowerSameBytes(LayerBuilder& builder, TensorId x, const spec::Shape& shape, std::string_view suffix);
// The same where the shape is another one; x itself where it is not.
TensorId lowerView(LayerBuilder& builder, TensorId x, const spec::Shape& shape, std::string_view suffix);
// The op of a function; x itself for linear.
TensorId lowerActivationFunction(LayerBuilder& builder, TensorId x, Activation activation, const ActivationSettings& settings);
// The same by Keras' name; x itself for linear. Throws Error(kUnimplemented) for a name that no executor has.
TensorId lowerActivation(LayerBuilder& builder, TensorId x, std::string_view name);
// use_bias and activation of a layer whose product is x.
TensorId lowerBiasAndActivation(LayerBuilder& builder, TensorId x);

// One op of `kind` from x to the layer's output whose gradient is the same op with the attributes `back`.
TensorId lowerReversible(LayerBuilder& builder, TensorId x, OpKind kind, const OpAttributes& forward, const OpAttributes& back);
// The same, or an op with another one as its way back, to a tensor of that shape and the name "layer:suffix".
struct ReversibleOp {
    OpKind forward{}, back{};
    OpAttributes forward_attributes{}, back_attributes{};
    spec::Shape output{};
    std::string_view suffix;
};
TensorId lowerReversible(LayerBuilder& builder, TensorId x, const ReversibleOp& op);
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
// The same over volumes (N, D, H, W, C); the result lies as columnsView() of the output. Images and sequences are volumes of one plane, and
// of one row.
struct VolumeConvolutionPart {
    std::string_view kernel;
    VolumeWindow window{};
    int groups = 1;
    spec::Shape output{};
    spec::Shape input{};  // for the second function alone
};
TensorId lowerVolumeConvolution(LayerBuilder& builder, TensorId x, const VolumeConvolutionPart& part);
// The gradient of the kernel alone, in a backward rule. x and dy hold as many float32 numbers as the volumes.
void emitVolumeKernelGradient(LayerBuilder& builder, TensorId x, TensorId dy, const VolumeConvolutionPart& part);

// The window of a layer over `input` as its fields have it: kernel_size, strides, dilation_rate or pool_size, strides; padding ("valid",
// "same", "causal") with pads as Keras places them: the extra cell at the end. Groups are 1.
Window2D readConvolutionWindow(const spec::LayerSpec& layer, const spec::Shape& input);
Window2D readPoolWindow(const spec::LayerSpec& layer, const spec::Shape& input);
// The same of a layer over (N, D, H, W, C); of a convolution also over what else volumeShape() takes.
VolumeWindow readConvolutionVolume(const spec::LayerSpec& layer, const spec::Shape& input);
// A window of kernel_size that moves cell by cell over `state`, padded to the same size.
VolumeWindow readStateVolume(const spec::LayerSpec& layer, const spec::Shape& state);
// kernel_size in planes, rows and columns.
std::array<int, 3> readStateWindow(const spec::LayerSpec& layer, const spec::Shape& state);
VolumeWindow readPoolVolume(const spec::LayerSpec& layer, const spec::Shape& input);
// Windows that adapt to the output (with the batch): equal ones side by side where its sizes divide those of the input.
Window2D adaptiveWindow(const spec::Shape& input, const spec::Shape& output);
// One window that covers all of an image.
Window2D wholeImage(const spec::Shape& input);
// A pooling over volumes by one over images: along the columns, then along planes and rows. The last one's tensor is "layer:pool".
using PoolLowering = TensorId (*)(LayerBuilder&, TensorId x, const Window2D&, const spec::Shape& output, std::string_view suffix);
TensorId lowerVolumePooling(LayerBuilder& builder, TensorId x, const VolumeWindow& window, PoolLowering pool);
// A pooling of a sequence, an image or a volume by windows that adapt to the layer's output.
TensorId lowerAdaptivePooling(LayerBuilder& builder, TensorId x, PoolLowering pool);
// A pooling by one window as large as the input, which is a sequence, an image or a volume.
TensorId lowerGlobalPooling(LayerBuilder& builder, TensorId x, PoolLowering pool);

}  // namespace engine::plan
