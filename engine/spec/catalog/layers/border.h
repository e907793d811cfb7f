// How many cells a layer adds around an input, or takes away: one number for every side; one for both sides of each axis; or before and
// after of each axis, in the order of the axes (Keras' ((top, bottom), (left, right)) of an image).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {

struct Border {
    Extent before{}, after{};
};

// A fault for any other count of numbers.
std::optional<ShapeFault> readBorder(const Settings& settings, const char* field, Axes axes, Border& border);

FieldSchema borderField(Axes axes, std::string name, std::int64_t fallback, std::string hint);

}  // namespace engine::spec::layers
