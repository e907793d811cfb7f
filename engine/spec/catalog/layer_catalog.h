// The layers that a model may name, with their fields. Static data, safe from any thread.
#pragma once

#include <span>
#include <string_view>

#include "engine/spec/field_schema.h"

namespace engine::spec {

// Every layer the engine knows, in palette order, without the cells that an RNN takes.
std::span<const LayerSchema> layerSchemas();
// Also of a cell; nullptr for an unknown class.
const LayerSchema* findLayerSchema(std::string_view class_name);

}  // namespace engine::spec
