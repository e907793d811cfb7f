// How many cells a layer adds around an image or sequence, or takes away: one number for every side; before and after of a sequence; rows
// and columns of an image (both sides), or before and after of the rows, then of the columns (Keras' ((top, bottom), (left, right))).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {

struct Border {
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;
};

// One number (`fallback`) where the field is absent. A fault for any other count of numbers.
std::optional<ShapeFault> readBorder(const Fields& config, const char* field, std::int64_t fallback, Axes axes, Border& border);

FieldSchema borderField(Axes axes, std::string name, std::int64_t fallback, std::string hint);

}  // namespace engine::spec::layers
