// Neighbouring images with zeros around them. A row is copied when it is asked for: whoever reads it next finds it in the first-level
// cache.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/backend/cpu/convolution/convolution_geometry.h"

namespace engine::backend::cpu {

// Sizes of one image in floats, and what lies around it: rows above and below, floats before and behind each row.
struct ImageFrame {
    std::int64_t rows = 0, row = 0;
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;
    bool isPadded() const { return top != 0 || bottom != 0 || left != 0 || right != 0; }
    std::int64_t paddedRows() const { return top + rows + bottom; }
    std::int64_t paddedRow() const { return left + row + right; }
};

// The samples of a convolution's input.
ImageFrame frameOf(const ConvolutionGeometry& geometry);

class PaddedImages {
public:
    // Images lie side by side in `images`. Copies go into `scratch`, one behind the other, and none is made where nothing lies around them.
    PaddedImages(const ImageFrame& frame, const float* images, float* scratch);
    // Images that have their zeros already, `distance` floats apart.
    PaddedImages(const float* padded, std::int64_t distance, std::int64_t row);

    // Values are there in the rows that makeRows() has made.
    const float* values() const { return values_; }
    std::int64_t distance() const { return distance_; }  // from one image to the next, in floats
    std::int64_t row() const { return row_; }
    // Makes the rows of an image up to `end`, counted with those above it. Images are asked for in order, and rows in order within one.
    void makeRows(std::int64_t image, std::int64_t end);

private:
    void makeRow(std::int64_t image, std::int64_t padded_row);

    ImageFrame frame_;
    const float *images_ = nullptr, *values_ = nullptr;
    float* copies_ = nullptr;  // null: values are the images themselves
    std::int64_t distance_ = 0, row_ = 0;
    std::int64_t image_ = 0, made_ = 0;
};

}  // namespace engine::backend::cpu
