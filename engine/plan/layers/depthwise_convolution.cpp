// DepthwiseConv2D: a convolution of as many groups as channels. depthwise_kernel (kh, kw, C, m) in C order is its kernel (kh, kw, 1, C m).
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerDepthwise(LayerBuilder& builder, TensorId x) {
    const spec::Shape& input = builder.shape(x);
    Window2D window = readConvolutionWindow(builder.layer(), input);
    window.groups = static_cast<int>(input.back());
    const spec::Shape output = windowOutput(input, window, input.back() * builder.settings().getInt("depth_multiplier"));
    return lowerConvolution(builder, x, {.kernel = "depthwise_kernel", .suffix = "depthwise", .window = window, .output = output});
}

namespace {

TensorId lowerDepthwiseConv2D(LayerBuilder& builder, TensorId x) {
    return lowerBiasAndActivation(builder, lowerDepthwise(builder, x));
}

TensorId lowerSeparableConv2D(LayerBuilder& builder, TensorId x) {
    const TensorId between = lowerDepthwise(builder, x);
    const TensorId y = lowerConvolution(
        builder, between, {.kernel = "pointwise_kernel", .suffix = "pointwise", .window = {}, .output = builder.outputShape()});
    return lowerBiasAndActivation(builder, y);
}

}  // namespace

std::span<const LayerRow> depthwiseConv2dRows() {
    static constexpr LayerRow kRows[] = {
        {"DepthwiseConv2D", lowerDepthwiseConv2D},
        {"SeparableConv2D", lowerSeparableConv2D},
    };
    return kRows;
}

}  // namespace engine::plan
