// RepeatVector: (features) to (n, features).
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (info.input_shape.size() != 1) {
        return ShapeFault{"", "expected input rank 2 (batch and features), got " + batchShapeText(info.input_shape)};
    }
    info.output_shape = {layer.config.getInt("n", 1), info.input_shape.front()};
    return std::nullopt;
}

}  // namespace

LayerDefinition defineRepeatVector() {
    FieldSchema n = sizeField("n", 1, "How often the input is repeated");
    n.fallback = std::monostate{};
    n.required = true;
    return {.schema = {"RepeatVector", LayerCategory::kShape, {n}}, .infer = infer};
}

}  // namespace engine::spec::layers
