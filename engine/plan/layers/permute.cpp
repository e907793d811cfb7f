// Permute: axis i of y is axis dims[i] of x, counted from 1 without the batch. Back by the inverse.
#include <cstddef>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerPermute(LayerBuilder& builder, TensorId x) {
    Permutation forward, back;
    for (std::int64_t axis : builder.settings().getInts("dims")) forward.axes.push_back(static_cast<int>(axis) - 1);
    back.axes.resize(forward.axes.size());
    for (std::size_t i = 0; i < forward.axes.size(); ++i) back.axes[static_cast<std::size_t>(forward.axes[i])] = static_cast<int>(i);
    return lowerReversible(builder, x, OpKind::kTranspose, forward, back);
}

}  // namespace

std::span<const LayerRow> permuteRows() {
    static constexpr LayerRow kRows[] = {
        {"Permute", lowerPermute},
    };
    return kRows;
}

}  // namespace engine::plan
