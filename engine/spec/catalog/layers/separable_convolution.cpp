// SeparableConv of sequences (1D) and images (2D): a depthwise convolution, then one of single cells. depthwise_kernel (cells of the
// window, channels, depth_multiplier), pointwise_kernel (1 for each axis, channels * depth_multiplier, filters), bias (filters).
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferSeparableConvolution(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const Settings settings = settingsOf(layer);
    const std::int64_t filters = settings.getInt("filters");
    const std::int64_t channels = info.input_shape.back(), multiplier = settings.getInt("depth_multiplier");
    const Window window = readConvolution(settings, axes);
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    Extent output{};
    if (auto fault = slideWindow(info.input_shape, "kernel_size", window, output)) {
        return fault;
    }
    info.output_shape = shapeOf(axes, output, filters);
    Shape depthwise = shapeOf(axes, window.size, channels), pointwise = shapeOf(axes, {1, 1, 1}, channels * multiplier);
    depthwise.push_back(multiplier);
    pointwise.push_back(filters);
    info.variables.push_back({layer.name + "/depthwise_kernel", depthwise});
    info.variables.push_back({layer.name + "/pointwise_kernel", pointwise});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {filters}});
    }
    info.multiply_adds = cellsOf(output) * channels * multiplier * (cellsOf(window.size) + filters);
    return std::nullopt;
}

template <Axes axes>
LayerDefinition defineSeparable(const char* class_name, int place) {
    FieldSchema size = windowField(axes, "kernel_size", windowHint(axes));
    size.required = true;
    return {.schema = {class_name, LayerCategory::kLayer,
                       withWeightFields({filtersField(), size, stridesField(axes), paddingField(), dataFormatField(), dilationField(axes),
                                         sizeField("depth_multiplier", 1, "Channels between the two convolutions, for each input channel")},
                                        {"depthwise", "pointwise"})},
            .infer = inferSeparableConvolution<axes>,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> separableConvolutionLayers() {
    return {defineSeparable<Axes::kSequence>("SeparableConv1D", 52), defineSeparable<Axes::kImage>("SeparableConv2D", 50)};
}

}  // namespace engine::spec::layers
