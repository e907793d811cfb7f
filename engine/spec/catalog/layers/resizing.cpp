// Resizing: images of another size. CenterCrop: the middle of an image; of one that is too small the largest part with the wanted
// proportions, resized. RandomCrop: any part while training, as large as the result, else what CenterCrop makes of a small image.
#include <string>

#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferResizing(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    const Settings settings = settingsOf(layer);
    if (layer.class_name == "Resizing") {
        if (settings.getBool("antialias")) return ShapeFault{"antialias", "expected false (not supported), got true"};
        if (settings.getBool("crop_to_aspect_ratio") && settings.getBool("pad_to_aspect_ratio")) {
            return ShapeFault{"pad_to_aspect_ratio", "expected false with crop_to_aspect_ratio, got true"};
        }
    }
    info.output_shape = {settings.getInt("height"), settings.getInt("width"), info.input_shape.back()};
    return std::nullopt;
}

FieldSchema lengthField(const char* name, const char* hint) {
    return {.name = name, .kind = FieldKind::kInt, .required = true, .minimum = 1, .maximum = kMaximumSize, .hint = hint};
}

FieldSchema flagField(const char* name, const char* hint) {
    return {.name = name, .kind = FieldKind::kBool, .fallback = false, .hint = hint};
}

LayerDefinition defineResizing(const char* class_name, std::vector<FieldSchema> more, int place) {
    std::vector<FieldSchema> fields{lengthField("height", "Rows of the result"), lengthField("width", "Columns of the result")};
    fields.insert(fields.end(), more.begin(), more.end());
    return {
        .schema = {class_name, LayerCategory::kShape, std::move(fields)}, .infer = inferResizing, .place = place, .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> resizingLayers() {
    return {defineResizing(
                "Resizing",
                {{.name = "interpolation",
                  .kind = FieldKind::kChoice,
                  .fallback = "bilinear",
                  .choices = {"bilinear", "nearest"},
                  .hint = "Between cells: straight lines, or the nearest cell"},
                 flagField("crop_to_aspect_ratio", "Cut the image to the result's proportions first"),
                 flagField("pad_to_aspect_ratio", "Pad the image to the result's proportions first"),
                 {.name = "fill_mode", .kind = FieldKind::kChoice, .fallback = "constant", .choices = {"constant"}, .hint = "No effect"},
                 {.name = "fill_value",
                  .kind = FieldKind::kDouble,
                  .fallback = 0.0,
                  .minimum = -1e30,
                  .maximum = 1e30,
                  .hint = "Value of the cells that are added"},
                 flagField("antialias", "Not supported"),
                 dataFormatField()},
                252),
            defineResizing("CenterCrop", {dataFormatField()}, 254), defineResizing("RandomCrop", {seedField(), dataFormatField()}, 256)};
}

}  // namespace engine::spec::layers
