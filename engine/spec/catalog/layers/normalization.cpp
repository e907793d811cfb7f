// BatchNormalization, LayerNormalization, GroupNormalization, RMSNormalization, UnitNormalization, Normalization: same shape.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {
namespace {

// One axis, as Keras takes no list of one here.
FieldSchema channelAxisField() {
    return {.name = "axis",
            .kind = FieldKind::kInt,
            .fallback = std::int64_t{-1},
            .minimum = -kMaximumSize,
            .maximum = kMaximumSize,
            .hint = "Axis of the channels"};
}
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
    if (auto fault = readNamedAxes(settings, info.input_shape, sizes, AxisCount::kAny)) {
        return fault;
    }
    info.output_shape = info.input_shape;
    addScaleAndCenter(layer, sizes, info);
    return std::nullopt;
}

std::optional<ShapeFault> inferGroup(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    Shape sizes;
    if (auto fault = readNamedAxes(settings, info.input_shape, sizes, AxisCount::kOne)) {
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

// The axes with a mean and a variance each lie side by side: Keras takes any, and no one asks for others.
std::optional<ShapeFault> readKeptAxes(const LayerSpec& layer, const Shape& input, Shape& sizes) {
    const auto rank = static_cast<std::int64_t>(input.size()) + 1;
    std::vector<std::int64_t> axes = settingsOf(layer).getInts("axis");
    for (std::int64_t& axis : axes) {
        const std::int64_t asked = std::exchange(axis, axis < 0 ? axis + rank : axis);
        if (axis < 1 || axis >= rank) {
            return ShapeFault{
                "axis", "expected an axis from 1 to " + std::to_string(rank - 1) + ", or -1 for the last, got " + std::to_string(asked)};
        }
    }
    std::sort(axes.begin(), axes.end());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (i > 0 && axes[i] != axes[i - 1] + 1) {
            return ShapeFault{"axis", "expected axes that lie side by side, got " + valueText(settingsOf(layer).getInts("axis"))};
        }
        sizes.push_back(input[static_cast<std::size_t>(axes[i] - 1)]);
    }
    return std::nullopt;
}

// mean and variance, where they are given: one number for all, or one for each place of the last axis that has its own.
std::optional<ShapeFault> checkGiven(const Settings& settings, const Shape& sizes) {
    for (const auto& [name, other] : {std::pair("mean", "variance"), std::pair("variance", "mean")}) {
        if (settings.find(name) == nullptr)
            return ShapeFault{name, std::string("expected numbers beside those of ") + other + ", got none"};
        const std::size_t count = settings.getDoubles(name).size();
        if (count != 1 && (sizes.empty() || static_cast<std::int64_t>(count) != sizes.back())) {
            return ShapeFault{name, "expected one number" + (sizes.empty() ? "" : " or " + std::to_string(sizes.back())) + ", got " +
                                        std::to_string(count)};
        }
    }
    if (settings.getDoubles("mean").size() != settings.getDoubles("variance").size()) {
        return ShapeFault{"variance", "expected as many numbers as mean has, " + std::to_string(settings.getDoubles("mean").size()) +
                                          ", got " + std::to_string(settings.getDoubles("variance").size())};
    }
    return std::nullopt;
}

bool takesSamples(const LayerSpec& layer) {
    const Settings settings = settingsOf(layer);
    return settings.find("mean") == nullptr && settings.find("variance") == nullptr;
}

std::optional<ShapeFault> inferGiven(const LayerSpec& layer, LayerInfo& info) {
    Shape sizes;
    if (auto fault = readKeptAxes(layer, info.input_shape, sizes)) return fault;
    info.output_shape = info.input_shape;
    if (!takesSamples(layer)) return checkGiven(settingsOf(layer), sizes);
    info.variables.push_back({layer.name + "/mean", sizes, false});
    info.variables.push_back({layer.name + "/variance", sizes, false});
    info.variables.push_back({layer.name + "/count", {}, false});  // Keras' files have it, always 0
    return std::nullopt;
}

LayerDefinition defineBatchNormalization() {
    return {.schema = {"BatchNormalization",
                       LayerCategory::kNormalization,
                       {channelAxisField(),
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
            .is_distributable = true,
            .takes_named_axes = true};
}

LayerDefinition defineGroupNormalization() {
    return {.schema = {"GroupNormalization",
                       LayerCategory::kNormalization,
                       {{.name = "groups",
                         .kind = FieldKind::kInt,
                         .fallback = std::int64_t{32},
                         .minimum = -1,
                         .maximum = kMaximumSize,
                         .hint = "Parts of the channels; -1: each channel is one",
                         .is_told = true},
                        channelAxisField(),
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
            .is_distributable = true,
            .takes_named_axes = true};
}

// Of axes that readNamedAxes() takes. Keras' own scale is none of axes in front of others.
std::optional<ShapeFault> expectLastAxes(const Settings& settings, const Shape& input) {
    const auto rank = static_cast<std::int64_t>(input.size()) + 1;
    const std::vector<std::int64_t> axes = settings.getInts("axis");
    const bool are_last = std::all_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
        return (axis < 0 ? axis + rank : axis) >= rank - static_cast<std::int64_t>(axes.size());
    });
    if (are_last) return std::nullopt;
    return ShapeFault{"axis", "expected the last axis or axes, without the batch, got " + valueText(*settings.find("axis"))};
}

// Keras has no field for what scale begins with: ones. Alone among its kin it does not say that it supports masks, which ends them.
LayerDefinition defineRmsNormalization() {
    return {
        .schema = {"RMSNormalization",
                   LayerCategory::kNormalization,
                   {axisField(),
                    {.name = "epsilon", .kind = FieldKind::kDouble, .fallback = 1e-6, .minimum = 0, .hint = "Added to the mean square"}},
                   kSinceKeras3},
        .infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
            Shape sizes;
            if (auto fault = readNamedAxes(settingsOf(layer), info.input_shape, sizes, AxisCount::kAny)) return fault;
            if (auto fault = expectLastAxes(settingsOf(layer), info.input_shape)) return fault;
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
                return readNamedAxes(settingsOf(layer), info.input_shape, sizes, AxisCount::kAny);
            },
            .mask = MaskRule::kPassesOn,
            .place = 370,
            .is_distributable = true,
            .takes_named_axes = true};
}

FieldSchema givenField(const char* name, double minimum, const char* hint) {
    return {.name = name, .kind = FieldKind::kDoubleList, .minimum = minimum, .maximum = 1e30, .hint = hint};
}

LayerDefinition defineNormalization() {
    return {.schema = {"Normalization",
                       LayerCategory::kNormalization,
                       {{.name = "axis",
                         .kind = FieldKind::kIntList,
                         .fallback = std::int64_t{-1},
                         .minimum = -kMaximumSize,
                         .maximum = kMaximumSize,
                         .hint = "Axes with a mean and a variance for each of their places; none: one of all values"},
                        givenField("mean", -1e30, "Subtracted; empty, as the variance: taken from the training samples"),
                        givenField("variance", 0, "Its root divides; empty, as the mean: taken from the training samples"),
                        {.name = "invert",
                         .kind = FieldKind::kBool,
                         .fallback = false,
                         .hint = "The way back: times the root of the variance, plus the mean"}}},
            .infer = inferGiven,
            .mask = MaskRule::kPassesOn,
            .place = 375,
            .takes_samples = takesSamples};
}

}  // namespace

std::vector<LayerDefinition> normalizationLayers() {
    return {defineBatchNormalization(), defineLayerNormalization(), defineGroupNormalization(),
            defineRmsNormalization(),   defineUnitNormalization(),  defineNormalization()};
}

}  // namespace engine::spec::layers
