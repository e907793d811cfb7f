// Layers that work on other axes than the last ones see what they get with these axes last: channels, where data_format is channels_first,
// or the axes that the field axis names. Their rules and lowerings know no other place. Only files of this folder include it.
#pragma once

#include <optional>

#include "engine/spec/catalog/axis_order.h"
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

// Applies the definition's rule to info.input_shape as the layer sees it; info.output_shape becomes the output as the next layer gets it,
// info.input_shape stays. Returns what the rule finds wrong, or the activation that would work along another axis than the channels.
std::optional<ShapeFault> inferInOrder(const LayerDefinition& definition, const LayerSpec& layer, LayerInfo& info);

}  // namespace engine::spec::layers
