// DepthwiseConv of sequences (1D) and images (2D): every channel has depth_multiplier filters of its own. depthwise_kernel (cells of the
// window, channels, depth_multiplier), bias (channels * depth_multiplier); output channel c * depth_multiplier + m.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferDepthwiseConvolution(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const std::int64_t channels = info.input_shape.back(), multiplier = settings.getInt("depth_multiplier");
    const Window window = readConvolution(settings, axes);
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    Extent output{};
    if (auto fault = slideWindow(info.input_shape, "kernel_size", window, output)) {
        return fault;
    }
    info.output_shape = shapeOf(axes, output, channels * multiplier);
    Shape kernel = shapeOf(axes, window.size, channels);
    kernel.push_back(multiplier);
    info.variables.push_back({layer.name + "/depthwise_kernel", kernel});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {channels * multiplier}});
    }
    info.multiply_adds = cellsOf(output) * channels * multiplier * cellsOf(window.size);
    return std::nullopt;
}

template <Axes axes>
LayerDefinition defineDepthwise(const char* class_name, int place) {
    FieldSchema size = windowField(axes, "kernel_size", windowHint(axes));
    size.required = true;
    return {.schema = {class_name, LayerCategory::kLayer,
                       withWeightFields({size, stridesField(axes), paddingField(),
                                         sizeField("depth_multiplier", 1, "Output channels of each input channel"), dataFormatField(),
                                         dilationField(axes)},
                                        {"depthwise"})},
            .infer = inferDepthwiseConvolution<axes>,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> depthwiseConvolutionLayers() {
    return {defineDepthwise<Axes::kSequence>("DepthwiseConv1D", 42), defineDepthwise<Axes::kImage>("DepthwiseConv2D", 40)};
}

}  // namespace engine::spec::layers
