// UpSampling: every step (1D), row and column (2D), or plane, row and column (3D) `size` times; of images bilinear takes values in between
// instead. RepeatVector: (features) to (n, features).
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> inferUpSampling(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) return fault;
    const Extent size = readExtent(settingsOf(layer), "size", axes), cells = extentOf(info.input_shape);
    info.output_shape = shapeOf(axes, {cells[0] * size[0], cells[1] * size[1], cells[2] * size[2]}, info.input_shape.back());
    return std::nullopt;
}

LayerDefinition defineUpSampling1D() {
    return {.schema = {"UpSampling1D", LayerCategory::kShape, {sizeField("size", 2, "How often each step is repeated")}},
            .infer = inferUpSampling<Axes::kSequence>,
            .place = 240,
            .is_distributable = true};
}

LayerDefinition defineUpSampling2D() {
    FieldSchema size = windowField(Axes::kImage, "size", "How often rows and columns are repeated");
    size.fallback = sameForAll(Axes::kImage, 2);
    return {.schema = {"UpSampling2D",
                       LayerCategory::kShape,
                       {size,
                        dataFormatField(),
                        {.name = "interpolation",
                         .kind = FieldKind::kChoice,
                         .fallback = "nearest",
                         .choices = {"nearest", "bilinear"},
                         .hint = "nearest: repeat; bilinear: straight lines between neighbours"}}},
            .infer = inferUpSampling<Axes::kImage>,
            .place = 210,
            .is_distributable = true};
}

LayerDefinition defineUpSampling3D() {
    FieldSchema size = windowField(Axes::kVolume, "size", "How often planes, rows and columns are repeated");
    size.fallback = sameForAll(Axes::kVolume, 2);
    return {.schema = {"UpSampling3D", LayerCategory::kShape, {size, dataFormatField()}},
            .infer = inferUpSampling<Axes::kVolume>,
            .place = 246,
            .is_distributable = true};
}

std::optional<ShapeFault> inferRepeat(const LayerSpec& layer, LayerInfo& info) {
    if (info.input_shape.size() != 1) {
        return ShapeFault{"", "expected input rank 2 (batch and features), got " + batchShapeText(info.input_shape)};
    }
    info.output_shape = {settingsOf(layer).getInt("n"), info.input_shape.front()};
    return std::nullopt;
}

LayerDefinition defineRepeatVector() {
    FieldSchema n = sizeField("n", 1, "How often the input is repeated");
    n.fallback = std::monostate{};
    n.required = true;
    return {.schema = {"RepeatVector", LayerCategory::kShape, {n}}, .infer = inferRepeat, .place = 180, .is_distributable = true};
}

}  // namespace

std::vector<LayerDefinition> upSamplingLayers() {
    return {defineUpSampling1D(), defineUpSampling2D(), defineUpSampling3D(), defineRepeatVector()};
}

}  // namespace engine::spec::layers
