// AutoContrast: in each channel of an image the smallest value becomes the low end of the range, the largest the high one, what lies
// between them goes along a straight line; a channel of one value stays as it is. In training and in predictions.
// Equalization: while training, the values of each channel of a batch are spread so that each part of the range has as many of them as can
// be; else y = x.
#include "engine/spec/catalog/layers/image/image_range.h"
#include "engine/spec/catalog/layers/window_geometry.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    if (auto fault = expectValueRange(settingsOf(layer))) return fault;
    info.output_shape = info.input_shape;
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> imageLevelsLayers() {
    return {{.schema = {"AutoContrast", LayerCategory::kNormalization, {valueRangeField()}},
             .infer = infer,
             .place = 378,
             .is_distributable = true},
            {.schema = {"Equalization",
                        LayerCategory::kNormalization,
                        {valueRangeField(),
                         {.name = "bins",
                          .kind = FieldKind::kInt,
                          .fallback = std::int64_t{256},
                          .minimum = 1,
                          .maximum = 65536,
                          .hint = "Parts of the range that values are counted in"}}},
             .infer = infer,
             .place = 379,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
