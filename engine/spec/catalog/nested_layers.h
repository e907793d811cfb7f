// Layers inside a layer: Bidirectional's two directions, TimeDistributed's one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::spec {

// The layers within the layer, in Keras' weight order, each as a layer of its own named "<outer>/forward_layer", "<outer>/backward_layer"
// or "<outer>/layer": its variables are "<outer>/layer/kernel". They are frozen where the outer one is. Empty for a layer without any, or
// with none in its fields. Nested objects that are no layers are taken as they are: the shape rules look at them.
std::vector<LayerSpec> nestedLayers(const LayerSpec& layer);

// The layers that own variables: the nested ones, or the layer itself.
std::vector<LayerSpec> owningLayers(const LayerSpec& layer);

// What a new layer of that class begins with: a value for each field that it requires, so that it fits at once wherever its input does; a
// layer inside it has its own. Empty for a class that is no layer.
Fields startingFields(std::string_view class_name);

}  // namespace engine::spec
