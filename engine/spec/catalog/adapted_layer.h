// The layer that takes variables from the training samples before training, as Keras' adapt() does: the first of a model, because it takes
// them as they come in.
#pragma once

#include "engine/spec/model_spec.h"

namespace engine::spec {

// True for a layer of that kind, wherever it stands; a class that no one knows is none.
bool isAdapted(const LayerSpec& layer);
// The one of the model, or nullptr. It lives as long as the model.
const LayerSpec* adaptedLayer(const ModelSpec& model);

}  // namespace engine::spec
