// MaxPooling2D over (N, H, W, C): the maximum of each window, padding counts as minus infinity. Sizes as Conv2D without dilation; strides
// default to the pool size. The gradient goes to the first maximum of each window.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerMaxPooling2D(LayerBuilder& builder, TensorId x) {
    const spec::LayerSpec& layer = builder.layer();
    const IntPair size = readPair(layer, "pool_size", {2, 2});
    const IntPair strides = readPair(layer, "strides", size);
    const Window2D window =
        resolvePadding({.kernel_h = size.first, .kernel_w = size.second, .stride_h = strides.first, .stride_w = strides.second},
                       layer.config.getString("padding", "valid"), builder.shape(x)[1], builder.shape(x)[2]);

    const TensorId y = builder.activation("pool", builder.outputShape());
    if (!builder.training()) {
        builder.emit({.kind = OpKind::kMaxPool2D, .inputs = {x}, .outputs = {y}, .window = window});
        return y;
    }
    constexpr int kCellsOfOneByte = 256;
    const tensor::DType cell = size.first * size.second <= kCellsOfOneByte ? tensor::DType::kUInt8 : tensor::DType::kInt32;
    const TensorId argmax = builder.scratch("argmax", builder.outputShape(), cell);
    builder.emit({.kind = OpKind::kMaxPool2D, .inputs = {x}, .outputs = {y, argmax}, .window = window});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMaxPool2DBack, .inputs = {dy, argmax}, .outputs = {dx}, .window = window});
        return dx;
    });
    return y;
}

}  // namespace engine::plan
