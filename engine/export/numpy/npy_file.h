// NumPy's .npy: magic "\x93NUMPY", version 1.0, the header's length (uint16), the header (a Python dictionary of descr, fortran_order and
// shape, padded with spaces to a multiple of 64 bytes, newline at the end), then the values.
#pragma once

#include <span>
#include <string>

#include "engine/spec/model_spec.h"

namespace engine::exporter {

// float32, little-endian, C order. Requires product(shape) values.
std::string npyBytes(const spec::Shape& shape, std::span<const float> values);

}  // namespace engine::exporter
