// Dropout: while training each value is kept with probability 1 - rate and scaled by 1 / (1 - rate); else y = x. noise_shape names the axes
// (with the batch first) along which values share their fate. SpatialDropout drops whole channels of sequences, images and volumes.
// AlphaDropout is made for selu: dropped values become what selu tends to far below 0, and all are scaled and moved so that mean and
// variance stay.
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferDropout(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<std::int64_t> noise = settingsOf(layer).getInts("noise_shape");
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

FieldSchema noiseShapeField() {
    return {.name = "noise_shape",
            .kind = FieldKind::kIntList,
            .minimum = kInputsSize,
            .maximum = 1e12,
            .hint = "Sizes with the batch, -1 as the input's; 1: one fate for all along an axis; empty: each value its own"};
}

LayerDefinition defineDropout() {
    return {.schema = {"Dropout",
                       LayerCategory::kDropout,
                       {rateField("Share of the inputs set to zero while training"), noiseShapeField(), seedField()}},
            .infer = inferDropout,
            .mask = MaskRule::kPassesOn,
            .place = 260,
            .is_distributable = true};
}

// Keras takes a rate of 1 and divides by zero in the first step.
std::optional<ShapeFault> inferAlphaDropout(const LayerSpec& layer, LayerInfo& info) {
    const double rate = settingsOf(layer).getDouble("rate");
    if (rate >= 1) return ShapeFault{"rate", "expected less than 1, got " + valueText(rate)};
    return inferDropout(layer, info);
}

LayerDefinition defineAlphaDropout() {
    return {.schema = {"AlphaDropout",
                       LayerCategory::kDropout,
                       {rateField("Share of the inputs that become selu's least value while training"), noiseShapeField(), seedField()}},
            .infer = inferAlphaDropout,
            .mask = MaskRule::kPassesOn,
            .place = 265,
            .is_distributable = true};
}

template <Axes axes>
LayerDefinition defineSpatialDropout(const char* class_name, int place) {
    std::vector<FieldSchema> fields{rateField(kChannelsHint), seedField()};
    if (axes != Axes::kSequence) fields.insert(fields.begin() + 1, dataFormatField());  // as in Keras
    return {.schema = {class_name, LayerCategory::kDropout, std::move(fields)},
            .infer = inferSpatial<axes>,
            .mask = MaskRule::kPassesOn,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> dropoutLayers() {
    return {defineDropout(), defineAlphaDropout(), defineSpatialDropout<Axes::kSequence>("SpatialDropout1D", 280),
            defineSpatialDropout<Axes::kImage>("SpatialDropout2D", 270), defineSpatialDropout<Axes::kVolume>("SpatialDropout3D", 285)};
}

}  // namespace engine::spec::layers
