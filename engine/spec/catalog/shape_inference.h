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

}  // namespace engine::spec
