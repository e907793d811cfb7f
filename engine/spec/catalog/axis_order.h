// In which order a layer sees the axes of a sample, and gives them back.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/spec/model_spec.h"
#include "engine/spec/shape.h"

namespace engine::spec {

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
