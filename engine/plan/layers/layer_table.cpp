#include "engine/plan/layers/layer_table.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/spec/catalog/axis_order.h"

namespace engine::plan {

// A line for each file of this folder that lowers layers, made by CMake.
#define TANDEM_ROWS(name) std::span<const LayerRow> name##Rows();
#include "layer_files.inc"
#undef TANDEM_ROWS

const LayerRow* findLayerRow(std::string_view class_name) {
    for (std::span<const LayerRow> (*rows)() : {
#define TANDEM_ROWS(name) &name##Rows,
#include "layer_files.inc"
#undef TANDEM_ROWS
         }) {
        for (const LayerRow& row : rows()) {
            if (row.class_name == class_name) return &row;
        }
    }
    return nullptr;
}

namespace {

// Axis i of y is axis order[i] of x, without the batch; x itself where the order is empty. `suffix`: of y's name.
TensorId lowerTurn(LayerBuilder& builder, TensorId x, const std::vector<int>& order, std::string_view suffix) {
    if (order.empty()) return x;
    Permutation forward{order}, back{order};
    spec::Shape turned{builder.shape(x).front()};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto axis = static_cast<std::size_t>(order[i]);
        back.axes[axis] = static_cast<int>(i);
        turned.push_back(builder.shape(x)[axis + 1]);
    }
    return lowerReversible(builder, x,
                           {.forward = OpKind::kTranspose,
                            .back = OpKind::kTranspose,
                            .forward_attributes = forward,
                            .back_attributes = back,
                            .output = turned,
                            .suffix = suffix});
}

TensorId lowerInOrder(LayerBuilder& builder, TensorId x) {
    const LayerLowering lowering = findLayerRow(builder.layer().class_name)->lowering;
    const spec::Shape given = builder.outputShape();
    const spec::AxisOrder order = spec::axisOrderOf(builder.layer(), builder.shape(x).size() - 1, given.size() - 1);
    if (order.input.empty() && order.output.empty()) return lowering(builder, x);
    spec::Shape made(given.begin() + 1, given.end());
    for (std::size_t i = 0; i < order.output.size(); ++i) made[static_cast<std::size_t>(order.output[i])] = given[i + 1];
    const TensorId seen = lowerTurn(builder, x, order.input, "seen");
    LayerBuilder::Part part = builder.lowerNested(builder.layer(), made, seen, lowering, {.inside = Nesting::Inside::kItself});
    const TensorId y = part.y;
    builder.append(std::move(part));
    return lowerTurn(builder, y, order.output, "turned");
}

}  // namespace

LayerLowering findLayerLowering(std::string_view class_name) {
    return findLayerRow(class_name) == nullptr ? nullptr : &lowerInOrder;
}

}  // namespace engine::plan
