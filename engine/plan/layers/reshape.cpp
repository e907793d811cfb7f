// Flatten and Reshape: the same bytes in C order under another shape.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerSameBytes(LayerBuilder& builder, TensorId x, const spec::Shape& shape, std::string_view suffix) {
    return lowerReversible(builder, x, {.forward = OpKind::kReshape, .back = OpKind::kReshape, .output = shape, .suffix = suffix});
}

TensorId lowerView(LayerBuilder& builder, TensorId x, const spec::Shape& shape, std::string_view suffix) {
    return builder.shape(x) == shape ? x : lowerSameBytes(builder, x, shape, suffix);
}

namespace {

TensorId lowerReshape(LayerBuilder& builder, TensorId x) {
    return lowerSameBytes(builder, x, builder.outputShape(), "reshaped");
}

}  // namespace

std::span<const LayerRow> reshapeRows() {
    static constexpr LayerRow kRows[] = {
        {"Flatten", lowerReshape, Times::kTogether},
        {"Reshape", lowerReshape, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
