// Identity: y = x. ActivityRegularization: y = x, and l1 |x| + l2 x^2 of all values is added to the loss.
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferIdentity(const LayerSpec&, LayerInfo& info) {
    info.output_shape = info.input_shape;
    return std::nullopt;
}

FieldSchema factorField(const char* name, const char* hint) {
    return {.name = name, .kind = FieldKind::kDouble, .fallback = 0.0, .minimum = 0, .maximum = 1e30, .hint = hint};
}

}  // namespace

std::vector<LayerDefinition> identityLayers() {
    return {{.schema = {"Identity", LayerCategory::kShape, {}},
             .infer = inferIdentity,
             .mask = MaskRule::kPassesOn,
             .place = 252,
             .is_distributable = true},
            {.schema = {"ActivityRegularization",
                        LayerCategory::kDropout,
                        {factorField("l1", "Times the sum of the sizes of all values, added to the loss"),
                         factorField("l2", "Times the sum of the squares of all values, added to the loss")}},
             .infer = inferIdentity,
             .mask = MaskRule::kPassesOn,
             .place = 296}};
}

}  // namespace engine::spec::layers
