#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerReversible(LayerBuilder& builder, TensorId x, OpKind kind, const OpAttributes& forward, const OpAttributes& back) {
    const TensorId y = builder.activation("out", builder.outputShape());
    builder.emit({.kind = kind, .inputs = {x}, .outputs = {y}, .attributes = forward});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = kind, .inputs = {dy}, .outputs = {dx}, .attributes = back});
        return dx;
    });
    return y;
}

}  // namespace engine::plan
