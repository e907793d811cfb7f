// Weights as pictures, one a filter.
#pragma once

#include <span>
#include <vector>

#include "engine/export/png_writer.h"
#include "engine/spec/model_spec.h"

namespace engine::train {

// Makes the pictures that Keras' TensorBoard callback makes, which drops axes of size 1 first: (n) is a column, (rows, columns) one
// picture, lying; (height, width, filters) one a filter; and (height, width, 3, filters) one a filter in colours, as the first layer of a
// net for photographs has them. There are at most 64. The least value of the weight is black, its largest white. Empty for every other
// shape.
std::vector<exporter::Picture> weightPictures(const spec::Shape& shape, std::span<const float> values);

}  // namespace engine::train
