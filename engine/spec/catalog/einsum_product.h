// The equation of a Keras EinsumDense, X,Y->Z, as one product of matrices: the axes of X that stay are its rows, those that Y has too are
// summed over, and what else Y has are its columns. With ... on the left or on the right of X and Z, axes without a letter stay.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/spec/model_spec.h"
#include "engine/spec/shape.h"

namespace engine::spec {

// Axes count from 0 without the batch's.
struct EinsumProduct {
    std::vector<int> input_order;  // the input's axes: those that stay, then those that are summed over, as the kernel has them
    std::size_t rows = 0;          // how many of them stay
    Shape kernel;                  // the sizes that are summed over, then those of the columns
    std::int64_t inputs = 1, columns = 1;
    std::vector<int> output_order;  // axis i of the output is axis output_order[i] of the rows and columns
    Shape output;
    Shape bias;                  // empty: none
    std::vector<int> bias_axes;  // of the output: those along which the bias has a number for each place
};

// What is wrong, and the field to blame (empty: the input).
struct EinsumFault {
    std::string field, message;
};

// Reads equation, output_shape and bias_axes of a layer over an input without the batch.
std::variant<EinsumProduct, EinsumFault> readEinsum(const LayerSpec& layer, const Shape& input);

}  // namespace engine::spec
