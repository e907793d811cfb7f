// Kernels that make each value, or each row, on its own. Only .cu files include it.
#pragma once

#include <cstdint>

#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/reduce.h"

namespace engine::backend::cuda {

// work.run<w>(at) makes the values at .. at + w - 1.
template <int width, typename Work>
__global__ void pointwiseKernel(Work work, std::int64_t count) {
    const std::int64_t begin = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * width;
    if (begin + width <= count) {
        work.template run<width>(begin);
    } else {
        for (std::int64_t at = begin; at < count; ++at) work.template run<1>(at);
    }
}
// Launches `work` over `count` values: in vectors of `width` where all memory is aligned for them, else one by one.
template <int width, typename Work>
void launchPointwise(const char* what, const Work& work, std::int64_t count, bool is_aligned, cudaStream_t stream) {
    if (is_aligned && width > 1) {
        launch(what, gridOf((count + width - 1) / width), stream, pointwiseKernel<width, Work>, work, count);
    } else {
        launch(what, gridOf(count), stream, pointwiseKernel<1, Work>, work, count);
    }
}

// The threads that share a row: neighbouring lanes of a warp, or a block. All of them call what joins them.
struct LanesOfRow {
    int lanes;
    __device__ std::int64_t first() const { return static_cast<int>(threadIdx.x) & (lanes - 1); }
    __device__ std::int64_t step() const { return lanes; }
    template <typename Number, typename Combine>
    __device__ Number reduce(Number mine, Combine combine) const {
        return warpReduce(mine, combine, lanes);
    }
};
inline constexpr int kThreadsOfWideRow = 256;
struct BlockOfRow {
    __device__ std::int64_t first() const { return threadIdx.x; }
    __device__ std::int64_t step() const { return kThreadsOfWideRow; }
    template <typename Number, typename Combine>
    __device__ Number reduce(Number mine, Combine combine) const {
        return blockReduce<kThreadsOfWideRow>(mine, combine);
    }
};

// work.run(row, is_row, threads): lanes without a row get the first one and store nothing.
template <typename Work>
__global__ void narrowRowsKernel(Work work, std::int64_t rows, int lanes) {
    const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
    work.run(row < rows ? row : 0, row < rows, LanesOfRow{lanes});
}
template <typename Work>
__global__ void wideRowsKernel(Work work) {
    work.run(static_cast<std::int64_t>(blockIdx.x), true, BlockOfRow{});
}
// Launches `work` over rows of `columns` values: a wide row has a block of its own, any other row as many lanes as it keeps busy.
template <typename Work>
void launchRows(const char* what, const Work& work, std::int64_t rows, std::int64_t columns, cudaStream_t stream) {
    constexpr std::int64_t kWide = 1024, kValuesOfLane = 4;
    if (columns > kWide) {
        const Grid grid{.blocks = dim3(static_cast<unsigned>(rows)), .threads = dim3(kThreadsOfWideRow)};
        launch(what, grid, stream, wideRowsKernel<Work>, work);
        return;
    }
    int lanes = 1;
    while (lanes < kWarp && lanes * kValuesOfLane < columns) lanes *= 2;
    launch(what, gridOf(rows * lanes), stream, narrowRowsKernel<Work>, work, rows, lanes);
}

}  // namespace engine::backend::cuda
