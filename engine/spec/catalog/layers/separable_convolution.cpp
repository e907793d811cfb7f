// SeparableConv2D: a depthwise convolution, then one of 1x1 windows. depthwise_kernel (kh, kw, channels, depth_multiplier),
// pointwise_kernel (1, 1, channels * depth_multiplier, filters), bias (filters).
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) {
        return fault;
    }
    const Settings settings = settingsOf(layer);
    const std::int64_t filters = settings.getInt("filters");
    const std::int64_t channels = info.input_shape.back(), multiplier = settings.getInt("depth_multiplier");
    const Window window = readConvolution(settings, Axes::kImage);
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    Pair output{};
    if (auto fault = slideWindow(info.input_shape, "kernel_size", window, output)) {
        return fault;
    }
    info.output_shape = {output[0], output[1], filters};
    info.variables.push_back({layer.name + "/depthwise_kernel", {window.size[0], window.size[1], channels, multiplier}});
    info.variables.push_back({layer.name + "/pointwise_kernel", {1, 1, channels * multiplier, filters}});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {filters}});
    }
    info.multiply_adds = output[0] * output[1] * channels * multiplier * (window.size[0] * window.size[1] + filters);
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> separableConv2dLayers() {
    FieldSchema size = windowField(Axes::kImage, "kernel_size", "Rows and columns of the window");
    size.required = true;
    return {
        {.schema = {"SeparableConv2D", LayerCategory::kLayer,
                    withWeightFields({filtersField(), size, stridesField(Axes::kImage), paddingField(), dilationField(Axes::kImage),
                                      sizeField("depth_multiplier", 1, "Channels between the two convolutions, for each input channel")},
                                     {"depthwise", "pointwise"})},
         .infer = infer,
         .place = 50,
         .is_distributable = true}};
}

}  // namespace engine::spec::layers
