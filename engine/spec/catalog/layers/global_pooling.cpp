// GlobalMaxPooling and GlobalAveragePooling: the maximum or mean over all rows and columns (2D) or steps (1D): (channels), or with keepdims
// (1, 1, channels) and (1, channels). GlobalAveragePooling1D takes the mean over the steps that a mask leaves.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) {
        return fault;
    }
    const std::int64_t channels = info.input_shape.back();
    info.output_shape = layer.config.getBool("keepdims", false) ? shapeOf(axes, {1, 1}, channels) : Shape{channels};
    return std::nullopt;
}

template <Axes axes>
LayerDefinition defineGlobalPooling(const char* class_name) {
    return {.schema = {class_name,
                       LayerCategory::kPool,
                       {{.name = "keepdims", .kind = FieldKind::kBool, .fallback = false, .hint = "Keep the axes, with size 1"}}},
            .infer = infer<axes>};
}

}  // namespace

LayerDefinition defineGlobalMaxPooling1D() {
    return defineGlobalPooling<Axes::kSequence>("GlobalMaxPooling1D");
}
LayerDefinition defineGlobalMaxPooling2D() {
    return defineGlobalPooling<Axes::kImage>("GlobalMaxPooling2D");
}
LayerDefinition defineGlobalAveragePooling1D() {
    LayerDefinition definition = defineGlobalPooling<Axes::kSequence>("GlobalAveragePooling1D");
    definition.infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
        if (auto fault = infer<Axes::kSequence>(layer, info)) return fault;
        return expectMask(info, {info.input_shape.front()});
    };
    return definition;
}
LayerDefinition defineGlobalAveragePooling2D() {
    return defineGlobalPooling<Axes::kImage>("GlobalAveragePooling2D");
}

}  // namespace engine::spec::layers
