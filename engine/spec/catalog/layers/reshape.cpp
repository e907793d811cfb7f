// Reshape: the same values in C order under another shape; one size may be -1, the rest.
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

constexpr std::int64_t kRest = -1;

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    std::int64_t values = 1;
    for (std::int64_t size : info.input_shape) values *= size;
    Shape target = layer.config.getInts("target_shape", {});
    const auto fault = [&] {
        return ShapeFault{"target_shape", "expected sizes whose product is " + std::to_string(values) + " (the input is " +
                                              batchShapeText(info.input_shape) + "), one of them -1 for the rest at most, got " +
                                              valueText(target)};
    };
    std::int64_t known = 1;
    std::int64_t* rest = nullptr;
    for (std::int64_t& size : target) {
        if (size == 0 || (size == kRest && rest != nullptr)) return fault();
        if (size == kRest) {
            rest = &size;
        } else if (size > values / known || values % (known *= size) != 0) {
            return fault();
        }
    }
    if (rest == nullptr && known != values) return fault();
    if (rest != nullptr) *rest = values / known;
    info.output_shape = target;
    return std::nullopt;
}

}  // namespace

LayerDefinition defineReshape() {
    return {.schema = {"Reshape",
                       LayerCategory::kShape,
                       {{.name = "target_shape",
                         .kind = FieldKind::kIntList,
                         .required = true,
                         .minimum = kRest,
                         .maximum = 1e12,
                         .hint = "Sizes without the batch; one may be -1, the rest"}}},
            .infer = infer};
}

}  // namespace engine::spec::layers
