// Rescaling: y = scale x + offset.
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

LayerDefinition defineRescaling() {
    constexpr double kLargest = 1e30;  // of a float32, with room
    return {.schema = {"Rescaling",
                       LayerCategory::kShape,
                       {{.name = "scale",
                         .kind = FieldKind::kDouble,
                         .required = true,
                         .minimum = -kLargest,
                         .maximum = kLargest,
                         .hint = "Factor of every value"},
                        {.name = "offset",
                         .kind = FieldKind::kDouble,
                         .fallback = 0.0,
                         .minimum = -kLargest,
                         .maximum = kLargest,
                         .hint = "Added to every value"}}},
            .infer = [](const LayerSpec&, LayerInfo& info) -> std::optional<ShapeFault> {
                info.output_shape = info.input_shape;
                return std::nullopt;
            },
            .mask = MaskRule::kPassesOn};
}

}  // namespace engine::spec::layers
