// UpSampling2D and UpSampling1D: every row and column (every step) `size` times; bilinear takes values in between instead.
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

template <Axes axes>
std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, axes)) return fault;
    const Pair size = readPair(layer.config, "size", {2, 2}, axes);
    const auto [rows, columns, channels] = imageOf(info.input_shape);
    info.output_shape = shapeOf(axes, {rows * size[0], columns * size[1]}, channels);
    return std::nullopt;
}

}  // namespace

LayerDefinition defineUpSampling1D() {
    return {.schema = {"UpSampling1D", LayerCategory::kShape, {sizeField("size", 2, "How often each step is repeated")}},
            .infer = infer<Axes::kSequence>};
}

LayerDefinition defineUpSampling2D() {
    FieldSchema size = windowField(Axes::kImage, "size", "How often rows and columns are repeated");
    size.fallback = std::vector<std::int64_t>{2, 2};
    return {.schema = {"UpSampling2D",
                       LayerCategory::kShape,
                       {size,
                        {.name = "interpolation",
                         .kind = FieldKind::kChoice,
                         .fallback = "nearest",
                         .choices = {"nearest", "bilinear"},
                         .hint = "nearest: repeat; bilinear: straight lines between neighbours"}}},
            .infer = infer<Axes::kImage>};
}

}  // namespace engine::spec::layers
