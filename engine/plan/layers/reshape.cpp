// Flatten and Reshape: the same bytes in C order under another shape.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerSameBytes(LayerBuilder& builder, TensorId x, const spec::Shape& shape, std::string_view suffix) {
    const TensorId y = builder.activation(suffix, shape);
    builder.emit({.kind = OpKind::kReshape, .inputs = {x}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kReshape, .inputs = {dy}, .outputs = {dx}});
        return dx;
    });
    return y;
}

namespace {

TensorId lowerReshape(LayerBuilder& builder, TensorId x) {
    return lowerSameBytes(builder, x, builder.outputShape(), "reshaped");
}

}  // namespace

std::span<const LayerRow> reshapeRows() {
    static constexpr LayerRow kRows[] = {
        {"Flatten", lowerReshape, Times::kTogether},
        {"Reshape", lowerReshape, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
