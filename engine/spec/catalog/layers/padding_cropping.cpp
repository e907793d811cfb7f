// ZeroPadding1D and 2D: zeros around the input. Cropping1D and 2D: the input without its border.
#include "engine/spec/catalog/layers/border.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferPadding(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) return fault;
    Border border;
    if (auto fault = readBorder(layer.config, "padding", 1, axes, border)) return fault;
    const auto [rows, columns, channels] = imageOf(info.input_shape);
    info.output_shape = shapeOf(axes, {rows + border.top + border.bottom, columns + border.left + border.right}, channels);
    return std::nullopt;
}

template <Axes axes>
std::optional<ShapeFault> inferCropping(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) return fault;
    Border border;
    if (auto fault = readBorder(layer.config, "cropping", axes == Axes::kImage ? 0 : 1, axes, border)) return fault;
    const auto [rows, columns, channels] = imageOf(info.input_shape);
    const Pair size{rows - border.top - border.bottom, columns - border.left - border.right};
    if (size[0] < 1 || size[1] < 1) {
        return ShapeFault{"cropping", "expected to leave a cell of the input at least, " + batchShapeText(info.input_shape) + ", got " +
                                          std::to_string(size[0] < 1 ? rows - size[0] : columns - size[1]) + " to take from " +
                                          std::to_string(size[0] < 1 ? rows : columns)};
    }
    info.output_shape = shapeOf(axes, size, channels);
    return std::nullopt;
}

constexpr const char* kSequenceSides = ": one number, or before and after";
constexpr const char* kImageSides = ": one number, rows and columns, or top, bottom, left, right";

}  // namespace

LayerDefinition defineZeroPadding1D() {
    return {.schema = {"ZeroPadding1D",
                       LayerCategory::kShape,
                       {borderField(Axes::kSequence, "padding", 1, std::string("Zeros added") + kSequenceSides)}},
            .infer = inferPadding<Axes::kSequence>};
}

LayerDefinition defineZeroPadding2D() {
    return {.schema = {"ZeroPadding2D",
                       LayerCategory::kShape,
                       {borderField(Axes::kImage, "padding", 1, std::string("Zeros added") + kImageSides)}},
            .infer = inferPadding<Axes::kImage>};
}

LayerDefinition defineCropping1D() {
    return {.schema = {"Cropping1D",
                       LayerCategory::kShape,
                       {borderField(Axes::kSequence, "cropping", 1, std::string("Steps taken away") + kSequenceSides)}},
            .infer = inferCropping<Axes::kSequence>};
}

LayerDefinition defineCropping2D() {
    return {.schema = {"Cropping2D",
                       LayerCategory::kShape,
                       {borderField(Axes::kImage, "cropping", 0, std::string("Cells taken away") + kImageSides)}},
            .infer = inferCropping<Axes::kImage>};
}

}  // namespace engine::spec::layers
