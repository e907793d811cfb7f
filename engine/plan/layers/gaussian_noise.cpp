// GaussianNoise: training adds a normal number to every value; otherwise the identity, without an op. The gradient passes as it is.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerGaussianNoise(LayerBuilder& builder, TensorId x) {
    const double deviation = builder.settings().getDouble("stddev");
    if (!builder.training() || deviation == 0) return x;
    const TensorId y = builder.activation("noisy", builder.shape(x));
    builder.emit({.kind = OpKind::kGaussianNoise,
                  .inputs = {x},
                  .outputs = {y},
                  .attributes = GaussianNoiseAttributes{.deviation = deviation, .seed = randomSeed(builder)}});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [](LayerBuilder&, TensorId dy, InputGradient) { return dy; });
    return y;
}

}  // namespace

std::span<const LayerRow> gaussianNoiseRows() {
    static constexpr LayerRow kRows[] = {
        {"GaussianNoise", lowerGaussianNoise, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
