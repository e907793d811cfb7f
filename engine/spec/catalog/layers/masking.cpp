// Masking: the places of a sequence whose features all are mask_value do not count: their values become 0, and the output carries a mask of
// all axes but the last. Same shape.
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferMasking(const LayerSpec&, LayerInfo& info) {
    if (info.input_shape.empty()) {
        return ShapeFault{"", "expected input rank 2 or more (batch and features), got rank 1"};
    }
    info.output_shape = info.input_shape;
    info.output_mask = Shape(info.input_shape.begin(), info.input_shape.end() - 1);
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> maskingLayers() {
    return {{.schema = {"Masking",
                        LayerCategory::kLayer,
                        {{.name = "mask_value",
                          .kind = FieldKind::kDouble,
                          .fallback = 0.0,
                          .hint = "Steps whose features all have this value do not count",
                          .is_told = true}}},
             .infer = inferMasking,
             .mask = MaskRule::kOwn,
             .place = 450}};
}

}  // namespace engine::spec::layers
