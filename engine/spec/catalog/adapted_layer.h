// The layer that takes variables from the training samples before training, as Keras' adapt() does: the first of a model, because it takes
// them as they come in.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::spec {

// True for a layer of that kind, wherever it stands; a class that no one knows is none.
bool isAdapted(const LayerSpec& layer);
// The one of the model, or nullptr. It lives as long as the model.
const LayerSpec* adaptedLayer(const ModelSpec& model);

// True for a layer of a class that keeps what it takes in its fields in Keras, where a Normalization has variables: a Discretization, an
// IntegerLookup. Here it has variables until a file for Keras is written.
bool keepsTakenInFields(const LayerSpec& layer);
// Such a layer with the values of its variables, by their names within it, in its fields: it takes nothing any more. Another layer, and
// one that took nothing, as it is.
LayerSpec withTaken(const LayerSpec& layer, const std::function<std::span<const float>(const std::string&)>& variable);
// The way back: the variables of such a layer as the fields of another one of its class fill them. Empty where these have nothing, or more
// than fits.
std::vector<std::pair<std::string, std::vector<float>>> takenFrom(const LayerSpec& layer, const LayerSpec& given);

}  // namespace engine::spec
