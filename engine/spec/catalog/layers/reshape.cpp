// Flatten: every axis but the batch becomes one, C order. Reshape: the same values under another shape; one size may be -1, the rest.
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

constexpr std::int64_t kRest = -1;

std::int64_t valuesOf(const Shape& shape) {
    std::int64_t values = 1;
    for (const std::int64_t size : shape) values *= size;
    return values;
}

std::optional<ShapeFault> inferFlatten(const LayerSpec&, LayerInfo& info) {
    info.output_shape = {valuesOf(info.input_shape)};
    return std::nullopt;
}

std::optional<ShapeFault> inferReshape(const LayerSpec& layer, LayerInfo& info) {
    const std::int64_t values = valuesOf(info.input_shape);
    Shape target = settingsOf(layer).getInts("target_shape");
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

std::vector<LayerDefinition> reshapeLayers() {
    const auto keeps_ids = [](const LayerSpec&) { return true; };
    return {{.schema = {"Flatten", LayerCategory::kShape, {dataFormatField()}},
             .infer = inferFlatten,
             .place = 150,
             .is_distributable = true,
             .keeps_ids = keeps_ids},
            {.schema = {"Reshape",
                        LayerCategory::kShape,
                        {{.name = "target_shape",
                          .kind = FieldKind::kIntList,
                          .required = true,
                          .minimum = kRest,
                          .maximum = 1e12,
                          .hint = "Sizes without the batch; one may be -1, the rest"}}},
             .infer = inferReshape,
             .place = 160,
             .is_distributable = true,
             .keeps_ids = keeps_ids}};
}

}  // namespace engine::spec::layers
