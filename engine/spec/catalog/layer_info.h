// What one layer makes of its input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/shape.h"

namespace engine::spec {

struct VariableInfo {
    std::string name;       // "conv2d/kernel"
    Shape shape;            // Keras' order: kernel (kh, kw, in, out), dense kernel (in, out)
    bool trainable = true;  // false: no optimizer changes it (moving statistics, a frozen layer)
    Shape matrix{};         // inputs and outputs as initializers count them, where the shape does not tell them
};

struct LayerInfo {
    bool known = false;  // false from the first wrong layer on
    Shape input_shape;   // without the batch axis
    Shape output_shape;
    // Keras' masks: which places of the leading axes of input and output count, by the sizes of these axes without the batch's; none: all.
    std::optional<Shape> input_mask, output_mask;
    std::vector<VariableInfo> variables;  // Keras' weight order
    std::int64_t parameters = 0;
    std::int64_t multiply_adds = 0;     // forward, one sample
    std::int64_t activation_bytes = 0;  // output of one sample, float32
    std::string error;                  // "expected input rank 4 (rows, columns, channels and batch), got (None, 64)"; empty when known
    int error_field = -1;               // index into the schema's fields when one field is to blame
};

}  // namespace engine::spec
