// ZeroPadding and Cropping of sequences, images and volumes: the gradient of cells added is dropped, that of cells taken away is zero.
#include <array>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

struct Border {
    std::array<int, 3> before{}, after{};  // planes, rows, columns
};

// One number for every side, one for both sides of each axis, or before and after of each.
Border readBorder(const LayerBuilder& builder, TensorId x, const char* field) {
    const std::vector<std::int64_t> values = builder.settings().getInts(field);
    const std::size_t axes = builder.shape(x).size() - 2;
    Border border;
    for (std::size_t i = 0; i < axes; ++i) {
        const bool has_sides = values.size() == 2 * axes;
        const std::size_t axis = border.before.size() - axes + i;
        border.before[axis] = static_cast<int>(values.size() == 1 ? values[0] : has_sides ? values[2 * i] : values[i]);
        border.after[axis] = static_cast<int>(values.size() == 1 ? values[0] : has_sides ? values[2 * i + 1] : values[i]);
    }
    return border;
}

Border turned(Border border) {
    for (int& cells : border.before) cells = -cells;
    for (int& cells : border.after) cells = -cells;
    return border;
}

Pads2D turned(const Pads2D& p) {
    return {-p.top, -p.bottom, -p.left, -p.right};
}

TensorId lowerPads(LayerBuilder& builder, TensorId x, const Pads2D& pads, const spec::Shape& output, std::string_view suffix) {
    return lowerReversible(builder, x,
                           {.forward = OpKind::kPad2D,
                            .back = OpKind::kPad2D,
                            .forward_attributes = pads,
                            .back_attributes = turned(pads),
                            .output = output,
                            .suffix = suffix});
}

// `border`: cells that are added; fewer: taken away.
TensorId lowerBorder(LayerBuilder& builder, TensorId x, const Border& border) {
    const auto& [before, after] = border;
    const spec::Shape output = builder.outputShape();
    const Pads2D columns{0, 0, before[2], after[2]};
    if (builder.shape(x).size() < 5) return lowerPads(builder, x, {before[1], after[1], before[2], after[2]}, output, "out");
    const spec::Shape between = withColumns(builder.shape(x), output[3]);
    if (columns != Pads2D{}) {
        x = lowerView(builder, x, columnsView(builder.shape(x)), "rows");
        x = lowerPads(builder, x, columns, columnsView(between), "columns");
    }
    x = lowerView(builder, x, planesView(between), "planes");
    x = lowerPads(builder, x, {before[0], after[0], before[1], after[1]}, planesView(output), "moved");
    return lowerSameBytes(builder, x, output, "out");
}

TensorId lowerZeroPadding(LayerBuilder& builder, TensorId x) {
    return lowerBorder(builder, x, readBorder(builder, x, "padding"));
}

TensorId lowerCropping(LayerBuilder& builder, TensorId x) {
    return lowerBorder(builder, x, turned(readBorder(builder, x, "cropping")));
}

}  // namespace

std::span<const LayerRow> paddingCroppingRows() {
    static constexpr LayerRow kRows[] = {
        {"ZeroPadding1D", lowerZeroPadding}, {"ZeroPadding2D", lowerZeroPadding}, {"ZeroPadding3D", lowerZeroPadding},
        {"Cropping1D", lowerCropping},       {"Cropping2D", lowerCropping},       {"Cropping3D", lowerCropping},
    };
    return kRows;
}

}  // namespace engine::plan
