// RandomElasticTransform: training reads the cells of every image elsewhere, by a field of its own; otherwise the identity, without an op.
#include <algorithm>
#include <string>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

// Two numbers in any order, or one number f for 0 to f.
RandomRange readShare(const spec::Settings& settings, const char* field) {
    const std::vector<double> values = settings.getDoubles(field);
    if (values.size() == 1) return {0, values[0]};
    return {std::min(values[0], values[1]), std::max(values[0], values[1])};
}

RandomImage::Fill readFill(const std::string& mode) {
    if (mode == "constant") return RandomImage::Fill::kConstant;
    if (mode == "wrap") return RandomImage::Fill::kWrap;
    return mode == "nearest" ? RandomImage::Fill::kNearest : RandomImage::Fill::kReflect;
}

TensorId lowerRandomElastic(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const RandomRange chance = readShare(settings, "factor"), scale = readShare(settings, "scale");
    // Keras then leaves the images as they are, beyond the range, too.
    if (!builder.training() || chance.to == 0 || scale.to == 0) return x;
    const std::vector<double> range = settings.getDoubles("value_range");
    const bool is_nearest = settings.getString("interpolation") == "nearest";
    const RandomElastic elastic{.scale = scale,
                                .chance = chance,
                                .interpolation = is_nearest ? Interpolation::kNearest : Interpolation::kBilinear,
                                .fill = readFill(settings.getString("fill_mode")),
                                .fill_value = settings.getDouble("fill_value"),
                                .low = range[0],
                                .high = range[1],
                                .seed = randomSeed(builder)};
    const spec::Shape& shape = builder.shape(x);
    const spec::Shape cells(shape.begin(), shape.end() - 1);
    const TensorId y = builder.activation("elastic", spec::Shape(shape));
    const TensorId field = builder.scratch("field", cells, tensor::DType::kFloat32);
    builder.emit({.kind = OpKind::kRandomElastic, .inputs = {x}, .outputs = {y, field}, .attributes = elastic});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kRandomElasticBack, .inputs = {dy, x, field}, .outputs = {dx}, .attributes = elastic});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> randomElasticRows() {
    static constexpr LayerRow kRows[] = {
        {"RandomElasticTransform", lowerRandomElastic},
    };
    return kRows;
}

}  // namespace engine::plan
