// What feature columns make of a table's cells: how many numbers, in which places of a sample.
#pragma once

#include <cstdint>
#include <span>

#include "engine/spec/fields.h"

namespace engine::spec {

// Numbers that a column adds to a sample: NumericColumn.shape of them, else a place for each bucket, text or value, of which one is 1.
// Requires a class of featureColumnSchemas() with fields that fit.
std::int64_t featureWidth(const ObjectSpec& column);
// True when every one of them has such a class and such fields.
bool areFitting(std::span<const ObjectSpec> columns);
// The width of all of them together.
std::int64_t featureWidth(std::span<const ObjectSpec> columns);

}  // namespace engine::spec
