// AveragePooling2D over (N, H, W, C) and AveragePooling1D over (N, W, C): the mean of the window's cells that lie in the image. The global
// layers have one window as large as the image; GlobalAveragePooling1D may have a mask.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerMean(LayerBuilder& builder, TensorId x, const Window2D& window) {
    const TensorId y = builder.activation("pool", builder.outputShape());
    builder.emit({.kind = OpKind::kAveragePool2D, .inputs = {x}, .outputs = {y}, .attributes = window});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kAveragePool2DBack, .inputs = {dy}, .outputs = {dx}, .attributes = window});
        return dx;
    });
    return y;
}

TensorId lowerAveragePooling(LayerBuilder& builder, TensorId x) {
    return lowerMean(builder, x, readPoolWindow(builder.layer(), builder.shape(x)));
}

TensorId lowerGlobalAveragePooling(LayerBuilder& builder, TensorId x) {
    return lowerMean(builder, x, wholeImage(builder.shape(x)));
}

// The mean over the steps that a mask leaves, where there is one.
TensorId lowerGlobalAveragePooling1D(LayerBuilder& builder, TensorId x) {
    const TensorId mask = builder.mask();
    if (mask == kNoTensor) return lowerGlobalAveragePooling(builder, x);
    const TensorId y = builder.activation("pool", builder.outputShape());
    builder.emit({.kind = OpKind::kMaskedMean, .inputs = {x, mask}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMaskedMeanBack, .inputs = {dy, mask}, .outputs = {dx}});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> averagePoolingRows() {
    static constexpr LayerRow kRows[] = {
        {"AveragePooling1D", lowerAveragePooling},
        {"AveragePooling2D", lowerAveragePooling},
        {"GlobalAveragePooling2D", lowerGlobalAveragePooling},
        {"GlobalAveragePooling1D", lowerGlobalAveragePooling1D},
    };
    return kRows;
}

}  // namespace engine::plan
