// Conv2D over (rows, columns, channels): kernel (kh, kw, channels / groups, filters), bias (filters). Conv1D over (steps, channels): kernel
// (k, channels / groups, filters); causal padding looks at no later step. Conv3D over (planes, rows, columns, channels): kernel
// (kd, kh, kw, channels / groups, filters).
// Multiply-adds of a sample: cells of the output * filters * cells of the window * channels / groups.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferConvolution(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const Settings settings = settingsOf(layer);
    const std::int64_t filters = settings.getInt("filters");
    const std::int64_t groups = settings.getInt("groups");
    const std::int64_t channels = info.input_shape.back();
    const Window window = readConvolution(settings, axes);
    if (filters % groups != 0 || channels % groups != 0) {
        return ShapeFault{"groups", "expected a divisor of " + std::to_string(filters) + " filters and of " + std::to_string(channels) +
                                        " input channels, got " + std::to_string(groups)};
    }
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    Extent output{};
    if (auto fault = slideWindow(info.input_shape, "kernel_size", window, output)) {
        return fault;
    }
    info.output_shape = shapeOf(axes, output, filters);
    Shape kernel = shapeOf(axes, window.size, channels / groups);
    kernel.push_back(filters);
    info.variables.push_back({layer.name + "/kernel", kernel});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {filters}});
    }
    info.multiply_adds = cellsOf(output) * filters * cellsOf(window.size) * (channels / groups);
    return std::nullopt;
}

std::vector<FieldSchema> fieldsOf(Axes axes) {
    FieldSchema size = windowField(axes, "kernel_size", windowHint(axes));
    size.required = true;
    FieldSchema padding = paddingField();
    if (axes == Axes::kSequence) {
        padding.choices.emplace_back("causal");
        padding.hint += "; causal: pad before alone";
    }
    return withWeightFields({filtersField(), size, stridesField(axes), padding, dataFormatField(), dilationField(axes),
                             sizeField("groups", 1, "Parts into which the channels are split")});
}

template <Axes axes>
LayerDefinition defineConvolution(const char* class_name, int place) {
    return {.schema = {class_name, LayerCategory::kLayer, fieldsOf(axes)},
            .infer = inferConvolution<axes>,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> convolutionLayers() {
    return {defineConvolution<Axes::kSequence>("Conv1D", 30), defineConvolution<Axes::kImage>("Conv2D", 10),
            defineConvolution<Axes::kVolume>("Conv3D", 32)};
}

}  // namespace engine::spec::layers
