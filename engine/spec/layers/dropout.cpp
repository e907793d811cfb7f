// Dropout: while training each value is kept with probability 1 - rate and scaled by 1 / (1 - rate); else y = x.
#include "engine/spec/layers/layer_definition.h"

namespace engine::spec::layers {

LayerDefinition defineDropout() {
    return {.schema = {"Dropout",
                       LayerCategory::kDropout,
                       {{.name = "rate",
                         .kind = FieldKind::kDouble,
                         .required = true,
                         .minimum = 0,
                         .maximum = 1,
                         .hint = "Share of the inputs set to zero while training"},
                        {.name = "seed", .kind = FieldKind::kInt, .hint = "Random numbers of its own; empty: from the run's seed"}}},
            .infer = [](const LayerSpec&, LayerInfo& info) -> std::optional<ShapeFault> {
                info.output_shape = info.input_shape;
                return std::nullopt;
            }};
}

}  // namespace engine::spec::layers
