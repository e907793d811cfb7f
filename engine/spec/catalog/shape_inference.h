// What each layer makes of its input: shape, parameters, work. Formulas: Keras' compute_output_shape and count_params.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/model_spec.h"

namespace engine::spec {

// One entry a layer, same order; never throws. After the first wrong layer the rest has known = false and no error.
std::vector<LayerInfo> inferShapes(const ModelSpec& model);
// The same of layers inside another one, from the shape and the mask that come in.
std::vector<LayerInfo> inferChain(const std::vector<LayerSpec>& layers, Shape shape, std::optional<Shape> mask);

// How a layer that works on other axes than the last ones (data_format channels_first, axis) sees a sample. Axis i of what it sees is axis
// input[i] of what it gets; axis i of what it gives is axis output[i] of what it makes. Without the batch; empty: as it is.
struct AxisOrder {
    std::vector<int> input, output;
};
// `rank` and `output_rank`: of a sample that the layer gets and gives.
AxisOrder axisOrderOf(const LayerSpec& layer, std::size_t rank, std::size_t output_rank);
// The sizes in that order.
Shape inOrder(const Shape& shape, const std::vector<int>& order);

}  // namespace engine::spec
