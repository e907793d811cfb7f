// GlobalMaxPooling and GlobalAveragePooling: the maximum or mean over all steps (1D), rows and columns (2D), or planes, rows and columns
// (3D): (channels), or with keepdims the same axes of size 1. GlobalAveragePooling1D takes the mean over the steps that a mask leaves.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferGlobalPooling(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const std::int64_t channels = info.input_shape.back();
    info.output_shape = settingsOf(layer).getBool("keepdims") ? shapeOf(axes, {1, 1, 1}, channels) : Shape{channels};
    return std::nullopt;
}

template <Axes axes>
LayerDefinition defineGlobalPooling(const char* class_name, int place) {
    return {.schema = {class_name,
                       LayerCategory::kPool,
                       {dataFormatField(),
                        {.name = "keepdims", .kind = FieldKind::kBool, .fallback = false, .hint = "Keep the axes, with size 1"}}},
            .infer = inferGlobalPooling<axes>,
            .place = place,
            .is_distributable = true};
}

LayerDefinition defineGlobalAveragePooling1D() {
    LayerDefinition definition = defineGlobalPooling<Axes::kSequence>("GlobalAveragePooling1D", 140);
    definition.infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
        if (auto fault = inferGlobalPooling<Axes::kSequence>(layer, info)) return fault;
        return expectMask(info, {info.input_shape.front()});
    };
    return definition;
}
}  // namespace

std::vector<LayerDefinition> globalPoolingLayers() {
    return {defineGlobalPooling<Axes::kSequence>("GlobalMaxPooling1D", 130),
            defineGlobalPooling<Axes::kImage>("GlobalMaxPooling2D", 110),
            defineGlobalPooling<Axes::kVolume>("GlobalMaxPooling3D", 142),
            defineGlobalAveragePooling1D(),
            defineGlobalPooling<Axes::kImage>("GlobalAveragePooling2D", 120),
            defineGlobalPooling<Axes::kVolume>("GlobalAveragePooling3D", 144)};
}

}  // namespace engine::spec::layers
