// An array as the readers of arrays give it, and how two of them become a set of samples.
#pragma once

#include <string>

#include "engine/data/dataset.h"

namespace engine::data {

struct Array {
    std::string source;  // of messages: the file, and the array in it
    spec::Shape shape;
    tensor::DType dtype = tensor::DType::kUInt8;  // kUInt8, kInt32 or kFloat32
    ByteBuffer values;                            // C order
};

// Samples (n, ...) with labels (n, ...): the first axis of both counts. Throws Error(kInvalidArgument) naming the array: no axis, different
// counts, no samples or more than 2^32 - 2.
Samples pairArrays(Array samples, Array labels);

}  // namespace engine::data
