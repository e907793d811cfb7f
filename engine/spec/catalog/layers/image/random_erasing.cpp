// RandomErasing: while training a box of each image, of a place and a size of its own, is filled with noise or a colour; else y = x.
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/image/image_range.h"
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferRandomErasing(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    const Settings settings = settingsOf(layer);
    for (const char* field : {"factor", "scale"}) {
        const std::vector<double> values = settings.getDoubles(field);
        if (values.empty() || values.size() > 2) return ShapeFault{field, "expected one or two numbers, got " + valueText(values)};
    }
    if (auto fault = expectValueRange(settings)) return fault;
    const std::vector<double> fill = settings.getDoubles("fill_value");
    const FieldValue* given = layer.config.find("fill_value");
    const bool is_null = given == nullptr || std::holds_alternative<std::monostate>(*given);
    if ((fill.empty() && !is_null) || fill.size() == 2 || fill.size() > 3 || (fill.size() == 3 && info.input_shape.back() != 3)) {
        return ShapeFault{"fill_value", "expected one number, or three for an input of 3 channels, got " + valueText(fill)};
    }
    info.output_shape = info.input_shape;
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> randomErasingLayers() {
    return {{.schema = {"RandomErasing",
                        LayerCategory::kDropout,
                        {{.name = "factor",
                          .kind = FieldKind::kDoubleList,
                          .fallback = 1.0,
                          .minimum = 0,
                          .maximum = 1,
                          .hint = "Share of the images that are changed: f for 0 to f, or two numbers",
                          .is_told = true},
                         {.name = "scale",
                          .kind = FieldKind::kDoubleList,
                          .fallback = std::vector<double>{0.02, 0.33},
                          .minimum = 0,
                          .maximum = 1,
                          .hint = "Parts of the image that the box takes: f for 0 to f, or two numbers",
                          .is_told = true},
                         {.name = "fill_value",
                          .kind = FieldKind::kDoubleList,
                          .minimum = -1e30,
                          .maximum = 1e30,
                          .hint = "What the box gets: a number, or one for each of 3 channels; empty: noise"},
                         valueRangeField(),
                         seedField(),
                         dataFormatField()},
                        kSinceKeras3},
             .infer = inferRandomErasing,
             .place = 314,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
