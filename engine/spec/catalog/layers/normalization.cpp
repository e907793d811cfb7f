// BatchNormalization, LayerNormalization, GroupNormalization, RMSNormalization, UnitNormalization: same shape.
#include <cmath>

#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {
namespace {

FieldSchema epsilonField(double fallback) {
    return {.name = "epsilon", .kind = FieldKind::kDouble, .fallback = fallback, .minimum = 0, .hint = "Added to the variance"};
}
FieldSchema centerField() {
    return {.name = "center", .kind = FieldKind::kBool, .fallback = true, .hint = "Add a trained offset, beta"};
}
FieldSchema scaleField() {
    return {.name = "scale", .kind = FieldKind::kBool, .fallback = true, .hint = "Multiply with a trained factor, gamma"};
}

// gamma and beta of this shape, as far as the layer has them.
void addScaleAndCenter(const LayerSpec& layer, const Shape& shape, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (settings.getBool("scale")) {
        info.variables.push_back({layer.name + "/gamma", shape});
    }
    if (settings.getBool("center")) {
        info.variables.push_back({layer.name + "/beta", shape});
    }
}

std::optional<ShapeFault> inferBatch(const LayerSpec& layer, LayerInfo& info) {
    const auto rank = static_cast<std::int64_t>(info.input_shape.size()) + 1;
    const std::int64_t asked = settingsOf(layer).getInt("axis"), axis = asked < 0 ? asked + rank : asked;
    if (axis < 1 || axis >= rank) {
        return ShapeFault{"axis",
                          "expected an axis from 1 to " + std::to_string(rank - 1) + ", or -1 for the last, got " + std::to_string(asked)};
    }
    if (auto fault = expectMask(info, {info.input_shape.begin(), info.input_shape.end() - 1})) {
        return fault;
    }
    const Shape channels{info.input_shape[static_cast<std::size_t>(axis - 1)]};
    info.output_shape = info.input_shape;
    addScaleAndCenter(layer, channels, info);
    for (const char* name : {"/moving_mean", "/moving_variance"}) {
        info.variables.push_back({layer.name + name, channels, false});
    }
    return std::nullopt;
}

std::optional<ShapeFault> inferLayerNorm(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (settings.getBool("rms_scaling")) {
        return ShapeFault{"rms_scaling", "expected false (not supported), got true"};
    }
    Shape sizes;
    if (auto fault = readLastAxes(settings, info.input_shape, sizes, AxisCount::kAny)) {
        return fault;
    }
    info.output_shape = info.input_shape;
    addScaleAndCenter(layer, sizes, info);
    return std::nullopt;
}

std::optional<ShapeFault> inferGroup(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    Shape sizes;
    if (auto fault = readLastAxes(settings, info.input_shape, sizes, AxisCount::kOne)) {
        return fault;
    }
    const std::int64_t channels = sizes.front(), groups = settings.getInt("groups");
    if (groups == 0 || (groups != -1 && channels % groups != 0)) {
        return ShapeFault{"groups", "expected a divisor of " + std::to_string(channels) + " channels, or -1 for all of them, got " +
                                        std::to_string(groups)};
    }
    info.output_shape = info.input_shape;
    addScaleAndCenter(layer, sizes, info);
    return std::nullopt;
}

LayerDefinition defineBatchNormalization() {
    return {.schema = {"BatchNormalization",
                       LayerCategory::kNormalization,
                       {{.name = "axis",
                         .kind = FieldKind::kInt,
                         .fallback = std::int64_t{-1},
                         .minimum = -kMaximumSize,
                         .maximum = kMaximumSize,
                         .hint = "Axis of the channels"},
                        {.name = "momentum",
                         .kind = FieldKind::kDouble,
                         .fallback = 0.99,
                         .minimum = 0,
                         .maximum = 1,
                         .hint = "Share of the moving statistics that is kept in a step"},
                        epsilonField(1e-3),
                        centerField(),
                        scaleField(),
                        initializerField("beta_initializer", "Zeros"),
                        initializerField("gamma_initializer", "Ones"),
                        initializerField("moving_mean_initializer", "Zeros"),
                        initializerField("moving_variance_initializer", "Ones"),
                        regularizerField("beta_regularizer"),
                        regularizerField("gamma_regularizer"),
                        constraintField("beta_constraint"),
                        constraintField("gamma_constraint"),
                        {.name = "synchronized",
                         .kind = FieldKind::kBool,
                         .fallback = false,
                         .hint = "Statistics of the batches of all replicas together"}}},
            .infer = inferBatch,
            .mask = MaskRule::kPassesOn,
            .place = 340};
}

LayerDefinition defineLayerNormalization() {
    return {.schema = {"LayerNormalization",
                       LayerCategory::kNormalization,
                       {axisField(),
                        epsilonField(1e-3),
                        centerField(),
                        scaleField(),
                        {.name = "rms_scaling", .kind = FieldKind::kBool, .fallback = false, .hint = "Not supported"},
                        initializerField("beta_initializer", "Zeros"),
                        initializerField("gamma_initializer", "Ones"),
                        regularizerField("beta_regularizer"),
                        regularizerField("gamma_regularizer"),
                        constraintField("beta_constraint"),
                        constraintField("gamma_constraint")}},
            .infer = inferLayerNorm,
            .mask = MaskRule::kPassesOn,
            .place = 350,
            .is_distributable = true};
}

LayerDefinition defineGroupNormalization() {
    return {.schema = {"GroupNormalization",
                       LayerCategory::kNormalization,
                       {{.name = "groups",
                         .kind = FieldKind::kInt,
                         .fallback = std::int64_t{32},
                         .minimum = -1,
                         .maximum = kMaximumSize,
                         .hint = "Parts of the channels; -1: each channel is one"},
                        axisField(),
                        epsilonField(1e-3),
                        centerField(),
                        scaleField(),
                        initializerField("beta_initializer", "Zeros"),
                        initializerField("gamma_initializer", "Ones"),
                        regularizerField("beta_regularizer"),
                        regularizerField("gamma_regularizer"),
                        constraintField("beta_constraint"),
                        constraintField("gamma_constraint")}},
            .infer = inferGroup,
            .mask = MaskRule::kPassesOn,
            .place = 360,
            .is_distributable = true};
}

// Keras has no field for what scale begins with: ones. Alone among its kin it does not say that it supports masks, which ends them.
LayerDefinition defineRmsNormalization() {
    return {
        .schema = {"RMSNormalization",
                   LayerCategory::kNormalization,
                   {axisField(),
                    {.name = "epsilon", .kind = FieldKind::kDouble, .fallback = 1e-6, .minimum = 0, .hint = "Added to the mean square"}}},
        .infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
            Shape sizes;
            if (auto fault = readLastAxes(settingsOf(layer), info.input_shape, sizes, AxisCount::kAny)) return fault;
            info.output_shape = info.input_shape;
            info.variables.push_back({layer.name + "/scale", sizes});
            return std::nullopt;
        },
        .mask = MaskRule::kDrops,
        .place = 365,
        .is_distributable = true};
}

LayerDefinition defineUnitNormalization() {
    return {.schema = {"UnitNormalization", LayerCategory::kNormalization, {axisField()}},
            .infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
                info.output_shape = info.input_shape;
                Shape sizes;
                return readLastAxes(settingsOf(layer), info.input_shape, sizes, AxisCount::kAny);
            },
            .mask = MaskRule::kPassesOn,
            .place = 370,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> normalizationLayers() {
    return {defineBatchNormalization(), defineLayerNormalization(), defineGroupNormalization(), defineRmsNormalization(),
            defineUnitNormalization()};
}

}  // namespace engine::spec::layers
