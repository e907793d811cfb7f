// RandomFlip, RandomRotation, RandomZoom and RandomTranslation: training reads every image through a map of its own; otherwise the
// identity, without an op.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

// One number f stands for -f to f.
RandomImage::Range readRange(const spec::Fields& config, const char* field) {
    const std::vector<double> values = config.getDoubles(field, {0});
    if (values.size() == 1) return {-std::abs(values[0]), std::abs(values[0])};
    return {std::min(values[0], values[1]), std::max(values[0], values[1])};
}

RandomImage readSampling(const spec::Fields& config) {
    RandomImage random;
    const std::string fill = config.getString("fill_mode", "reflect");
    random.fill = fill == "constant"  ? RandomImage::Fill::kConstant
                  : fill == "wrap"    ? RandomImage::Fill::kWrap
                  : fill == "nearest" ? RandomImage::Fill::kNearest
                                      : RandomImage::Fill::kReflect;
    random.interpolation = config.getString("interpolation", "bilinear") == "nearest" ? Interpolation::kNearest : Interpolation::kBilinear;
    random.fill_value = config.getDouble("fill_value", 0);
    return random;
}

TensorId lowerRandom(LayerBuilder& builder, TensorId x, RandomImage random) {
    if (!builder.training()) return x;
    random.seed = randomSeed(builder);
    constexpr std::int64_t kMapNumbers = 6;
    const TensorId y = builder.activation("image", builder.shape(x));
    const TensorId maps = builder.scratch("maps", {builder.shape(x).front(), kMapNumbers}, tensor::DType::kFloat32);
    builder.emit({.kind = OpKind::kRandomImage, .inputs = {x}, .outputs = {y, maps}, .attributes = random});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kRandomImageBack, .inputs = {dy, maps}, .outputs = {dx}, .attributes = random});
        return dx;
    });
    return y;
}

}  // namespace

TensorId lowerRandomFlip(LayerBuilder& builder, TensorId x) {
    const std::string mode = builder.layer().config.getString("mode", "horizontal_and_vertical");
    // Every cell comes from one cell: nothing is read in between or beyond.
    return lowerRandom(builder, x,
                       {.flips_columns = mode != "vertical", .flips_rows = mode != "horizontal", .interpolation = Interpolation::kNearest});
}

TensorId lowerRandomRotation(LayerBuilder& builder, TensorId x) {
    RandomImage random = readSampling(builder.layer().config);
    random.turn = readRange(builder.layer().config, "factor");
    return lowerRandom(builder, x, random);
}

TensorId lowerRandomZoom(LayerBuilder& builder, TensorId x) {
    const spec::Fields& config = builder.layer().config;
    RandomImage random = readSampling(config);
    random.zoom_rows = readRange(config, "height_factor");
    random.same_zoom = config.getDoubles("width_factor", {}).empty();
    random.zoom_columns = random.same_zoom ? random.zoom_rows : readRange(config, "width_factor");
    return lowerRandom(builder, x, random);
}

TensorId lowerRandomTranslation(LayerBuilder& builder, TensorId x) {
    RandomImage random = readSampling(builder.layer().config);
    random.shift_rows = readRange(builder.layer().config, "height_factor");
    random.shift_columns = readRange(builder.layer().config, "width_factor");
    return lowerRandom(builder, x, random);
}

}  // namespace engine::plan
