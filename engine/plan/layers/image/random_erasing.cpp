// RandomErasing: training fills a box of every image; otherwise the identity, without an op. What was erased has no gradient.
#include <algorithm>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

// Two numbers in any order, or one number f for 0 to f.
RandomRange readErasedShare(const spec::Settings& settings, const char* field) {
    const std::vector<double> values = settings.getDoubles(field);
    if (values.size() == 1) return {0, values[0]};
    return {std::min(values[0], values[1]), std::max(values[0], values[1])};
}

TensorId lowerRandomErasing(LayerBuilder& builder, TensorId x) {
    if (!builder.training()) return x;
    const spec::Settings settings = builder.settings();
    const std::vector<double> fill = settings.getDoubles("fill_value"), range = settings.getDoubles("value_range");
    RandomErasing erasing{.chance = readErasedShare(settings, "factor"),
                          .area = readErasedShare(settings, "scale"),
                          .is_noise = fill.empty(),
                          .low = range[0],
                          .high = range[1],
                          .seed = randomSeed(builder)};
    for (std::size_t i = 0; i < 3 && !fill.empty(); ++i) erasing.fill[i] = fill[fill.size() == 3 ? i : 0];
    const TensorId y = builder.activation("erased", builder.shape(x));
    builder.emit({.kind = OpKind::kRandomErasing, .inputs = {x}, .outputs = {y}, .attributes = erasing});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kRandomErasingBack, .inputs = {dy}, .outputs = {dx}, .attributes = erasing});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> randomErasingRows() {
    static constexpr LayerRow kRows[] = {
        {"RandomErasing", lowerRandomErasing},
    };
    return kRows;
}

}  // namespace engine::plan
