// Conv2DTranspose: what a convolution does to its input's gradient, as a layer. kernel (kh, kw, filters, channels), bias (filters).
// Sizes, n input, ke = (k - 1) d + 1, p output_padding:
//   valid: (n - 1) s + max(ke, s), with p: (n - 1) s + ke + p; same: n s, with p: (n - 1) s + ke mod 2 + p.
#include <algorithm>

#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::int64_t transposedOutput(std::int64_t n, std::int64_t extent, std::int64_t s, std::string_view padding, std::int64_t output_padding) {
    constexpr std::int64_t kAutomatic = -1;
    if (padding == "same") return output_padding == kAutomatic ? n * s : (n - 1) * s + extent % 2 + output_padding;
    return (n - 1) * s + (output_padding == kAutomatic ? std::max(extent, s) : extent + output_padding);
}

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (auto fault = expectImage(info.input_shape)) {
        return fault;
    }
    const std::int64_t filters = settings.getInt("filters"), channels = info.input_shape.back();
    const Window window = readConvolution(settings, Axes::kImage);
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    const Pair output_padding = readPair(settings, "output_padding", Axes::kImage, {-1, -1});
    Pair output{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        if (output_padding[axis] >= window.strides[axis]) {
            return ShapeFault{"output_padding", "expected less than the strides (" + std::to_string(window.strides[axis]) + "), got " +
                                                    std::to_string(output_padding[axis])};
        }
        const std::int64_t extent = (window.size[axis] - 1) * window.dilation[axis] + 1;
        output[axis] = transposedOutput(info.input_shape[axis], extent, window.strides[axis], window.padding, output_padding[axis]);
        if (output[axis] <= 0) {
            return ShapeFault{"output_padding", "expected an output of at least one row and column (the input is " +
                                                    batchShapeText(info.input_shape) + "), got " + std::to_string(output[axis])};
        }
    }
    info.output_shape = {output[0], output[1], filters};
    info.variables.push_back({layer.name + "/kernel", {window.size[0], window.size[1], filters, channels}});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {filters}});
    }
    info.multiply_adds = info.input_shape[0] * info.input_shape[1] * channels * filters * window.size[0] * window.size[1];
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> conv2dTransposeLayers() {
    FieldSchema size = windowField(Axes::kImage, "kernel_size", "Rows and columns of the window");
    size.required = true;
    FieldSchema output_padding = windowField(Axes::kImage, "output_padding", "Rows and columns added at the end; empty: by the strides");
    output_padding.minimum = 0;
    FieldSchema padding = paddingField();
    padding.hint = "valid: all that the windows reach; same: cut so that the size is input times stride";
    return {{.schema = {"Conv2DTranspose", LayerCategory::kLayer,
                        withWeightFields(
                            {filtersField(), size, stridesField(Axes::kImage), padding, output_padding, dilationField(Axes::kImage)})},
             .infer = infer,
             .place = 60,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
