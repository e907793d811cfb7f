// MaxPooling and AveragePooling over (steps, channels), (rows, columns, channels) and (planes, rows, columns, channels). Strides default
// to the pool's size. "same" pads with cells that count neither for the maximum nor for the mean. The adaptive layers have as many windows
// along each axis as their output_size says: window i of n has the cells from floor(i size / n) to before ceil((i + 1) size / n).
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferPooling(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const Settings settings = settingsOf(layer);
    Window window{.padding = settings.getString("padding")};
    window.size = readExtent(settings, "pool_size", axes);
    window.strides = readExtent(settings, "strides", axes, window.size);
    Extent output{};
    if (auto fault = slideWindow(info.input_shape, "pool_size", window, output)) {
        return fault;
    }
    info.output_shape = shapeOf(axes, output, info.input_shape.back());
    return std::nullopt;
}

template <Axes axes>
LayerDefinition definePooling(const char* class_name, int place) {
    FieldSchema size = windowField(axes, "pool_size", windowHint(axes));
    size.fallback = sameForAll(axes, 2);
    return {
        .schema = {class_name,
                   LayerCategory::kPool,
                   {size, windowField(axes, "strides", "Step of the window; empty: the pool's size"), paddingField(), dataFormatField()}},
        .infer = inferPooling<axes>,
        .place = place,
        .is_distributable = true};
}

template <Axes axes>
std::optional<ShapeFault> inferAdaptive(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    info.output_shape = shapeOf(axes, readExtent(settingsOf(layer), "output_size", axes), info.input_shape.back());
    return std::nullopt;
}

template <Axes axes>
LayerDefinition defineAdaptive(const char* class_name, int place) {
    const char* hint = axes == Axes::kVolume  ? "Planes, rows and columns of the result"
                       : axes == Axes::kImage ? "Rows and columns of the result"
                                              : "Steps of the result";
    FieldSchema size = windowField(axes, "output_size", hint);
    size.required = true;
    return {.schema = {class_name, LayerCategory::kPool, {size, dataFormatField()}, kSinceKeras3},
            .infer = inferAdaptive<axes>,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> poolingLayers() {
    return {definePooling<Axes::kSequence>("MaxPooling1D", 90),
            definePooling<Axes::kImage>("MaxPooling2D", 70),
            definePooling<Axes::kVolume>("MaxPooling3D", 102),
            definePooling<Axes::kSequence>("AveragePooling1D", 100),
            definePooling<Axes::kImage>("AveragePooling2D", 80),
            definePooling<Axes::kVolume>("AveragePooling3D", 104),
            defineAdaptive<Axes::kSequence>("AdaptiveMaxPooling1D", 145),
            defineAdaptive<Axes::kImage>("AdaptiveMaxPooling2D", 146),
            defineAdaptive<Axes::kVolume>("AdaptiveMaxPooling3D", 147),
            defineAdaptive<Axes::kSequence>("AdaptiveAveragePooling1D", 148),
            defineAdaptive<Axes::kImage>("AdaptiveAveragePooling2D", 149),
            defineAdaptive<Axes::kVolume>("AdaptiveAveragePooling3D", 149)};
}

}  // namespace engine::spec::layers
