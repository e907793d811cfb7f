// RepeatVector: (features) to (n, features).
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (info.input_shape.size() != 1) {
        return ShapeFault{"", "expected input rank 2 (batch and features), got " + batchShapeText(info.input_shape)};
    }
    info.output_shape = {settingsOf(layer).getInt("n"), info.input_shape.front()};
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> repeatVectorLayers() {
    FieldSchema n = sizeField("n", 1, "How often the input is repeated");
    n.fallback = std::monostate{};
    n.required = true;
    return {{.schema = {"RepeatVector", LayerCategory::kShape, {n}}, .infer = infer, .place = 180, .is_distributable = true}};
}

}  // namespace engine::spec::layers
