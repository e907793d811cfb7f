// Dense on the last axis: kernel (in, units), bias (units).
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (info.input_shape.empty()) {
        return ShapeFault{"", "expected input rank 2 or more (batch and features), got (None,)"};
    }
    const std::int64_t inputs = info.input_shape.back();
    const std::int64_t units = layer.config.getInt("units", 0);
    info.output_shape = info.input_shape;
    info.output_shape.back() = units;
    info.variables.push_back({layer.name + "/kernel", {inputs, units}});
    if (layer.config.getBool("use_bias", true)) {
        info.variables.push_back({layer.name + "/bias", {units}});
    }
    info.multiply_adds = inputs;
    for (std::int64_t size : info.output_shape) {
        info.multiply_adds *= size;
    }
    return std::nullopt;
}

}  // namespace

LayerDefinition defineDense() {
    return {.schema = {"Dense", LayerCategory::kLayer,
                       withWeightFields({{.name = "units",
                                          .kind = FieldKind::kInt,
                                          .required = true,
                                          .minimum = 1,
                                          .maximum = kMaximumSize,
                                          .hint = "Number of outputs"}})},
            .infer = infer,
            .mask = MaskRule::kPassesOn};
}

}  // namespace engine::spec::layers
