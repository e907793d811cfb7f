// Conv2D: cross-correlation over (N, H, W, C), kernel (kh, kw, C / groups, filters).
// valid: out = floor((n - ke) / s) + 1, ke = (k - 1) d + 1; same: out = ceil(n / s).
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerConv2D(LayerBuilder& builder, TensorId x) {
    const spec::LayerSpec& layer = builder.layer();
    const IntPair kernel_size = readPair(layer, "kernel_size", {1, 1});
    const IntPair strides = readPair(layer, "strides", {1, 1});
    const IntPair dilation = readPair(layer, "dilation_rate", {1, 1});
    Window2D window{.kernel_h = kernel_size.first,
                    .kernel_w = kernel_size.second,
                    .stride_h = strides.first,
                    .stride_w = strides.second,
                    .dilation_h = dilation.first,
                    .dilation_w = dilation.second,
                    .groups = static_cast<int>(layer.config.getInt("groups", 1))};
    window = resolvePadding(window, layer.config.getString("padding", "valid"), builder.shape(x)[1], builder.shape(x)[2]);

    const TensorId kernel = builder.parameter("kernel");
    TensorId y = builder.activation("conv", builder.outputShape());
    builder.emit({.kind = OpKind::kConv2D, .inputs = {x, kernel}, .outputs = {y}, .window = window});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        TensorId dx = kNoTensor;
        if (needed == InputGradient::kNeeded) {
            dx = b.gradientOf(x);
            b.emit({.kind = OpKind::kConv2DBackInput, .inputs = {dy, kernel}, .outputs = {dx}, .window = window});
        }
        b.emit({.kind = OpKind::kConv2DBackKernel, .inputs = {x, dy}, .outputs = {b.gradientOf(kernel)}, .window = window});
        return dx;
    });
    if (layer.config.getBool("use_bias", true)) y = lowerBiasAdd(builder, y);
    return lowerActivation(builder, y, layer.config.getString("activation", "linear"));
}

}  // namespace engine::plan
