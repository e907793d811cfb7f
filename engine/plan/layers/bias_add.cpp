// y = x + bias along the last axis; the bias gradient is the sum over every other axis.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerBiasAdd(LayerBuilder& builder, TensorId x) {
    const TensorId bias = builder.parameter("bias");
    const TensorId y = builder.activation("bias_add", builder.shape(x));
    builder.emit({.kind = OpKind::kBiasAdd, .inputs = {x, bias}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient) {
        b.emit({.kind = OpKind::kBiasAddBack, .inputs = {dy}, .outputs = {b.gradientOf(bias)}});
        return dy;
    });
    return y;
}

}  // namespace engine::plan
