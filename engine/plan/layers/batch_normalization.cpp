// BatchNormalization along one axis: (x - mean) / sqrt(variance + epsilon) * gamma + beta. Training takes mean and biased variance of the
// batch and moves the moving ones towards them; evaluation, and a frozen layer, take the moving ones.
#include <string>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

BatchNormAttributes attributesOf(const LayerBuilder& builder, const spec::Shape& shape) {
    const spec::Fields& config = builder.layer().config;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t axis = (config.getInt("axis", -1) + rank) % rank;
    BatchNormAttributes attributes{.channels = shape[static_cast<std::size_t>(axis)],
                                   .momentum = config.getDouble("momentum", 0.99),
                                   .epsilon = config.getDouble("epsilon", 1e-3),
                                   .center = config.getBool("center", true),
                                   .scale = config.getBool("scale", true),
                                   .frozen = !builder.isTrainable()};
    for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i) attributes.inner *= shape[i];
    return attributes;
}

}  // namespace

TensorId lowerBatchNormalization(LayerBuilder& builder, TensorId x) {
    const BatchNormAttributes attributes = attributesOf(builder, builder.shape(x));
    const bool trains = builder.training() && builder.isTrainable();
    if (trains && builder.replicas() > 1 && builder.layer().config.getBool("synchronized", false)) {
        throw Error(ErrorCode::kUnimplemented,
                    builder.layer().name + ": expected synchronized false with more than one replica (not supported yet), got true");
    }
    const TensorId moving_mean = builder.parameter("moving_mean"), moving_variance = builder.parameter("moving_variance");
    std::vector<TensorId> gammas;
    if (attributes.scale) gammas.push_back(builder.parameter("gamma"));
    std::vector<TensorId> betas;
    if (attributes.center) betas.push_back(builder.parameter("beta"));

    Op forward{.kind = OpKind::kBatchNorm, .inputs = {x}, .attributes = attributes};
    forward.inputs.insert(forward.inputs.end(), gammas.begin(), gammas.end());
    forward.inputs.insert(forward.inputs.end(), betas.begin(), betas.end());
    forward.inputs.insert(forward.inputs.end(), {moving_mean, moving_variance});
    const TensorId y = builder.activation("normalized", builder.shape(x));
    forward.outputs = {y};
    Op back{.kind = OpKind::kBatchNormBack, .inputs = {x}, .attributes = attributes};
    back.inputs.insert(back.inputs.end(), gammas.begin(), gammas.end());
    if (trains) {
        const spec::Shape channels{attributes.channels};
        const TensorId mean = builder.statistic("mean", channels, kNoTensor);
        const TensorId inverse = builder.statistic("inverse_deviation", channels, kNoTensor);
        forward.outputs.insert(forward.outputs.end(), {mean, inverse, builder.statistic("moving_mean:step", channels, moving_mean),
                                                       builder.statistic("moving_variance:step", channels, moving_variance)});
        back.inputs.insert(back.inputs.end(), {mean, inverse});
    } else {
        back.inputs.insert(back.inputs.end(), {moving_mean, moving_variance});
    }
    builder.emit(std::move(forward));
    if (!builder.training()) return y;
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (attributes.frozen && needed == InputGradient::kNotNeeded) return kNoTensor;
        Op op = back;
        op.inputs.push_back(dy);
        const TensorId dx = b.gradientOf(x);
        op.outputs = {dx};
        if (!attributes.frozen) {
            for (TensorId id : gammas) op.outputs.push_back(b.gradientOf(id));
            for (TensorId id : betas) op.outputs.push_back(b.gradientOf(id));
        }
        b.emit(std::move(op));
        return dx;
    });
    return y;
}

}  // namespace engine::plan
