// RandomElasticTransform: while training the cells of each image are read elsewhere, by a smooth field of numbers of its own; else y = x.
#include <string>
#include <vector>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/image/image_range.h"
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferRandomElastic(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    const Settings settings = settingsOf(layer);
    const std::vector<double> factor = settings.getDoubles("factor"), scale = settings.getDoubles("scale");
    if (factor.empty() || factor.size() > 2) return ShapeFault{"factor", "expected one or two numbers, got " + valueText(factor)};
    if (scale.empty() || scale.size() > 2 || scale.front() > 1) {
        return ShapeFault{"scale", "expected one number of at most 1, or two of which the first is at most 1, got " + valueText(scale)};
    }
    if (auto fault = expectValueRange(settings)) return fault;
    info.output_shape = info.input_shape;
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> randomElasticLayers() {
    constexpr double kMostScale = 20;  // the field's window is then larger than the image
    return {{.schema = {"RandomElasticTransform",
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
                          .fallback = 1.0,
                          .minimum = 0,
                          .maximum = kMostScale,
                          .hint = "How far and how smoothly cells move: f for 0 to f, or two numbers; drawn once a batch",
                          .is_told = true},
                         {.name = "interpolation",
                          .kind = FieldKind::kChoice,
                          .fallback = "bilinear",
                          .choices = {"bilinear", "nearest"},
                          .hint = "Between cells: straight lines, or the nearest cell"},
                         {.name = "fill_mode",
                          .kind = FieldKind::kChoice,
                          .fallback = "reflect",
                          .choices = {"reflect", "constant", "wrap", "nearest"},
                          .hint = "What lies beyond the image: its mirror image, fill_value, the image again, or its border"},
                         {.name = "fill_value",
                          .kind = FieldKind::kDouble,
                          .fallback = 0.0,
                          .minimum = -1e30,
                          .maximum = 1e30,
                          .hint = "Value beyond the image with fill_mode constant"},
                         valueRangeField(),
                         seedField(),
                         dataFormatField()},
                        kSinceKeras3},
             .infer = inferRandomElastic,
             .place = 312,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
