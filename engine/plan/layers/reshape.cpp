// Flatten and Reshape: the same bytes in C order under another shape.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerReshape(LayerBuilder& builder, TensorId x) {
    const TensorId y = builder.activation("reshaped", builder.outputShape());
    builder.emit({.kind = OpKind::kReshape, .inputs = {x}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kReshape, .inputs = {dy}, .outputs = {dx}});
        return dx;
    });
    return y;
}

}  // namespace engine::plan
