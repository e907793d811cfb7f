// The shape rule of a layer within a layer. Only files of this folder include it.
#pragma once

#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

// Checks the fields of `inner` and applies its rule to info.input_shape; its variables are named after it. A fault blames the field `field`
// of the outer layer and names the inner field.
std::optional<ShapeFault> inferNested(const LayerSpec& inner, const char* field, LayerInfo& info);
// The same, with the word that the fault has for the inner layer in place of its class.
std::optional<ShapeFault> inferNested(const LayerSpec& inner, const char* field, const std::string& word, LayerInfo& info);

}  // namespace engine::spec::layers
