// AutoContrast: in each channel of an image the smallest value becomes the low end of the range, the largest the high one, what lies
// between them goes along a straight line; a channel of one value stays as it is. In training and in predictions.
#include "engine/spec/catalog/layers/image_range.h"
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

std::vector<LayerDefinition> autoContrastLayers() {
    return {{.schema = {"AutoContrast", LayerCategory::kNormalization, {valueRangeField()}},
             .infer = infer,
             .place = 378,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
