// DepthwiseConv1D and DepthwiseConv2D: a convolution of as many groups as channels. depthwise_kernel (kh, kw, C, m) in C order is its
// kernel (kh, kw, 1, C m); a sequence has one row.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerDepthwise(LayerBuilder& builder, TensorId x) {
    const spec::Shape input = builder.shape(x);
    Window2D window = readConvolutionWindow(builder.layer(), input);
    window.groups = static_cast<int>(input.back());
    spec::Shape output = windowOutput(input, window, input.back() * builder.settings().getInt("depth_multiplier"));
    if (input.size() == 3) output.erase(output.begin() + 1);
    return lowerConvolution(builder, x, {.kernel = "depthwise_kernel", .suffix = "depthwise", .window = window, .output = output});
}

namespace {

TensorId lowerDepthwiseConv(LayerBuilder& builder, TensorId x) {
    return lowerBiasAndActivation(builder, lowerDepthwise(builder, x));
}

TensorId lowerSeparableConv(LayerBuilder& builder, TensorId x) {
    const TensorId between = lowerDepthwise(builder, x);
    const TensorId y = lowerConvolution(
        builder, between, {.kernel = "pointwise_kernel", .suffix = "pointwise", .window = {}, .output = builder.outputShape()});
    return lowerBiasAndActivation(builder, y);
}

}  // namespace

std::span<const LayerRow> depthwiseConvolutionRows() {
    static constexpr LayerRow kRows[] = {
        {"DepthwiseConv1D", lowerDepthwiseConv},
        {"DepthwiseConv2D", lowerDepthwiseConv},
        {"SeparableConv1D", lowerSeparableConv},
        {"SeparableConv2D", lowerSeparableConv},
    };
    return kRows;
}

}  // namespace engine::plan
