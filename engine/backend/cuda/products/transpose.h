// A matrix turned on its side, in another type if need be: (rows, columns) of `from` to (columns, rows). float32 and bfloat16.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "engine/tensor/dtype.h"

namespace engine::backend::cuda {

void enqueueTranspose(cudaStream_t stream, const void* from, tensor::DType from_type, void* to, tensor::DType to_type, std::int64_t rows,
                      std::int64_t columns);

}  // namespace engine::backend::cuda
