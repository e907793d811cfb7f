// AutoContrast: in each channel of an image the smallest value becomes the low end of the range, the largest the high one, what lies
// between them goes along a straight line; a channel of one value stays as it is. In training and in predictions.
// Equalization: while training, the values of each channel of a batch are spread so that each part of the range has as many of them as can
// be; else y = x.
// ContrastLimitedAdaptiveHistogramEqualization: the same in each tile of each image, where no value counts for more than a limit, and
// along straight lines between the middles of tiles. In training and in predictions.
#include <string>
#include <vector>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/image/image_range.h"
#include "engine/spec/catalog/layers/window_geometry.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferImageLevels(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) return fault;
    if (auto fault = expectValueRange(settingsOf(layer))) return fault;
    info.output_shape = info.input_shape;
    return std::nullopt;
}

// Tiles beyond the image hold its mirror image, which is as large as the image itself.
std::optional<ShapeFault> inferTiles(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = inferImageLevels(layer, info)) return fault;
    const std::vector<std::int64_t> tiles = settingsOf(layer).getInts("tile_grid_size");
    if (tiles.size() != 2) return ShapeFault{"tile_grid_size", "expected two integers, got " + valueText(tiles)};
    const std::int64_t rows = info.input_shape[0], columns = info.input_shape[1];
    if (tiles[0] <= 2 * rows && tiles[1] <= 2 * columns) return std::nullopt;
    return ShapeFault{"tile_grid_size", "expected at most two tiles for each of " + std::to_string(rows) + " rows and " +
                                            std::to_string(columns) + " columns, got " + valueText(tiles)};
}

LayerDefinition defineTiles() {
    constexpr double kMostTiles = 1024;
    return {.schema = {"ContrastLimitedAdaptiveHistogramEqualization",
                       LayerCategory::kNormalization,
                       {valueRangeField(),
                        {.name = "clip_limit",
                         .kind = FieldKind::kDouble,
                         .fallback = 4.0,
                         .minimum = -1e30,
                         .maximum = 1e30,
                         .hint = "Bound of the pixels that one value of a tile counts, in multiples of their mean; 0: none",
                         .is_told = true},
                        {.name = "tile_grid_size",
                         .kind = FieldKind::kIntPair,
                         .fallback = std::vector<std::int64_t>{8, 8},
                         .minimum = 1,
                         .maximum = kMostTiles,
                         .hint = "Tiles from top to bottom and from left to right",
                         .is_told = true},
                        dataFormatField()},
                       kSinceKeras3},
            .infer = inferTiles,
            .place = 379,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> imageLevelsLayers() {
    return {{.schema = {"AutoContrast", LayerCategory::kNormalization, {valueRangeField()}, kSinceKeras3},
             .infer = inferImageLevels,
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
                          .hint = "Parts of the range that values are counted in",
                          .is_told = true},
                         dataFormatField()},
                        kSinceKeras3},
             .infer = inferImageLevels,
             .place = 379,
             .is_distributable = true},
            defineTiles()};
}

}  // namespace engine::spec::layers
