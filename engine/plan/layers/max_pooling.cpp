// MaxPooling2D over (N, H, W, C) and MaxPooling1D over (N, W, C): the maximum of each window, padding counts as minus infinity. Sizes as
// Conv2D without dilation; strides default to the pool size. The gradient goes to the first maximum of each window. The global layers have
// one window as large as the image.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerMaximum(LayerBuilder& builder, TensorId x, const Window2D& window) {
    const TensorId y = builder.activation("pool", builder.outputShape());
    if (!builder.training()) {
        builder.emit({.kind = OpKind::kMaxPool2D, .inputs = {x}, .outputs = {y}, .attributes = window});
        return y;
    }
    constexpr int kCellsOfOneByte = 256;
    const tensor::DType cell = window.kernel_h * window.kernel_w <= kCellsOfOneByte ? tensor::DType::kUInt8 : tensor::DType::kInt32;
    const TensorId argmax = builder.scratch("argmax", builder.outputShape(), cell);
    builder.emit({.kind = OpKind::kMaxPool2D, .inputs = {x}, .outputs = {y, argmax}, .attributes = window});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMaxPool2DBack, .inputs = {dy, argmax}, .outputs = {dx}, .attributes = window});
        return dx;
    });
    return y;
}

TensorId lowerMaxPooling(LayerBuilder& builder, TensorId x) {
    return lowerMaximum(builder, x, readPoolWindow(builder.layer(), builder.shape(x)));
}

TensorId lowerGlobalMaxPooling(LayerBuilder& builder, TensorId x) {
    return lowerMaximum(builder, x, wholeImage(builder.shape(x)));
}

}  // namespace

std::span<const LayerRow> maxPoolingRows() {
    static constexpr LayerRow kRows[] = {
        {"MaxPooling1D", lowerMaxPooling},
        {"MaxPooling2D", lowerMaxPooling},
        {"GlobalMaxPooling1D", lowerGlobalMaxPooling},
        {"GlobalMaxPooling2D", lowerGlobalMaxPooling},
    };
    return kRows;
}

}  // namespace engine::plan
