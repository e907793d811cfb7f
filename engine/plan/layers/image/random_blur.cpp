// RandomSharpness and RandomGaussianBlur: training blurs or sharpens the images; otherwise the identity, without an op.
#include <algorithm>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

// Two numbers in any order, or one number f for 0 to f.
RandomRange readPart(const spec::Settings& settings, const char* field) {
    const std::vector<double> values = settings.getDoubles(field);
    if (values.size() == 1) return {0, values[0]};
    return {std::min(values[0], values[1]), std::max(values[0], values[1])};
}

TensorId lowerBlur(LayerBuilder& builder, TensorId x, RandomBlur blur) {
    if (!builder.training()) return x;
    const std::vector<double> range = builder.settings().getDoubles("value_range");
    blur.low = range[0];
    blur.high = range[1];
    blur.seed = randomSeed(builder);
    const TensorId y = builder.activation("blurred", builder.shape(x));
    builder.emit({.kind = OpKind::kRandomBlur, .inputs = {x}, .outputs = {y}, .attributes = blur});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kRandomBlurBack, .inputs = {dy, x}, .outputs = {dx}, .attributes = blur});
        return dx;
    });
    return y;
}

// A factor f goes 1 - 2 f of the way to the blurred image, and away from it from 0.5 on.
TensorId lowerSharpness(LayerBuilder& builder, TensorId x) {
    const RandomRange factor = readPart(builder.settings(), "factor");
    return lowerBlur(builder, x, {.amount = {1 - 2 * factor.from, 1 - 2 * factor.to}});
}

TensorId lowerGaussianBlur(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const std::vector<std::int64_t> size = settings.getInts("kernel_size");
    return lowerBlur(builder, x,
                     {.is_gaussian = true,
                      .kernel_h = static_cast<int>(size.front()),
                      .kernel_w = static_cast<int>(size.back()),
                      .deviation = readPart(settings, "sigma"),
                      .chance = readPart(settings, "factor")});
}

}  // namespace

std::span<const LayerRow> randomBlurRows() {
    static constexpr LayerRow kRows[] = {
        {"RandomSharpness", lowerSharpness},
        {"RandomGaussianBlur", lowerGaussianBlur},
    };
    return kRows;
}

}  // namespace engine::plan
