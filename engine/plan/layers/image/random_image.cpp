// RandomFlip, RandomRotation, RandomZoom, RandomTranslation, RandomShear and RandomPerspective: training reads every image through a map of
// its own; otherwise the identity, without an op.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

// One number f stands for -f to f.
RandomImage::Range readSymmetricRange(const spec::Settings& settings, const char* field) {
    const std::vector<double> values = settings.getDoubles(field);
    if (values.size() == 1) return {-std::abs(values[0]), std::abs(values[0])};
    return {std::min(values[0], values[1]), std::max(values[0], values[1])};
}

RandomImage readSampling(const spec::Settings& settings) {
    RandomImage random;
    const std::string fill = settings.getString("fill_mode");
    random.fill = fill == "constant"  ? RandomImage::Fill::kConstant
                  : fill == "wrap"    ? RandomImage::Fill::kWrap
                  : fill == "nearest" ? RandomImage::Fill::kNearest
                                      : RandomImage::Fill::kReflect;
    random.interpolation = settings.getString("interpolation") == "nearest" ? Interpolation::kNearest : Interpolation::kBilinear;
    random.fill_value = settings.getDouble("fill_value");
    return random;
}

TensorId lowerRandom(LayerBuilder& builder, TensorId x, RandomImage random) {
    if (!builder.training()) return x;
    random.seed = randomSeed(builder);
    constexpr std::int64_t kMapNumbers = 8;
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

TensorId lowerRandomFlip(LayerBuilder& builder, TensorId x) {
    const std::string mode = builder.settings().getString("mode");
    // Every cell comes from one cell: nothing is read in between or beyond.
    return lowerRandom(builder, x,
                       {.flips_columns = mode != "vertical", .flips_rows = mode != "horizontal", .interpolation = Interpolation::kNearest});
}

TensorId lowerRandomRotation(LayerBuilder& builder, TensorId x) {
    RandomImage random = readSampling(builder.settings());
    random.turn = readSymmetricRange(builder.settings(), "factor");
    return lowerRandom(builder, x, random);
}

TensorId lowerRandomZoom(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    RandomImage random = readSampling(settings);
    random.zoom_rows = readSymmetricRange(settings, "height_factor");
    random.same_zoom = settings.getDoubles("width_factor").empty();
    random.zoom_columns = random.same_zoom ? random.zoom_rows : readSymmetricRange(settings, "width_factor");
    return lowerRandom(builder, x, random);
}

TensorId lowerRandomTranslation(LayerBuilder& builder, TensorId x) {
    RandomImage random = readSampling(builder.settings());
    random.shift_rows = readSymmetricRange(builder.settings(), "height_factor");
    random.shift_columns = readSymmetricRange(builder.settings(), "width_factor");
    return lowerRandom(builder, x, random);
}

TensorId lowerRandomShear(LayerBuilder& builder, TensorId x) {
    RandomImage random = readSampling(builder.settings());
    random.shear_rows = readSymmetricRange(builder.settings(), "y_factor");
    random.shear_columns = readSymmetricRange(builder.settings(), "x_factor");
    return lowerRandom(builder, x, random);
}

TensorId lowerRandomPerspective(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const std::vector<double> chance = settings.getDoubles("factor");
    RandomImage random{.fill = RandomImage::Fill::kConstant, .fill_value = settings.getDouble("fill_value")};
    if (settings.getString("interpolation") == "nearest") random.interpolation = Interpolation::kNearest;
    random.corners = settings.getDouble("scale") / 2;
    random.chance = chance.size() == 1 ? RandomRange{0, chance[0]} : readSymmetricRange(settings, "factor");
    return lowerRandom(builder, x, random);
}

}  // namespace

std::span<const LayerRow> randomImageRows() {
    static constexpr LayerRow kRows[] = {
        {"RandomFlip", lowerRandomFlip},   {"RandomRotation", lowerRandomRotation},
        {"RandomZoom", lowerRandomZoom},   {"RandomTranslation", lowerRandomTranslation},
        {"RandomShear", lowerRandomShear}, {"RandomPerspective", lowerRandomPerspective},
    };
    return kRows;
}

}  // namespace engine::plan
