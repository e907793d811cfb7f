// GaussianDropout: while training y = x times a normal number of mean 1 and deviation sqrt(rate / (1 - rate)); else y = x.
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {

std::vector<LayerDefinition> gaussianDropoutLayers() {
    return {{.schema = {"GaussianDropout",
                        LayerCategory::kDropout,
                        {{.name = "rate",
                          .kind = FieldKind::kDouble,
                          .required = true,
                          .minimum = 0,
                          .maximum = 1,
                          .hint = "Inputs times normal numbers of mean 1 and deviation sqrt(rate / (1 - rate)) while training"},
                         seedField()}},
             // Keras takes a rate of 1 and divides by zero in the first step.
             .infer = [](const LayerSpec& layer, LayerInfo& info) -> std::optional<ShapeFault> {
                 const double rate = settingsOf(layer).getDouble("rate");
                 if (rate >= 1) return ShapeFault{"rate", "expected less than 1, got " + valueText(rate)};
                 info.output_shape = info.input_shape;
                 return std::nullopt;
             },
             .mask = MaskRule::kPassesOn,
             .place = 295,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
