// Dense on the last axis: kernel (in, units), bias (units).
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (info.input_shape.empty()) {
        return ShapeFault{"", "expected input rank 2 or more (batch and features), got (None,)"};
    }
    const std::int64_t inputs = info.input_shape.back();
    const std::int64_t units = settings.getInt("units");
    info.output_shape = info.input_shape;
    info.output_shape.back() = units;
    info.variables.push_back({layer.name + "/kernel", {inputs, units}});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {units}});
    }
    info.multiply_adds = inputs;
    for (std::int64_t size : info.output_shape) {
        info.multiply_adds *= size;
    }
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> denseLayers() {
    return {{.schema = {"Dense", LayerCategory::kLayer,
                        withWeightFields({{.name = "units",
                                           .kind = FieldKind::kInt,
                                           .required = true,
                                           .minimum = 1,
                                           .maximum = kMaximumSize,
                                           .hint = "Number of outputs"}})},
             .infer = infer,
             .mask = MaskRule::kPassesOn,
             .place = 20,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
