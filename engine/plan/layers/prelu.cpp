// PReLU: y = x above 0, else alpha x; alpha has the shape of a sample, with 1 along the shared axes.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerPrelu(LayerBuilder& builder, TensorId x) {
    const TensorId alpha = builder.parameter("alpha");
    const TensorId y = builder.activation("prelu", builder.shape(x));
    builder.emit({.kind = OpKind::kPrelu, .inputs = {x, alpha}, .outputs = {y}});
    const bool trains = builder.isTrainable();
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient) {
        Op op{.kind = OpKind::kPreluBack, .inputs = {x, alpha, dy}, .outputs = {b.gradientOf(x)}};
        if (trains) op.outputs.push_back(b.gradientOf(alpha));
        const TensorId dx = op.outputs.front();
        b.emit(std::move(op));
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> preluRows() {
    static constexpr LayerRow kRows[] = {
        {"PReLU", lowerPrelu},
    };
    return kRows;
}

}  // namespace engine::plan
