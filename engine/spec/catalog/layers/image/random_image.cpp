// RandomFlip, RandomRotation, RandomZoom, RandomTranslation, RandomShear and RandomPerspective: while training every image is turned by
// numbers of its own, drawn evenly from ranges: a field f stands for -f to f, two numbers for what lies between them; else y = x.
#include <algorithm>
#include <string>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

// One number or two; with `above_minus_one` the least is not allowed: a zoom to nothing.
std::optional<ShapeFault> checkRange(const LayerSpec& layer, const char* field, bool above_minus_one) {
    if (const FieldValue* given = layer.config.find(field); given == nullptr || std::holds_alternative<std::monostate>(*given))
        return std::nullopt;
    const std::vector<double> values = settingsOf(layer).getDoubles(field);
    const bool degenerate = std::any_of(values.begin(), values.end(), [](double value) { return value <= -1; });
    if (!values.empty() && values.size() <= 2 && !(above_minus_one && degenerate)) return std::nullopt;
    return ShapeFault{field,
                      std::string("expected one or two numbers") + (above_minus_one ? " above -1" : "") + ", got " + valueText(values)};
}

std::optional<ShapeFault> inferRandomImage(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    for (const char* field : {"factor", "height_factor", "width_factor", "x_factor", "y_factor"}) {
        if (auto fault = checkRange(layer, field, layer.class_name == "RandomZoom")) return fault;
    }
    info.output_shape = info.input_shape;
    return std::nullopt;
}

FieldSchema rangeField(const char* name, std::string hint) {
    return {.name = name, .kind = FieldKind::kDoubleList, .required = true, .minimum = -1, .maximum = 1, .hint = std::move(hint)};
}

// The rows of all layers that move the cells of an image.
std::vector<FieldSchema> withSampling(std::vector<FieldSchema> fields) {
    fields.push_back({.name = "fill_mode",
                      .kind = FieldKind::kChoice,
                      .fallback = "reflect",
                      .choices = {"reflect", "constant", "wrap", "nearest"},
                      .hint = "What lies beyond the image: its mirror image, fill_value, the image again, or its border"});
    fields.push_back({.name = "interpolation",
                      .kind = FieldKind::kChoice,
                      .fallback = "bilinear",
                      .choices = {"bilinear", "nearest"},
                      .hint = "Between cells: straight lines, or the nearest cell"});
    fields.push_back(seedField());
    fields.push_back({.name = "fill_value",
                      .kind = FieldKind::kDouble,
                      .fallback = 0.0,
                      .minimum = -1e30,
                      .maximum = 1e30,
                      .hint = "Value beyond the image with fill_mode constant"});
    fields.push_back(dataFormatField());
    return fields;
}

LayerDefinition defineRandomFlip() {
    return {.schema = {"RandomFlip",
                       LayerCategory::kDropout,
                       {{.name = "mode",
                         .kind = FieldKind::kChoice,
                         .fallback = "horizontal_and_vertical",
                         .choices = {"horizontal", "vertical", "horizontal_and_vertical"},
                         .hint = "Which way half of the images are mirrored",
                         .is_told = true},
                        seedField(),
                        dataFormatField()}},
            .infer = inferRandomImage,
            .place = 300,
            .is_distributable = true};
}

LayerDefinition defineRandomRotation() {
    return {.schema = {"RandomRotation", LayerCategory::kDropout,
                       withSampling({rangeField("factor", "Parts of a full turn: f for -f to f, or two; positive: against the clock")})},
            .infer = inferRandomImage,
            .place = 302,
            .is_distributable = true};
}

LayerDefinition defineRandomZoom() {
    FieldSchema width = rangeField("width_factor", "The same of the width; empty: as the height");
    width.required = false;
    return {.schema = {"RandomZoom", LayerCategory::kDropout,
                       withSampling(
                           {rangeField("height_factor", "Parts of the height: f for -f to f, or two; positive: farther away"), width})},
            .infer = inferRandomImage,
            .place = 304,
            .is_distributable = true};
}

LayerDefinition defineRandomTranslation() {
    return {.schema = {"RandomTranslation", LayerCategory::kDropout,
                       withSampling({rangeField("height_factor", "Parts of the height: f for -f to f, or two; positive: down"),
                                     rangeField("width_factor", "Parts of the width: f for -f to f, or two; positive: right")})},
            .infer = inferRandomImage,
            .place = 306,
            .is_distributable = true};
}

FieldSchema shearField(const char* name, std::string hint) {
    return told({.name = name, .kind = FieldKind::kDoubleList, .fallback = 0.0, .minimum = 0, .maximum = 1, .hint = std::move(hint)});
}

LayerDefinition defineRandomShear() {
    std::vector<FieldSchema> fields =
        withSampling({shearField("x_factor", "Columns that a row is moved against the one before: f for -f to f, or two, either way"),
                      shearField("y_factor", "Rows that a column is moved against the one before: f for -f to f, or two, either way")});
    std::swap(fields[2], fields[3]);  // interpolation, fill_mode, fill_value, data_format, seed
    std::rotate(fields.begin() + 4, fields.begin() + 5, fields.end());
    return {.schema = {"RandomShear", LayerCategory::kDropout, std::move(fields), kSinceKeras3},
            .infer = inferRandomImage,
            .place = 308,
            .is_distributable = true};
}

LayerDefinition defineRandomPerspective() {
    std::vector<FieldSchema> fields = withSampling({{.name = "factor",
                                                     .kind = FieldKind::kDoubleList,
                                                     .fallback = 1.0,
                                                     .minimum = 0,
                                                     .maximum = 1,
                                                     .hint = "Share of the images that are changed: f for 0 to f, or two numbers",
                                                     .is_told = true},
                                                    {.name = "scale",
                                                     .kind = FieldKind::kDouble,
                                                     .fallback = 1.0,
                                                     .minimum = 0,
                                                     .maximum = 1,
                                                     .hint = "Half of it is how far corners move, in parts of their coordinates",
                                                     .is_told = true}});
    fields.erase(fields.begin() + 2);  // what lies beyond the image is fill_value
    std::swap(fields[3], fields[4]);   // fill_value, seed, data_format
    fields[3].hint = "Value beyond the image";
    return {.schema = {"RandomPerspective", LayerCategory::kDropout, std::move(fields), kSinceKeras3},
            .infer = inferRandomImage,
            .place = 310,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> randomImageLayers() {
    return {defineRandomFlip(),        defineRandomRotation(), defineRandomZoom(),
            defineRandomTranslation(), defineRandomShear(),    defineRandomPerspective()};
}

}  // namespace engine::spec::layers
