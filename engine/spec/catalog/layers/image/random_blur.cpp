// Layers that blur or sharpen images while training, each image by numbers of its own; else y = x. The result is held within value_range.
#include <algorithm>
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/image/image_range.h"
#include "engine/spec/catalog/layers/window_geometry.h"

namespace engine::spec::layers {
namespace {

// Each layer has some of the fields.
std::optional<ShapeFault> inferRandomBlur(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    const Settings settings = settingsOf(layer);
    const std::vector<double> factor = settings.getDoubles("factor");
    if (factor.empty() || factor.size() > 2) return ShapeFault{"factor", "expected one or two numbers, got " + valueText(factor)};
    if (layer.class_name == "RandomGaussianBlur") {
        const std::vector<std::int64_t> size = settings.getInts("kernel_size");
        if (std::any_of(size.begin(), size.end(), [](std::int64_t cells) { return cells % 2 == 0; })) {
            return ShapeFault{"kernel_size", "expected one or two odd integers, got " + valueText(size)};
        }
        const std::vector<double> sigma = settings.getDoubles("sigma");
        if (sigma.empty() || sigma.size() > 2 || sigma.front() > 1) {
            return ShapeFault{"sigma", "expected one number of at most 1, or two of which the first is at most 1, got " + valueText(sigma)};
        }
    }
    if (auto fault = expectValueRange(settings)) return fault;
    info.output_shape = info.input_shape;
    return std::nullopt;
}

LayerDefinition defineBlur(const char* class_name, std::vector<FieldSchema> fields, int place) {
    fields.push_back(valueRangeField());
    fields.push_back(dataFormatField());
    fields.push_back(seedField());
    return {.schema = {class_name, LayerCategory::kDropout, std::move(fields)},
            .infer = inferRandomBlur,
            .place = place,
            .is_distributable = true};
}

LayerDefinition defineGaussianBlur() {
    constexpr double kMostCells = 255, kMostDeviation = 1e6;
    return sinceKeras3(defineBlur("RandomGaussianBlur",
                                  {{.name = "factor",
                                    .kind = FieldKind::kDoubleList,
                                    .fallback = 1.0,
                                    .minimum = 0,
                                    .maximum = 1,
                                    .hint = "Share of the images that are blurred: f for 0 to f, or two numbers"},
                                   {.name = "kernel_size",
                                    .kind = FieldKind::kIntPair,
                                    .fallback = std::int64_t{3},
                                    .minimum = 1,
                                    .maximum = kMostCells,
                                    .hint = "Rows and columns of the window, both odd",
                                    .is_told = true},
                                   {.name = "sigma",
                                    .kind = FieldKind::kDoubleList,
                                    .fallback = 1.0,
                                    .minimum = 0,
                                    .maximum = kMostDeviation,
                                    .hint = "How far cells are spread, in cells: f for 0 to f, or two numbers; drawn once a batch",
                                    .is_told = true}},
                                  328));
}

}  // namespace

std::vector<LayerDefinition> randomBlurLayers() {
    return {sinceKeras3(defineBlur("RandomSharpness",
                                   {{.name = "factor",
                                     .kind = FieldKind::kDoubleList,
                                     .required = true,
                                     .minimum = 0,
                                     .maximum = 1,
                                     .hint = "0: blurred, 0.5: as it is, 1: sharpened; f for 0 to f, or two numbers"}},
                                   327)),
            defineGaussianBlur()};
}

}  // namespace engine::spec::layers
