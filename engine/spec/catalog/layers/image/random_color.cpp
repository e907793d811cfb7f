// Layers that change the colours of images while training, each image by numbers of its own, drawn evenly from ranges; else y = x. A field
// stands for two numbers, or one number f for what lies between f and its opposite, as far as the layer takes it.
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/image/image_range.h"
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

const FieldValue* findGiven(const LayerSpec& layer, const std::string& field) {
    const FieldValue* given = layer.config.find(field);
    return given == nullptr || std::holds_alternative<std::monostate>(*given) ? nullptr : given;
}

std::optional<ShapeFault> inferColors(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    for (const FieldSchema& row : findLayerDefinition(layer.class_name)->schema.fields) {
        if (row.kind != FieldKind::kDoubleList || findGiven(layer, row.name) == nullptr) continue;
        if (row.name == "value_range") {
            if (auto fault = expectValueRange(settingsOf(layer))) return fault;
            continue;
        }
        const std::vector<double> values = settingsOf(layer).getDoubles(row.name);
        if (values.empty() || values.size() > 2) return ShapeFault{row.name, "expected one or two numbers, got " + valueText(values)};
    }
    info.output_shape = info.input_shape;
    return std::nullopt;
}

std::optional<ShapeFault> channelFault(const char* expected, const Shape& input) {
    return ShapeFault{"", std::string("expected an input of ") + expected + ", got " + batchShapeText(input)};
}

// The same of layers that make something of red, green and blue.
std::optional<ShapeFault> inferThreeChannels(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = inferColors(layer, info)) return fault;
    return info.input_shape.back() == 3 ? std::nullopt : channelFault("3 channels", info.input_shape);
}
std::optional<ShapeFault> inferGrayscale(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = inferColors(layer, info)) return fault;
    const std::int64_t channels = info.input_shape.back();
    return channels == 1 || channels == 3 ? std::nullopt : channelFault("1 or 3 channels", info.input_shape);
}
std::optional<ShapeFault> inferJitter(const LayerSpec& layer, LayerInfo& info) {
    const bool mixes = findGiven(layer, "saturation_factor") != nullptr || findGiven(layer, "hue_factor") != nullptr;
    return mixes ? inferThreeChannels(layer, info) : inferColors(layer, info);
}

FieldSchema factorField(const char* name, double minimum, double maximum, std::string hint) {
    return {
        .name = name, .kind = FieldKind::kDoubleList, .required = true, .minimum = minimum, .maximum = maximum, .hint = std::move(hint)};
}
// One that may be left out.
FieldSchema factorField(const char* name, double minimum, double maximum, FieldValue fallback, std::string hint) {
    FieldSchema field = factorField(name, minimum, maximum, std::move(hint));
    field.fallback = std::move(fallback);
    field.required = false;
    return field;
}

// With the seed, and data_format behind it but where the fields have that already.
LayerDefinition defineColor(const char* class_name, std::vector<FieldSchema> fields, int place, ShapeRule infer = inferColors) {
    const bool has_format = fields.back().name == dataFormatField().name;
    fields.push_back(seedField());
    if (!has_format) fields.push_back(dataFormatField());
    return {.schema = {class_name, LayerCategory::kDropout, std::move(fields)}, .infer = infer, .place = place, .is_distributable = true};
}

LayerDefinition defineJitter() {
    return sinceKeras3(
        defineColor("RandomColorJitter",
                    {valueRangeField(), factorField("brightness_factor", -1, 1, {}, "As RandomBrightness has it; empty: as it is"),
                     factorField("contrast_factor", 0, 1, {}, "As RandomContrast has it; empty: as it is"),
                     factorField("saturation_factor", -1, 1, {}, "As RandomSaturation has it; empty: as it is"),
                     factorField("hue_factor", 0, 1, {}, "As RandomHue has it; empty: as it is")},
                    326, inferJitter));
}

}  // namespace

std::vector<LayerDefinition> randomColorLayers() {
    return {
        defineColor("RandomBrightness",
                    {factorField("factor", -1, 1, "Parts of value_range that are added: f for -f to f, or two numbers"), valueRangeField()},
                    316),
        defineColor("RandomContrast",
                    {factorField("factor", 0, 1, "Parts of the contrast lost at most and gained at most; one number: the gain alone"),
                     valueRangeField()},
                    317),
        sinceKeras3(defineColor("RandomSaturation",
                                {factorField("factor", -1, 1, "0: gray, 0.5: as it is, 1: full colours; f for -f to f, or two numbers"),
                                 valueRangeField(), dataFormatField()},
                                318, inferThreeChannels)),
        sinceKeras3(defineColor("RandomHue",
                                {factorField("factor", 0, 1, "Parts of half a turn of the hue, either way: f for 0 to f, or two numbers"),
                                 valueRangeField(), dataFormatField()},
                                319, inferThreeChannels)),
        sinceKeras3(defineColor("RandomGrayscale",
                                {{.name = "factor",
                                  .kind = FieldKind::kDouble,
                                  .fallback = 0.5,
                                  .minimum = 0,
                                  .maximum = 1,
                                  .hint = "Share of the images that become gray",
                                  .is_told = true},
                                 dataFormatField()},
                                320, inferGrayscale)),
        sinceKeras3(defineColor(
            "RandomColorDegeneration",
            {factorField("factor", -1, 1, "Parts of the way to gray: f for -f to f, or two numbers"), valueRangeField(), dataFormatField()},
            321, inferThreeChannels)),
        sinceKeras3(
            defineColor("RandomInvert",
                        {told(factorField("factor", 0, 1, 1.0, "Share of the images that are inverted: f for 0 to f, or two numbers")),
                         valueRangeField()},
                        322)),
        sinceKeras3(defineColor(
            "Solarization",
            {told(factorField("addition_factor", 0, 1, 0.0, "Parts of value_range that are added first: f for 0 to f, or two numbers")),
             told(factorField("threshold_factor", 0, 1, 0.0,
                              "Parts of value_range from where on values are inverted: f for 0 to f, or two numbers")),
             valueRangeField()},
            323)),
        sinceKeras3(defineColor("RandomPosterization",
                                {{.name = "factor",
                                  .kind = FieldKind::kIntPair,
                                  .required = true,
                                  .minimum = 1,
                                  .maximum = 8,
                                  .hint = "Bits that are kept of a value's 8: n for 1 to n, or two; the larger one is never drawn"},
                                 valueRangeField(),
                                 dataFormatField()},
                                324)),
        defineJitter(),
    };
}

}  // namespace engine::spec::layers
