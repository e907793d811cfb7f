// How far the rows or columns of a matrix are from right angles: the kernels that a regularizer's value and slope launch. Only .cu files
// include it.
#pragma once

#include <cstdint>

#include "engine/backend/cuda/bound_op.h"
#include "engine/plan/loss_attributes.h"
#include "engine/spec/shape.h"

namespace engine::backend::cuda {

struct OrthogonalMatrix {
    const float* values = nullptr;
    std::int64_t count = 0, length = 0, vector_step = 0, element_step = 0;
    double factor = 0;  // over the number of pairs
};
OrthogonalMatrix orthogonalMatrix(const plan::Penalty& penalty, const spec::Shape& shape, const float* values);

// Bytes of scratch for both.
std::int64_t orthogonalScratch(const OrthogonalMatrix& matrix);
// Writes each vector's part of the penalty to `parts` (count).
void launchOrthogonalParts(const OrthogonalMatrix& matrix, double* parts, cudaStream_t stream, std::byte* scratch);
// A slope, in place of an element-wise one.
BoundOp bindOrthogonalSlope(const Context& context, const plan::Op& op);

}  // namespace engine::backend::cuda
