// DepthwiseConv2D: every channel has depth_multiplier filters of its own. depthwise_kernel (kh, kw, channels, depth_multiplier), bias
// (channels * depth_multiplier); output channel c * depth_multiplier + m.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (auto fault = expectImage(info.input_shape)) {
        return fault;
    }
    const std::int64_t channels = info.input_shape.back(), multiplier = settings.getInt("depth_multiplier");
    const Window window = readConvolution(settings, Axes::kImage);
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    Pair output{};
    if (auto fault = slideWindow(info.input_shape, "kernel_size", window, output)) {
        return fault;
    }
    info.output_shape = {output[0], output[1], channels * multiplier};
    info.variables.push_back({layer.name + "/depthwise_kernel", {window.size[0], window.size[1], channels, multiplier}});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {channels * multiplier}});
    }
    info.multiply_adds = output[0] * output[1] * channels * multiplier * window.size[0] * window.size[1];
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> depthwiseConv2dLayers() {
    FieldSchema size = windowField(Axes::kImage, "kernel_size", "Rows and columns of the window");
    size.required = true;
    return {{.schema = {"DepthwiseConv2D", LayerCategory::kLayer,
                        withWeightFields(
                            {size, stridesField(Axes::kImage), paddingField(),
                             sizeField("depth_multiplier", 1, "Output channels of each input channel"), dilationField(Axes::kImage)},
                            {"depthwise"})},
             .infer = infer,
             .place = 40,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
