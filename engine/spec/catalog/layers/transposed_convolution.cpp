// ConvTranspose of sequences (1D), images (2D) and volumes (3D): what a convolution does to its input's gradient, as a layer. kernel (cells
// of the window, filters, channels), bias (filters). Sizes along each axis, n input, ke = (k - 1) d + 1, p output_padding:
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

template <Axes axes>
std::optional<ShapeFault> inferTransposedConvolution(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const std::int64_t filters = settings.getInt("filters"), channels = info.input_shape.back();
    const Window window = readConvolution(settings, axes);
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    const Extent output_padding = readExtent(settings, "output_padding", axes, {-1, -1, -1}), input = extentOf(info.input_shape);
    Extent output{1, 1, 1};
    for (std::size_t axis = firstAxis(axes); axis < output.size(); ++axis) {
        if (output_padding[axis] >= window.strides[axis]) {
            return ShapeFault{"output_padding", "expected less than the strides (" + std::to_string(window.strides[axis]) + "), got " +
                                                    std::to_string(output_padding[axis])};
        }
        const std::int64_t extent = (window.size[axis] - 1) * window.dilation[axis] + 1;
        output[axis] = transposedOutput(input[axis], extent, window.strides[axis], window.padding, output_padding[axis]);
        if (output[axis] <= 0) {
            const char* least = axes == Axes::kSequence ? "expected an output of at least one step (the input is "
                                                        : "expected an output of at least one row and column (the input is ";
            return ShapeFault{"output_padding", least + batchShapeText(info.input_shape) + "), got " + std::to_string(output[axis])};
        }
    }
    info.output_shape = shapeOf(axes, output, filters);
    Shape kernel = shapeOf(axes, window.size, filters);
    kernel.push_back(channels);
    info.variables.push_back({layer.name + "/kernel", kernel});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {filters}});
    }
    info.multiply_adds = cellsOf(input) * channels * filters * cellsOf(window.size);
    return std::nullopt;
}

template <Axes axes>
LayerDefinition defineTransposed(const char* class_name, int place) {
    FieldSchema size = windowField(axes, "kernel_size", windowHint(axes));
    size.required = true;
    FieldSchema output_padding = windowField(axes, "output_padding",
                                             axes == Axes::kVolume  ? "Planes, rows and columns added at the end; empty: by the strides"
                                             : axes == Axes::kImage ? "Rows and columns added at the end; empty: by the strides"
                                                                    : "Steps added at the end; empty: by the strides");
    output_padding.minimum = 0;
    FieldSchema padding = paddingField();
    padding.hint = "valid: all that the windows reach; same: cut so that the size is input times stride";
    return {.schema = {class_name, LayerCategory::kLayer,
                       withWeightFields(
                           {filtersField(), size, stridesField(axes), padding, output_padding, dataFormatField(), dilationField(axes)})},
            .infer = inferTransposedConvolution<axes>,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> transposedConvolutionLayers() {
    return {defineTransposed<Axes::kSequence>("Conv1DTranspose", 62), defineTransposed<Axes::kImage>("Conv2DTranspose", 60),
            defineTransposed<Axes::kVolume>("Conv3DTranspose", 64)};
}

}  // namespace engine::spec::layers
