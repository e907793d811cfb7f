// SpectralNormalization's arithmetic, of which every back-end has the same parts: the kernel as a matrix (rows, columns) of its last axis.
// A round makes v = W u / |W u| and u = W^T v / |W^T v|; the largest singular value is then |W^T v|. Sums are of doubles.
#pragma once

#include <cmath>

#include "engine/tensor/device_function.h"

namespace engine::backend {

// What a vector is multiplied with to have the length 1, by the sum of its squares. Keras has it no larger than that, so that a vector of
// zeros stays one.
TANDEM_DEVICE inline double overLength(double squares) {
    constexpr double kLargest = 1e7;
    const double over = 1 / std::sqrt(squares);
    return over < kLargest ? over : kLargest;
}

}  // namespace engine::backend
