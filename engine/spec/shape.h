// Sizes of a tensor, and their text as Keras prints it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace engine::spec {

// Sizes without the batch axis, channels last. Empty = scalar.
using Shape = std::vector<std::int64_t>;

// More values than any machine holds; below that, products of a few of them stay within 64 bits.
bool hasTooManyValues(const Shape& shape);

std::string shapeText(const Shape& shape);       // "(28, 28, 1)", "(10,)"
std::string batchShapeText(const Shape& shape);  // "(None, 28, 28, 1)"

}  // namespace engine::spec
