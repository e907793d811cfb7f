// ZeroPadding and Cropping of images and sequences: the gradient of cells added is dropped, that of cells taken away is zero.
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

// One number for every side; (before, after) of a sequence; (rows, columns) or (top, bottom, left, right) of an image.
Pads2D readPads(const LayerBuilder& builder, TensorId x, const char* field) {
    const std::vector<std::int64_t> values = builder.settings().getInts(field);
    const auto at = [&](std::size_t i) { return static_cast<int>(values[i]); };
    const bool is_sequence = builder.shape(x).size() == 3;
    if (values.size() == 4) return {at(0), at(1), at(2), at(3)};
    if (values.size() == 2) return is_sequence ? Pads2D{0, 0, at(0), at(1)} : Pads2D{at(0), at(0), at(1), at(1)};
    return is_sequence ? Pads2D{0, 0, at(0), at(0)} : Pads2D{at(0), at(0), at(0), at(0)};
}

Pads2D turned(const Pads2D& p) {
    return {-p.top, -p.bottom, -p.left, -p.right};
}

TensorId lowerZeroPadding(LayerBuilder& builder, TensorId x) {
    const Pads2D pads = readPads(builder, x, "padding");
    return lowerReversible(builder, x, OpKind::kPad2D, pads, turned(pads));
}

TensorId lowerCropping(LayerBuilder& builder, TensorId x) {
    const Pads2D pads = readPads(builder, x, "cropping");
    return lowerReversible(builder, x, OpKind::kPad2D, turned(pads), pads);
}

}  // namespace

std::span<const LayerRow> paddingCroppingRows() {
    static constexpr LayerRow kRows[] = {
        {"ZeroPadding1D", lowerZeroPadding},
        {"ZeroPadding2D", lowerZeroPadding},
        {"Cropping1D", lowerCropping},
        {"Cropping2D", lowerCropping},
    };
    return kRows;
}

}  // namespace engine::plan
