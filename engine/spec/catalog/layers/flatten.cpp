// Flatten: every axis but the batch becomes one, C order.
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

LayerDefinition defineFlatten() {
    return {.schema = {"Flatten", LayerCategory::kShape, {}}, .infer = [](const LayerSpec&, LayerInfo& info) -> std::optional<ShapeFault> {
                std::int64_t size = 1;
                for (std::int64_t axis : info.input_shape) {
                    size *= axis;
                }
                info.output_shape = {size};
                return std::nullopt;
            }};
}

}  // namespace engine::spec::layers
