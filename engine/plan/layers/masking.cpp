// Masking: rows that are mask_value throughout become 0 and do not count behind.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerMasking(LayerBuilder& builder, TensorId x) {
    const auto value = static_cast<float>(builder.settings().getDouble("mask_value"));
    const TensorId mask = builder.makeMask(x, builder.shape(x).size() - 1, value);
    const TensorId y = builder.activation("masked", builder.shape(x));
    builder.emit({.kind = OpKind::kApplyMask, .inputs = {x, mask}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kApplyMask, .inputs = {dy, mask}, .outputs = {dx}});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> maskingRows() {
    static constexpr LayerRow kRows[] = {
        {"Masking", lowerMasking},
    };
    return kRows;
}

}  // namespace engine::plan
