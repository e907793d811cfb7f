// RandAugment and AugMix: while training the images of a batch go through layers that are drawn from the other ones of this folder, by one
// draw for all of them; else y = x. AugMix mixes what several such chains make of an image with the image itself.
#include <string>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/image/image_range.h"
#include "engine/spec/catalog/layers/window_geometry.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferRandomChoices(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    const Settings settings = settingsOf(layer);
    const std::vector<double> factor = settings.getDoubles("factor");
    if (factor.empty() || factor.size() > 2) return ShapeFault{"factor", "expected one or two numbers, got " + valueText(factor)};
    if (auto fault = expectValueRange(settings)) return fault;
    bool mixes_channels = true;  // one of the layers that may be drawn makes gray of them
    settings.read("all_ops", mixes_channels);
    const std::int64_t channels = info.input_shape.back();
    if (mixes_channels && channels != 1 && channels != 3) {
        return ShapeFault{"", "expected an input of 1 or 3 channels, got " + batchShapeText(info.input_shape)};
    }
    info.output_shape = info.input_shape;
    return std::nullopt;
}

FieldSchema choiceCountField(const char* name, std::int64_t fallback, double minimum, double maximum, std::string hint) {
    return {.name = name, .kind = FieldKind::kInt, .fallback = fallback, .minimum = minimum, .maximum = maximum, .hint = std::move(hint)};
}

FieldSchema strengthField(double fallback) {
    return {.name = "factor",
            .kind = FieldKind::kDoubleList,
            .fallback = fallback,
            .minimum = 0,
            .maximum = 1,
            .hint = "Strength of what is drawn: f for 0 to f, or two numbers"};
}

FieldSchema interpolationField() {
    return {.name = "interpolation",
            .kind = FieldKind::kChoice,
            .fallback = "bilinear",
            .choices = {"bilinear", "nearest"},
            .hint = "Between cells: straight lines, or the nearest cell"};
}

LayerDefinition defineChoice(const char* class_name, std::vector<FieldSchema> fields, int place) {
    fields.push_back(interpolationField());
    fields.push_back(seedField());
    fields.push_back(dataFormatField());
    return {.schema = {class_name, LayerCategory::kDropout, std::move(fields)},
            .infer = inferRandomChoices,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> randomChoicesLayers() {
    // What one op mixes, and the seeds that tell places of chains apart, hold that many (engine/plan/layers/image/random_choices.cpp).
    constexpr double kMostOps = 64, kMostChains = 16, kMostDepth = 15;
    return {
        sinceKeras3(defineChoice(
            "RandAugment",
            {valueRangeField(),
             told(choiceCountField("num_ops", 2, 0, kMostOps, "Changes one after the other, each drawn from eleven for the whole batch")),
             told(strengthField(0.5))},
            329)),
        sinceKeras3(
            defineChoice("AugMix",
                         {valueRangeField(),
                          told(choiceCountField("num_chains", 3, 1, kMostChains, "Chains of changes whose results are mixed")),
                          choiceCountField("chain_depth", 3, 0, kMostDepth, "Changes of a chain at most, each drawn for the whole batch"),
                          told(strengthField(0.3)),
                          {.name = "alpha",
                           .kind = FieldKind::kDouble,
                           .fallback = 1.0,
                           .minimum = 1e-6,
                           .maximum = 1e6,
                           .hint = "How evenly chains and the image are mixed; below 1 one of them outweighs the rest"},
                          {.name = "all_ops",
                           .kind = FieldKind::kBool,
                           .fallback = true,
                           .hint = "Draw brightness, contrast, grayness and sharpness, too"}},
                         330))};
}

}  // namespace engine::spec::layers
