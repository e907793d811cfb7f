// Conv2D over (rows, columns, channels): kernel (kh, kw, channels / groups, filters), bias (filters). Conv1D over (steps, channels): kernel
// (k, channels / groups, filters); causal padding looks at no later step.
// Multiply-adds of a sample: rows_out * columns_out * filters * kh * kw * channels / groups.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const Fields& config = layer.config;
    const std::int64_t filters = config.getInt("filters", 0);
    const std::int64_t groups = config.getInt("groups", 1);
    const std::int64_t channels = info.input_shape.back();
    const Window window = readConvolution(config, axes);
    if (filters % groups != 0 || channels % groups != 0) {
        return ShapeFault{"groups", "expected a divisor of " + std::to_string(filters) + " filters and of " + std::to_string(channels) +
                                        " input channels, got " + std::to_string(groups)};
    }
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    Pair output{};
    if (auto fault = slideWindow(info.input_shape, "kernel_size", window, output)) {
        return fault;
    }
    info.output_shape = shapeOf(axes, output, filters);
    Shape kernel = shapeOf(axes, window.size, channels / groups);
    kernel.push_back(filters);
    info.variables.push_back({layer.name + "/kernel", kernel});
    if (config.getBool("use_bias", true)) {
        info.variables.push_back({layer.name + "/bias", {filters}});
    }
    info.multiply_adds = output[0] * output[1] * filters * window.size[0] * window.size[1] * (channels / groups);
    return std::nullopt;
}

std::vector<FieldSchema> fieldsOf(Axes axes) {
    FieldSchema size = windowField(axes, "kernel_size", axes == Axes::kImage ? "Rows and columns of the window" : "Steps of the window");
    size.required = true;
    FieldSchema padding = paddingField();
    if (axes == Axes::kSequence) {
        padding.choices.emplace_back("causal");
        padding.hint += "; causal: pad before alone";
    }
    return withWeightFields({filtersField(), size, stridesField(axes), padding, dilationField(axes),
                             sizeField("groups", 1, "Parts into which the channels are split")});
}

}  // namespace

LayerDefinition defineConv1D() {
    return {.schema = {"Conv1D", LayerCategory::kLayer, fieldsOf(Axes::kSequence)}, .infer = infer<Axes::kSequence>};
}

LayerDefinition defineConv2D() {
    return {.schema = {"Conv2D", LayerCategory::kLayer, fieldsOf(Axes::kImage)}, .infer = infer<Axes::kImage>};
}

}  // namespace engine::spec::layers
