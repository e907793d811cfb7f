// UpSampling2D and UpSampling1D: rows and columns `size` times. RepeatVector: (N, F) to (N, n, F), images of one cell to images of n
// columns.
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerResize(LayerBuilder& builder, TensorId x, const Resize2D& resize) {
    const TensorId y = builder.activation("out", builder.outputShape());
    builder.emit({.kind = OpKind::kUpsample2D, .inputs = {x}, .outputs = {y}, .attributes = resize});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kUpsample2DBack, .inputs = {dy}, .outputs = {dx}, .attributes = resize});
        return dx;
    });
    return y;
}

TensorId lowerUpSampling(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const std::vector<std::int64_t> size = settings.getInts("size");
    const bool is_sequence = builder.shape(x).size() == 3;
    Resize2D resize{.rows = is_sequence ? 1 : static_cast<int>(size.front()), .columns = static_cast<int>(size.back())};
    std::string interpolation;  // UpSampling1D has none
    settings.read("interpolation", interpolation);
    if (interpolation == "bilinear") resize.interpolation = Interpolation::kBilinear;
    return lowerResize(builder, x, resize);
}

TensorId lowerRepeatVector(LayerBuilder& builder, TensorId x) {
    return lowerResize(builder, x, {.columns = static_cast<int>(builder.settings().getInt("n"))});
}

}  // namespace

std::span<const LayerRow> upSamplingRows() {
    static constexpr LayerRow kRows[] = {
        {"UpSampling1D", lowerUpSampling},
        {"UpSampling2D", lowerUpSampling},
        {"RepeatVector", lowerRepeatVector},
    };
    return kRows;
}

}  // namespace engine::plan
