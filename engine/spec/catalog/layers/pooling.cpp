// MaxPooling2D and AveragePooling2D over (rows, columns, channels), MaxPooling1D and AveragePooling1D over (steps, channels). Strides
// default to the pool's size. "same" pads with cells that count neither for the maximum nor for the mean.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    Window window{.padding = layer.config.getString("padding", "valid")};
    window.size = readPair(layer.config, "pool_size", {2, 2}, axes);
    window.strides = readPair(layer.config, "strides", window.size, axes);
    Pair output{};
    if (auto fault = slideWindow(info.input_shape, "pool_size", window, output)) {
        return fault;
    }
    info.output_shape = shapeOf(axes, output, info.input_shape.back());
    return std::nullopt;
}

template <Axes axes>
LayerDefinition definePooling(const char* class_name) {
    constexpr bool kImages = axes == Axes::kImage;
    FieldSchema size = windowField(axes, "pool_size", kImages ? "Rows and columns of the window" : "Steps of the window");
    size.fallback = kImages ? FieldValue(std::vector<std::int64_t>{2, 2}) : FieldValue(std::int64_t{2});
    return {.schema = {class_name,
                       LayerCategory::kPool,
                       {size, windowField(axes, "strides", "Step of the window; empty: the pool's size"), paddingField()}},
            .infer = infer<axes>};
}

}  // namespace

LayerDefinition defineMaxPooling1D() {
    return definePooling<Axes::kSequence>("MaxPooling1D");
}
LayerDefinition defineMaxPooling2D() {
    return definePooling<Axes::kImage>("MaxPooling2D");
}
LayerDefinition defineAveragePooling1D() {
    return definePooling<Axes::kSequence>("AveragePooling1D");
}
LayerDefinition defineAveragePooling2D() {
    return definePooling<Axes::kImage>("AveragePooling2D");
}

}  // namespace engine::spec::layers
