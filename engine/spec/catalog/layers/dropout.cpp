// Dropout: while training each value is kept with probability 1 - rate and scaled by 1 / (1 - rate); else y = x. noise_shape names the axes
// (with the batch first) along which values share their fate. SpatialDropout1D and 2D drop whole channels.
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferDropout(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<std::int64_t> noise = layer.config.getInts("noise_shape", {});
    const Shape& input = info.input_shape;
    bool good = noise.empty() || (noise.size() == input.size() + 1 && noise.front() != 1);
    for (std::size_t i = 0; good && i + 1 < noise.size(); ++i) {
        good = noise[i + 1] == 1 || noise[i + 1] == input[i] || noise[i + 1] == kInputsSize;
    }
    if (!good) {
        return ShapeFault{"noise_shape", "expected the batch (-1), then the input's sizes, " + batchShapeText(input) +
                                             ", or 1 for one value along an axis, got " + valueText(noise)};
    }
    info.output_shape = input;
    return std::nullopt;
}

template <Axes axes>
std::optional<ShapeFault> inferSpatial(const LayerSpec&, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) return fault;
    info.output_shape = info.input_shape;
    return std::nullopt;
}

FieldSchema rateField(const char* hint) {
    return {.name = "rate", .kind = FieldKind::kDouble, .required = true, .minimum = 0, .maximum = 1, .hint = hint};
}

constexpr const char* kChannelsHint = "Share of the channels set to zero while training";

}  // namespace

LayerDefinition defineDropout() {
    return {.schema = {"Dropout",
                       LayerCategory::kDropout,
                       {rateField("Share of the inputs set to zero while training"),
                        {.name = "noise_shape",
                         .kind = FieldKind::kIntList,
                         .minimum = kInputsSize,
                         .maximum = 1e12,
                         .hint = "Sizes with the batch, -1 as the input's; 1: one fate for all along an axis; empty: each value its own"},
                        seedField()}},
            .infer = inferDropout,
            .mask = MaskRule::kPassesOn};
}

LayerDefinition defineSpatialDropout1D() {
    return {.schema = {"SpatialDropout1D", LayerCategory::kDropout, {rateField(kChannelsHint), seedField()}},
            .infer = inferSpatial<Axes::kSequence>,
            .mask = MaskRule::kPassesOn};
}

LayerDefinition defineSpatialDropout2D() {
    return {.schema = {"SpatialDropout2D", LayerCategory::kDropout, {rateField(kChannelsHint), seedField()}},
            .infer = inferSpatial<Axes::kImage>,
            .mask = MaskRule::kPassesOn};
}

}  // namespace engine::spec::layers
