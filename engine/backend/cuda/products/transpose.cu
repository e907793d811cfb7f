#include "engine/backend/cuda/products/transpose.h"

#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

constexpr int kTile = 32, kRows = 8;

template <typename From, typename To>
__global__ void transposeKernel(const From* from, To* to, std::int64_t rows, std::int64_t columns, std::int64_t tiles_across) {
    __shared__ float tile[kTile][kTile + 1];
    const std::int64_t top = blockIdx.x / tiles_across * kTile, left = blockIdx.x % tiles_across * kTile;
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    for (int i = y; i < kTile; i += kRows) {
        if (top + i < rows && left + x < columns) tile[i][x] = toFloat(from[(top + i) * columns + left + x]);
    }
    __syncthreads();
    for (int i = y; i < kTile; i += kRows) {
        if (left + i < columns && top + x < rows) to[(left + i) * rows + top + x] = fromFloat<To>(tile[x][i]);
    }
}

}  // namespace

void enqueueTranspose(cudaStream_t stream, const void* from, tensor::DType from_type, void* to, tensor::DType to_type, std::int64_t rows,
                      std::int64_t columns) {
    plan::TensorDesc source, target;
    source.name = target.name = "kernel";
    source.dtype = from_type;
    target.dtype = to_type;
    withValues(source, [&]<typename From>() {
        withValues(target, [&]<typename To>() {
            const std::int64_t across = (columns + kTile - 1) / kTile, down = (rows + kTile - 1) / kTile;
            const Grid grid{.blocks = dim3(static_cast<unsigned>(across * down)), .threads = dim3(kTile, kRows)};
            launch("transpose", grid, stream, transposeKernel<From, To>, static_cast<const From*>(from), static_cast<To*>(to), rows,
                   columns, across);
        });
    });
}

}  // namespace engine::backend::cuda
