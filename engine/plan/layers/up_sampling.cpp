// UpSampling of sequences, images and volumes: each axis `size` times. RepeatVector: (N, F) to (N, n, F), images of one cell to images of n
// columns.
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

TensorId lowerResize(LayerBuilder& builder, TensorId x, const Resize2D& resize, const spec::Shape& output, std::string_view suffix) {
    return lowerReversible(builder, x,
                           {.forward = OpKind::kUpsample2D,
                            .back = OpKind::kUpsample2DBack,
                            .forward_attributes = resize,
                            .back_attributes = resize,
                            .output = output,
                            .suffix = suffix});
}

TensorId lowerUpSampling(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const std::vector<std::int64_t> size = settings.getInts("size");
    const bool is_sequence = builder.shape(x).size() == 3;
    Resize2D resize{.rows = is_sequence ? 1 : static_cast<int>(size.front()), .columns = static_cast<int>(size.back())};
    std::string interpolation;  // UpSampling1D has none
    settings.read("interpolation", interpolation);
    if (interpolation == "bilinear") resize.interpolation = Interpolation::kBilinear;
    return lowerResize(builder, x, resize, builder.outputShape(), "out");
}

TensorId lowerUpSampling3D(LayerBuilder& builder, TensorId x) {
    const std::vector<std::int64_t> size = builder.settings().getInts("size");
    const auto times = [&](std::size_t axis) { return static_cast<int>(size.size() == 1 ? size.front() : size[axis]); };
    const spec::Shape output = builder.outputShape(), between = withColumns(builder.shape(x), output[3]);
    if (times(2) > 1) {
        x = lowerView(builder, x, columnsView(builder.shape(x)), "rows");
        x = lowerResize(builder, x, {.columns = times(2)}, columnsView(between), "columns");
    }
    x = lowerView(builder, x, planesView(between), "planes");
    x = lowerResize(builder, x, {.rows = times(0), .columns = times(1)}, planesView(output), "repeated");
    return lowerSameBytes(builder, x, output, "out");
}

TensorId lowerRepeatVector(LayerBuilder& builder, TensorId x) {
    return lowerResize(builder, x, {.columns = static_cast<int>(builder.settings().getInt("n"))}, builder.outputShape(), "out");
}

}  // namespace

std::span<const LayerRow> upSamplingRows() {
    static constexpr LayerRow kRows[] = {
        {"UpSampling1D", lowerUpSampling},
        {"UpSampling2D", lowerUpSampling},
        {"UpSampling3D", lowerUpSampling3D},
        {"RepeatVector", lowerRepeatVector},
    };
    return kRows;
}

}  // namespace engine::plan
