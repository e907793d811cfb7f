#include "engine/spec/catalog/adapted_layer.h"

#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec {

bool isAdapted(const LayerSpec& layer) {
    const layers::LayerDefinition* definition = layers::findLayerDefinition(layer.class_name);
    return definition != nullptr && definition->takes_samples != nullptr && definition->takes_samples(layer);
}

const LayerSpec* adaptedLayer(const ModelSpec& model) {
    return !model.layers.empty() && isAdapted(model.layers.front()) ? &model.layers.front() : nullptr;
}

}  // namespace engine::spec
