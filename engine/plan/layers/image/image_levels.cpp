// AutoContrast: each channel of an image from the low end of the range to its high one, in training and in predictions. Equalization: each
// channel of a batch by its histogram while training; otherwise the identity, without an op.
// ContrastLimitedAdaptiveHistogramEqualization: each tile of an image by its histogram, in training and in predictions.
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerLevels(LayerBuilder& builder, TensorId x, ImageLevels levels) {
    const std::vector<double> range = builder.settings().getDoubles("value_range");
    levels.low = range[0];
    levels.high = range[1];
    const TensorId y = builder.activation("levels", builder.shape(x));
    builder.emit({.kind = OpKind::kImageLevels, .inputs = {x}, .outputs = {y}, .attributes = levels});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kImageLevelsBack, .inputs = {dy, x}, .outputs = {dx}, .attributes = levels});
        return dx;
    });
    return y;
}

TensorId lowerAutoContrast(LayerBuilder& builder, TensorId x) {
    return lowerLevels(builder, x, {.map = ImageLevels::Map::kStretch});
}

TensorId lowerEqualization(LayerBuilder& builder, TensorId x) {
    if (!builder.training()) return x;
    return lowerLevels(builder, x, {.map = ImageLevels::Map::kEqualization, .bins = static_cast<int>(builder.settings().getInt("bins"))});
}

TensorId lowerTiles(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const std::vector<std::int64_t> tiles = settings.getInts("tile_grid_size");
    return lowerLevels(builder, x,
                       {.map = ImageLevels::Map::kAdaptive,
                        .tiles_h = static_cast<int>(tiles.front()),
                        .tiles_w = static_cast<int>(tiles.back()),
                        .limit = settings.getDouble("clip_limit")});
}

}  // namespace

std::span<const LayerRow> imageLevelsRows() {
    static constexpr LayerRow kRows[] = {
        {"AutoContrast", lowerAutoContrast},
        {"Equalization", lowerEqualization},
        {"ContrastLimitedAdaptiveHistogramEqualization", lowerTiles},
    };
    return kRows;
}

}  // namespace engine::plan
