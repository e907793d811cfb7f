// AutoContrast: each channel of an image from the low end of the range to its high one, in training and in predictions.
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerAutoContrast(LayerBuilder& builder, TensorId x) {
    const std::vector<double> range = builder.settings().getDoubles("value_range");
    const ImageLevels levels{.map = ImageLevels::Map::kStretch, .low = range[0], .high = range[1]};
    const TensorId y = builder.activation("stretched", builder.shape(x));
    builder.emit({.kind = OpKind::kImageLevels, .inputs = {x}, .outputs = {y}, .attributes = levels});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kImageLevelsBack, .inputs = {dy, x}, .outputs = {dx}, .attributes = levels});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> autoContrastRows() {
    static constexpr LayerRow kRows[] = {
        {"AutoContrast", lowerAutoContrast},
    };
    return kRows;
}

}  // namespace engine::plan
