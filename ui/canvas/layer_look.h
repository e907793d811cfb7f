// SPDX-License-Identifier: GPL-3.0-or-later
// How a layer is pictured and described in one line, on the canvas and in the palette alike.
#pragma once

#include <QString>

#include "engine/spec/field_schema.h"
#include "engine/spec/model_spec.h"

namespace ui::canvas {

// Returns the name of a layer's icon in resources/icons, by its class or else by its category.
QString layerIcon(const engine::spec::LayerSchema& schema);
// Returns a layer's settings: "32 filters · 3 × 3 · relu". The required ones come first, and those that say what the layer does
// (FieldSchema::is_told), then those that differ from Keras' default.
QString layerSettings(const engine::spec::LayerSpec& layer);
// Returns a value as people read it: "3 × 3", "relu", "0.5", "yes".
QString valueText(const engine::spec::FieldValue& value);
// Returns "Kernel size" for "kernel_size", in the user's language where it is known.
QString fieldLabel(const std::string& field);

}  // namespace ui::canvas
