// Rescaling: y = scale x + offset. Normalization: y = (x - mean) / deviation, or the way back, by variables or by numbers that are given.
#include <algorithm>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerRescaling(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const double scale = settings.getDouble("scale");
    return lowerReversible(builder, x, OpKind::kAffine, Affine{scale, settings.getDouble("offset")}, Affine{scale, 0});
}

// x by the axes that have a mean each, which lie side by side.
Standardization standardizationOf(const spec::Settings& settings, const spec::Shape& shape) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    Standardization result{.inverts = settings.getBool("invert")};
    std::int64_t last = 0;
    for (std::int64_t axis : settings.getInts("axis")) {
        axis = (axis + rank) % rank;
        last = std::max(last, axis);
        result.channels *= shape[static_cast<std::size_t>(axis)];
    }
    for (std::size_t i = static_cast<std::size_t>(last) + 1; i < shape.size(); ++i) result.inner *= shape[i];
    return result;
}

// One number stands for all; as many as the last axis has, for all places of the axes before it.
std::vector<float> byChannel(const std::vector<double>& given, std::int64_t channels) {
    std::vector<float> values(static_cast<std::size_t>(channels));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(given[i % given.size()]);
    return values;
}

TensorId lowerNormalization(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    Standardization forward = standardizationOf(settings, builder.shape(x));
    std::vector<TensorId> variables;
    if (settings.find("mean") == nullptr) {
        variables = {builder.parameter("mean"), builder.parameter("variance")};
    } else {
        forward.mean = byChannel(settings.getDoubles("mean"), forward.channels);
        forward.variance = byChannel(settings.getDoubles("variance"), forward.channels);
    }
    Standardization back = forward;
    back.keeps_origin = true;
    const TensorId y = builder.activation("out", builder.outputShape());
    Op op{.kind = OpKind::kStandardize, .inputs = {x}, .outputs = {y}, .attributes = std::move(forward)};
    op.inputs.insert(op.inputs.end(), variables.begin(), variables.end());
    builder.emit(std::move(op));
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        Op way_back{.kind = OpKind::kStandardize, .inputs = {dy}, .outputs = {dx}, .attributes = back};
        way_back.inputs.insert(way_back.inputs.end(), variables.begin(), variables.end());
        b.emit(std::move(way_back));
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> rescalingRows() {
    static constexpr LayerRow kRows[] = {
        {"Rescaling", lowerRescaling, Times::kTogether},
        {"Normalization", lowerNormalization},
    };
    return kRows;
}

}  // namespace engine::plan
