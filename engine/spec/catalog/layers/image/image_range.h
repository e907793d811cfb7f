// value_range of layers that take the values of images for colours.
#pragma once

#include <optional>

#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {

FieldSchema valueRangeField();
// A fault unless the field has two rising numbers.
std::optional<ShapeFault> expectValueRange(const Settings& settings);

}  // namespace engine::spec::layers
