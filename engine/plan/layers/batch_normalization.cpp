// BatchNormalization along one axis: (x - mean) / sqrt(variance + epsilon) * gamma + beta. Training takes mean and biased variance of the
// batch and moves the moving ones towards them; evaluation, and a frozen layer, take the moving ones. Synchronized replicas sum what the
// statistics, and what their gradients, are made of, within the step. A mask leaves values out of the statistics; all are normalized.
#include <string_view>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

BatchNormAttributes attributesOf(const LayerBuilder& builder, const spec::Shape& shape) {
    const spec::Settings settings = builder.settings();
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t axis = (settings.getInt("axis") + rank) % rank;
    BatchNormAttributes attributes{.channels = shape[static_cast<std::size_t>(axis)],
                                   .momentum = settings.getDouble("momentum"),
                                   .epsilon = settings.getDouble("epsilon"),
                                   .center = settings.getBool("center"),
                                   .scale = settings.getBool("scale"),
                                   .frozen = !builder.isTrainable()};
    attributes.synchronized = builder.training() && !attributes.frozen && builder.replicas() > 1 && settings.getBool("synchronized");
    for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i) attributes.inner *= shape[i];
    return attributes;
}

void append(std::vector<TensorId>& ids, const std::vector<TensorId>& more) {
    ids.insert(ids.end(), more.begin(), more.end());
}

// The variable, or none.
std::vector<TensorId> ifAny(bool any, const LayerBuilder& builder, std::string_view name) {
    return any ? std::vector{builder.parameter(name)} : std::vector<TensorId>{};
}

TensorId lowerBatchNormalization(LayerBuilder& builder, TensorId x) {
    BatchNormAttributes attributes = attributesOf(builder, builder.shape(x));
    const bool trains = builder.training() && builder.isTrainable();
    const TensorId mask = trains ? builder.mask() : kNoTensor;
    attributes.masked = mask != kNoTensor;
    if (attributes.masked) attributes.synchronized = false;  // as in Keras: statistics of a replica's own batch
    const spec::Shape channels{attributes.channels}, sums{2 * attributes.channels + 1};
    const TensorId moving_mean = builder.parameter("moving_mean"), moving_variance = builder.parameter("moving_variance");
    const std::vector<TensorId> gamma = ifAny(attributes.scale, builder, "gamma"), beta = ifAny(attributes.center, builder, "beta");
    const TensorId y = builder.activation("normalized", builder.shape(x));

    Op forward{.kind = OpKind::kBatchNorm, .inputs = {x}, .outputs = {y}, .attributes = attributes};
    append(forward.inputs, gamma);
    append(forward.inputs, beta);
    append(forward.inputs, {moving_mean, moving_variance});
    std::vector<TensorId> used{moving_mean, moving_variance};
    if (trains) {
        used = {builder.statistic("mean", channels, kNoTensor), builder.statistic("inverse_deviation", channels, kNoTensor)};
        append(forward.outputs, used);
        append(forward.outputs, {builder.statistic("moving_mean:step", channels, moving_mean),
                                 builder.statistic("moving_variance:step", channels, moving_variance)});
    }
    if (attributes.synchronized) {
        const TensorId of_batch = builder.statistic("sums", sums, kNoTensor);
        builder.emit({.kind = OpKind::kBatchSums, .inputs = {x, moving_mean}, .outputs = {of_batch}, .attributes = attributes});
        forward.inputs.push_back(of_batch);
    }
    std::vector<TensorId> counted;
    if (attributes.masked) {
        counted = {builder.statistic("counts", channels, kNoTensor), mask};
        forward.inputs.push_back(mask);
        forward.outputs.push_back(counted.front());
    }
    builder.emit(std::move(forward));
    if (!builder.training()) return y;
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (attributes.frozen && needed == InputGradient::kNotNeeded) return kNoTensor;
        std::vector<TensorId> gradients;
        for (TensorId id : attributes.frozen ? std::vector<TensorId>{} : gamma) gradients.push_back(b.gradientOf(id));
        for (TensorId id : attributes.frozen ? std::vector<TensorId>{} : beta) gradients.push_back(b.gradientOf(id));
        const TensorId dx = b.gradientOf(x);
        Op op{.kind = OpKind::kBatchNormBack, .inputs = {x}, .outputs = {dx}, .attributes = attributes};
        append(op.inputs, gamma);
        append(op.inputs, used);
        op.inputs.push_back(dy);
        if (attributes.synchronized) {
            Op summing{.kind = OpKind::kBatchBackSums, .inputs = {x}, .attributes = attributes};
            append(summing.inputs, used);
            summing.inputs.push_back(dy);
            summing.outputs = {b.statistic("sums:grad", sums, kNoTensor)};
            op.inputs.push_back(summing.outputs.front());
            append(summing.outputs, gradients);
            b.emit(std::move(summing));
        } else {
            append(op.inputs, counted);
            append(op.outputs, gradients);
        }
        b.emit(std::move(op));
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> batchNormalizationRows() {
    static constexpr LayerRow kRows[] = {
        {"BatchNormalization", lowerBatchNormalization},
    };
    return kRows;
}

}  // namespace engine::plan
