// Shapes as Keras prints them.
#pragma once

#include <string>

#include "engine/spec/model_spec.h"

namespace engine::spec {

std::string shapeText(const Shape& shape);       // "(28, 28, 1)", "(10,)"
std::string batchShapeText(const Shape& shape);  // "(None, 28, 28, 1)"

}  // namespace engine::spec
