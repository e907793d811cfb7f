// GaussianDropout: training multiplies every value by a normal number of mean 1 and deviation sqrt(rate / (1 - rate)); otherwise the
// identity, without an op. The gradient is multiplied by the same numbers: the same op draws them again.
#include <cmath>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerGaussianDropout(LayerBuilder& builder, TensorId x) {
    const double rate = builder.settings().getDouble("rate");
    if (!builder.training() || rate == 0) return x;
    const GaussianNoiseAttributes noise{.deviation = std::sqrt(rate / (1 - rate)), .multiplies = true, .seed = randomSeed(builder)};
    const TensorId y = builder.activation("noisy", builder.shape(x));
    builder.emit({.kind = OpKind::kGaussianNoise, .inputs = {x}, .outputs = {y}, .attributes = noise});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kGaussianNoise, .inputs = {dy}, .outputs = {dx}, .attributes = noise});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> gaussianDropoutRows() {
    static constexpr LayerRow kRows[] = {
        {"GaussianDropout", lowerGaussianDropout, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
