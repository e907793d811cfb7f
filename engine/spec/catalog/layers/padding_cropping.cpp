// ZeroPadding: zeros around the input. Cropping: the input without its border. Of sequences (1D), images (2D) and volumes (3D).
#include "engine/spec/catalog/layers/border.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferPadding(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) return fault;
    Border border;
    if (auto fault = readBorder(settingsOf(layer), "padding", axes, border)) return fault;
    Extent extent = extentOf(info.input_shape);
    for (std::size_t axis = 0; axis < extent.size(); ++axis) extent[axis] += border.before[axis] + border.after[axis];
    info.output_shape = shapeOf(axes, extent, info.input_shape.back());
    return std::nullopt;
}

template <Axes axes>
std::optional<ShapeFault> inferCropping(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) return fault;
    Border border;
    if (auto fault = readBorder(settingsOf(layer), "cropping", axes, border)) return fault;
    Extent extent = extentOf(info.input_shape);
    for (std::size_t axis = 0; axis < extent.size(); ++axis) {
        const std::int64_t taken = border.before[axis] + border.after[axis];
        if (taken >= extent[axis]) {
            return ShapeFault{"cropping", "expected to leave a cell of the input at least, " + batchShapeText(info.input_shape) + ", got " +
                                              std::to_string(taken) + " to take from " + std::to_string(extent[axis])};
        }
        extent[axis] -= taken;
    }
    info.output_shape = shapeOf(axes, extent, info.input_shape.back());
    return std::nullopt;
}

std::string sidesOf(Axes axes) {
    return axes == Axes::kVolume  ? ": one number, planes, rows and columns, or before and after of each"
           : axes == Axes::kImage ? ": one number, rows and columns, or top, bottom, left, right"
                                  : ": one number, or before and after";
}

template <Axes axes>
LayerDefinition defineZeroPadding(const char* class_name, int place) {
    return {
        .schema = {class_name, LayerCategory::kShape, {borderField(axes, "padding", 1, "Zeros added" + sidesOf(axes)), dataFormatField()}},
        .infer = inferPadding<axes>,
        .place = place,
        .is_distributable = true};
}

// Keras takes nothing away from an image unless it is told to, but a cell of each side from sequences and volumes.
template <Axes axes>
LayerDefinition defineCropping(const char* class_name, int place) {
    const std::string what = axes == Axes::kSequence ? "Steps taken away" : "Cells taken away";
    std::vector<FieldSchema> fields{borderField(axes, "cropping", axes == Axes::kImage ? 0 : 1, what + sidesOf(axes))};
    if (axes != Axes::kSequence) fields.push_back(dataFormatField());  // as in Keras
    return {.schema = {class_name, LayerCategory::kShape, std::move(fields)},
            .infer = inferCropping<axes>,
            .place = place,
            .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> paddingCroppingLayers() {
    return {defineZeroPadding<Axes::kSequence>("ZeroPadding1D", 220), defineZeroPadding<Axes::kImage>("ZeroPadding2D", 190),
            defineZeroPadding<Axes::kVolume>("ZeroPadding3D", 242),   defineCropping<Axes::kSequence>("Cropping1D", 230),
            defineCropping<Axes::kImage>("Cropping2D", 200),          defineCropping<Axes::kVolume>("Cropping3D", 244)};
}

}  // namespace engine::spec::layers
