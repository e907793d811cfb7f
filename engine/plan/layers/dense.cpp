// Dense: y = f(x W + b) on the last axis; every other axis counts rows. W is (in, units).
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerDense(LayerBuilder& builder, TensorId x) {
    const TensorId kernel = builder.parameter("kernel");
    const TensorId y = builder.activation("matmul", builder.outputShape());
    builder.emit({.kind = OpKind::kMatMul, .inputs = {x, kernel}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        TensorId dx = kNoTensor;
        if (needed == InputGradient::kNeeded) {
            dx = b.gradientOf(x);
            b.emit({.kind = OpKind::kMatMulBackInput, .inputs = {dy, kernel}, .outputs = {dx}});
        }
        b.emit({.kind = OpKind::kMatMulBackWeight, .inputs = {x, dy}, .outputs = {b.gradientOf(kernel)}});
        return dx;
    });
    return lowerBiasAndActivation(builder, y);
}

}  // namespace

std::span<const LayerRow> denseRows() {
    static constexpr LayerRow kRows[] = {
        {"Dense", lowerDense, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
