// GaussianNoise: while training y = x + a normal number of mean 0 and deviation stddev; else y = x.
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

LayerDefinition defineGaussianNoise() {
    return {.schema = {"GaussianNoise",
                       LayerCategory::kDropout,
                       {{.name = "stddev",
                         .kind = FieldKind::kDouble,
                         .required = true,
                         .minimum = 0,
                         .maximum = 1e30,
                         .hint = "Standard deviation of what is added while training"},
                        seedField()}},
            .infer = [](const LayerSpec&, LayerInfo& info) -> std::optional<ShapeFault> {
                info.output_shape = info.input_shape;
                return std::nullopt;
            },
            .mask = MaskRule::kPassesOn};
}

}  // namespace engine::spec::layers
