// AveragePooling over (N, W, C), (N, H, W, C) and (N, D, H, W, C): the mean of the window's cells that lie in the input. The global layers
// have one window as large as the input; GlobalAveragePooling1D may have a mask. The adaptive layers have as many windows as their result
// has cells.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerMean(LayerBuilder& builder, TensorId x, const Window2D& window, const spec::Shape& output, std::string_view suffix) {
    return lowerReversible(builder, x,
                           {.forward = OpKind::kAveragePool2D,
                            .back = OpKind::kAveragePool2DBack,
                            .forward_attributes = window,
                            .back_attributes = window,
                            .output = output,
                            .suffix = suffix});
}

TensorId lowerAveragePooling(LayerBuilder& builder, TensorId x) {
    return lowerMean(builder, x, readPoolWindow(builder.layer(), builder.shape(x)), builder.outputShape(), "pool");
}

// A window's cells that lie in the volume are a box: their mean is the mean of the means along its rows.
TensorId lowerAveragePooling3D(LayerBuilder& builder, TensorId x) {
    return lowerVolumePooling(builder, x, readPoolVolume(builder.layer(), builder.shape(x)), lowerMean);
}

TensorId lowerGlobalAveragePooling(LayerBuilder& builder, TensorId x) {
    return lowerGlobalPooling(builder, x, lowerMean);
}

TensorId lowerAdaptiveAveragePooling(LayerBuilder& builder, TensorId x) {
    return lowerAdaptivePooling(builder, x, lowerMean);
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
        {"AveragePooling3D", lowerAveragePooling3D},
        {"GlobalAveragePooling2D", lowerGlobalAveragePooling},
        {"GlobalAveragePooling3D", lowerGlobalAveragePooling},
        {"GlobalAveragePooling1D", lowerGlobalAveragePooling1D},
        {"AdaptiveAveragePooling1D", lowerAdaptiveAveragePooling},
        {"AdaptiveAveragePooling2D", lowerAdaptiveAveragePooling},
        {"AdaptiveAveragePooling3D", lowerAdaptiveAveragePooling},
    };
    return kRows;
}

}  // namespace engine::plan
