// The layers that are one function: ReLU, LeakyReLU, ELU, PReLU, Softmax. Same shape.
#include <cmath>

#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> sameShape(const LayerSpec&, LayerInfo& info) {
    info.output_shape = info.input_shape;
    return std::nullopt;
}

FieldSchema slopeField(double fallback, std::string hint) {
    return {.name = "negative_slope", .kind = FieldKind::kDouble, .fallback = fallback, .minimum = 0, .hint = std::move(hint)};
}

LayerDefinition defineRelu() {
    return {.schema = {"ReLU",
                       LayerCategory::kActivation,
                       {{.name = "max_value", .kind = FieldKind::kDouble, .minimum = 0, .hint = "Largest output; empty: no limit"},
                        slopeField(0.0, "Slope below the threshold"),
                        {.name = "threshold",
                         .kind = FieldKind::kDouble,
                         .fallback = 0.0,
                         .minimum = 0,
                         .hint = "Smaller inputs are cut, or follow the slope"}}},
            .infer = sameShape,
            .mask = MaskRule::kPassesOn,
            .place = 390,
            .is_distributable = true};
}

LayerDefinition defineLeakyRelu() {
    return {.schema = {"LeakyReLU", LayerCategory::kActivation, {told(slopeField(0.3, "Slope below 0"))}},
            .infer = sameShape,
            .mask = MaskRule::kPassesOn,
            .place = 400,
            .is_distributable = true};
}

LayerDefinition defineElu() {
    return {.schema = {"ELU",
                       LayerCategory::kActivation,
                       {{.name = "alpha",
                         .kind = FieldKind::kDouble,
                         .fallback = 1.0,
                         .minimum = 0,
                         .hint = "What the output of large negative inputs comes near to",
                         .is_told = true}}},
            .infer = sameShape,
            .mask = MaskRule::kPassesOn,
            .place = 410,
            .is_distributable = true};
}

// alpha: a sample's shape, 1 along the shared axes, which count from 1 (0 is the batch).
LayerDefinition definePrelu() {
    return {.schema = {"PReLU",
                       LayerCategory::kActivation,
                       {initializerField("alpha_initializer", "Zeros"),
                        regularizerField("alpha_regularizer"),
                        constraintField("alpha_constraint"),
                        {.name = "shared_axes",
                         .kind = FieldKind::kIntList,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Axes, from 1, along which one slope serves all"}}},
            .infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
                Shape alpha = info.input_shape;
                for (std::int64_t axis : settingsOf(layer).getInts("shared_axes")) {
                    if (axis > static_cast<std::int64_t>(alpha.size())) {
                        return ShapeFault{"shared_axes",
                                          "expected axes from 1 to " + std::to_string(alpha.size()) + ", got " + std::to_string(axis)};
                    }
                    alpha[static_cast<std::size_t>(axis - 1)] = 1;
                }
                info.output_shape = info.input_shape;
                info.variables.push_back({layer.name + "/alpha", alpha});
                return std::nullopt;
            },
            .mask = MaskRule::kPassesOn,
            .place = 420,
            .is_distributable = true};
}

LayerDefinition defineSoftmax() {
    return {.schema = {"Softmax", LayerCategory::kActivation, {axisField()}},
            .infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
                if (info.input_mask) {
                    return ShapeFault{
                        "",
                        "expected an input without a mask, which this layer takes for one of its own values (Activation softmax "
                        "passes it on), got one of the sizes " +
                            batchShapeText(*info.input_mask)};
                }
                info.output_shape = info.input_shape;
                Shape sizes;
                return readNamedAxes(settingsOf(layer), info.input_shape, sizes, AxisCount::kOne);
            },
            .place = 430,
            .is_distributable = true,
            .takes_named_axes = true};
}

}  // namespace

std::vector<LayerDefinition> activationLayersLayers() {
    return {defineRelu(), defineLeakyRelu(), defineElu(), definePrelu(), defineSoftmax()};
}

}  // namespace engine::spec::layers
