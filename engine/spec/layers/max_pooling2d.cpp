// MaxPooling2D over (rows, columns, channels); strides default to the pool's size, "same" pads with minus infinity.
#include "engine/spec/layers/window_geometry.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) {
        return fault;
    }
    const Pair pool = readPair(layer.config, "pool_size", {2, 2});
    const Pair strides = readPair(layer.config, "strides", pool);
    Pair output{};
    if (auto fault =
            slideWindow(info.input_shape, "pool_size", pool, strides, {1, 1}, layer.config.getString("padding", "valid"), output)) {
        return fault;
    }
    info.output_shape = {output[0], output[1], info.input_shape[2]};
    return std::nullopt;
}

}  // namespace

LayerDefinition defineMaxPooling2D() {
    return {.schema = {"MaxPooling2D",
                       LayerCategory::kPool,
                       {{.name = "pool_size",
                         .kind = FieldKind::kIntPair,
                         .fallback = std::vector<std::int64_t>{2, 2},
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Rows and columns of the window"},
                        {.name = "strides",
                         .kind = FieldKind::kIntPair,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Step of the window; empty: the pool's size"},
                        paddingField()}},
            .infer = infer};
}

}  // namespace engine::spec::layers
