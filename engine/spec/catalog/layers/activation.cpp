// Activation: y = f(x), same shape.
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

LayerDefinition defineActivation() {
    FieldSchema activation = activationField();
    activation.fallback = std::monostate{};
    activation.required = true;
    return {.schema = {"Activation", LayerCategory::kActivation, {activation}},
            .infer = [](const LayerSpec&, LayerInfo& info) -> std::optional<ShapeFault> {
                info.output_shape = info.input_shape;
                return std::nullopt;
            },
            .mask = MaskRule::kPassesOn};
}

}  // namespace engine::spec::layers
