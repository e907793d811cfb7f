#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerReversible(LayerBuilder& builder, TensorId x, const ReversibleOp& op) {
    const TensorId y = builder.activation(op.suffix, op.output);
    builder.emit({.kind = op.forward, .inputs = {x}, .outputs = {y}, .attributes = op.forward_attributes});
    const auto back = [x, y, kind = op.back, attributes = op.back_attributes](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = kind, .inputs = {dy}, .outputs = {dx}, .attributes = attributes});
        return dx;
    };
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, back);
    return y;
}

TensorId lowerReversible(LayerBuilder& builder, TensorId x, OpKind kind, const OpAttributes& forward, const OpAttributes& back) {
    return lowerReversible(builder, x,
                           {.forward = kind,
                            .back = kind,
                            .forward_attributes = forward,
                            .back_attributes = back,
                            .output = builder.outputShape(),
                            .suffix = "out"});
}

}  // namespace engine::plan
