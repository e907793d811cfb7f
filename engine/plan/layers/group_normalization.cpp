// Normalisation within a sample: LayerNormalization (the last axes of each row), GroupNormalization (all positions of a group of channels)
// RMSNormalization (each row by the root of its mean square) and UnitNormalization (each row has length 1).
#include <string_view>
#include <utility>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

std::int64_t productFrom(const spec::Shape& shape, std::size_t first) {
    std::int64_t product = 1;
    for (std::size_t i = first; i < shape.size(); ++i) product *= shape[i];
    return product;
}

// The axes are the last ones: the layer's shape rule has seen to that.
std::int64_t widthOfLastAxes(const LayerBuilder& builder, const spec::Shape& shape) {
    return productFrom(shape, shape.size() - builder.settings().getInts("axis").size());
}

TensorId lowerGroups(LayerBuilder& builder, TensorId x, GroupNormAttributes attributes, std::string_view factor) {
    attributes.epsilon = builder.settings().getDouble("epsilon");
    std::vector<TensorId> gammas, betas;
    if (attributes.scale) gammas.push_back(builder.parameter(factor));
    if (attributes.center) betas.push_back(builder.parameter("beta"));
    const TensorId y = builder.activation("normalized", builder.shape(x));
    Op forward{.kind = OpKind::kGroupNorm, .inputs = {x}, .outputs = {y}, .attributes = attributes};
    forward.inputs.insert(forward.inputs.end(), gammas.begin(), gammas.end());
    forward.inputs.insert(forward.inputs.end(), betas.begin(), betas.end());
    builder.emit(std::move(forward));
    const bool trains = builder.isTrainable() && !(gammas.empty() && betas.empty());
    const auto reads = trains ? LayerBuilder::Reads::kParameters : LayerBuilder::Reads::kInputAlone;
    builder.onBackward(x, y, reads, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (!trains && needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        Op op{.kind = OpKind::kGroupNormBack, .inputs = {x}, .outputs = {dx}, .attributes = attributes};
        op.inputs.insert(op.inputs.end(), gammas.begin(), gammas.end());
        op.inputs.push_back(dy);
        if (trains) {
            for (TensorId id : gammas) op.outputs.push_back(b.gradientOf(id));
            for (TensorId id : betas) op.outputs.push_back(b.gradientOf(id));
        }
        b.emit(std::move(op));
        return dx;
    });
    return y;
}

// gamma and beta, as far as the layer has them.
TensorId lowerWithGammaAndBeta(LayerBuilder& builder, TensorId x, GroupNormAttributes attributes) {
    attributes.center = builder.settings().getBool("center");
    attributes.scale = builder.settings().getBool("scale");
    return lowerGroups(builder, x, attributes, "gamma");
}

TensorId lowerLayerNormalization(LayerBuilder& builder, TensorId x) {
    return lowerWithGammaAndBeta(builder, x, {.width = widthOfLastAxes(builder, builder.shape(x))});
}

TensorId lowerRmsNormalization(LayerBuilder& builder, TensorId x) {
    const std::int64_t width = widthOfLastAxes(builder, builder.shape(x));
    return lowerGroups(builder, x, {.width = width, .center = false, .subtracts_mean = false}, "scale");
}

// groups -1: each channel is one.
TensorId lowerGroupNormalization(LayerBuilder& builder, TensorId x) {
    const spec::Shape& shape = builder.shape(x);
    const std::int64_t channels = shape.back(), asked = builder.settings().getInt("groups");
    const std::int64_t groups = asked == -1 ? channels : asked;
    return lowerWithGammaAndBeta(builder, x, {.positions = productFrom(shape, 1) / channels, .groups = groups, .width = channels / groups});
}

TensorId lowerUnitNormalization(LayerBuilder& builder, TensorId x) {
    const GroupNormAttributes attributes{.width = widthOfLastAxes(builder, builder.shape(x))};
    const TensorId y = builder.activation("normalized", builder.shape(x));
    builder.emit({.kind = OpKind::kUnitNorm, .inputs = {x}, .outputs = {y}, .attributes = attributes});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kUnitNormBack, .inputs = {x, dy}, .outputs = {dx}, .attributes = attributes});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> groupNormalizationRows() {
    static constexpr LayerRow kRows[] = {
        {"LayerNormalization", lowerLayerNormalization, Times::kTogether},
        {"GroupNormalization", lowerGroupNormalization},
        {"RMSNormalization", lowerRmsNormalization, Times::kTogether},
        {"UnitNormalization", lowerUnitNormalization, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
