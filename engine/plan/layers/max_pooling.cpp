// MaxPooling over (N, W, C), (N, H, W, C) and (N, D, H, W, C): the maximum of each window, padding counts as minus infinity. Sizes as those
// of convolutions without dilation; strides default to the pool size. The gradient goes to the first maximum of each window. The global
// layers have one window as large as the input, whose equal maxima share the gradient; the adaptive ones have as many windows as their
// result has cells.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerMaximum(LayerBuilder& builder, TensorId x, const Window2D& window, const spec::Shape& output, std::string_view suffix) {
    const TensorId y = builder.activation(suffix, output);
    if (!builder.training()) {
        builder.emit({.kind = OpKind::kMaxPool2D, .inputs = {x}, .outputs = {y}, .attributes = window});
        return y;
    }
    constexpr int kCellsOfOneByte = 256;
    const tensor::DType cell = window.kernel_h * window.kernel_w <= kCellsOfOneByte ? tensor::DType::kUInt8 : tensor::DType::kInt32;
    const TensorId argmax = builder.scratch(suffix == "pool" ? "argmax" : std::string(suffix) + "_argmax", output, cell);
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
    return lowerMaximum(builder, x, readPoolWindow(builder.layer(), builder.shape(x)), builder.outputShape(), "pool");
}

TensorId lowerMaxPooling3D(LayerBuilder& builder, TensorId x) {
    return lowerVolumePooling(builder, x, readPoolVolume(builder.layer(), builder.shape(x)), lowerMaximum);
}

TensorId lowerGlobalMaximum(LayerBuilder& builder, TensorId x, const Window2D& window, const spec::Shape& output, std::string_view suffix) {
    const TensorId y = builder.activation(suffix, output);
    builder.emit({.kind = OpKind::kMaxPool2D, .inputs = {x}, .outputs = {y}, .attributes = window});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMaxPool2DBack, .inputs = {dy, x, y}, .outputs = {dx}, .attributes = window});
        return dx;
    });
    return y;
}

TensorId lowerGlobalMaxPooling(LayerBuilder& builder, TensorId x) {
    return lowerGlobalPooling(builder, x, lowerGlobalMaximum);
}

TensorId lowerAdaptiveMaxPooling(LayerBuilder& builder, TensorId x) {
    return lowerAdaptivePooling(builder, x, lowerMaximum);
}

}  // namespace

std::span<const LayerRow> maxPoolingRows() {
    static constexpr LayerRow kRows[] = {
        {"MaxPooling1D", lowerMaxPooling},
        {"MaxPooling2D", lowerMaxPooling},
        {"MaxPooling3D", lowerMaxPooling3D},
        {"GlobalMaxPooling1D", lowerGlobalMaxPooling},
        {"GlobalMaxPooling2D", lowerGlobalMaxPooling},
        {"GlobalMaxPooling3D", lowerGlobalMaxPooling},
        {"AdaptiveMaxPooling1D", lowerAdaptiveMaxPooling},
        {"AdaptiveMaxPooling2D", lowerAdaptiveMaxPooling},
        {"AdaptiveMaxPooling3D", lowerAdaptiveMaxPooling},
    };
    return kRows;
}

}  // namespace engine::plan
