// How threads share the elements of a row (engine/backend/row_lanes.h), and sums over a block: in the order of a tree that depends on the
// block's size alone. Only .cu files include it. Blocks have whole warps; every thread of a block calls what joins threads.
#pragma once

#include <cstdint>

#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/row_lanes.h"

namespace engine::backend::cuda {

inline constexpr int kMostWarps = 32;

__device__ inline bool comesFirst(PlacedValue a, PlacedValue b) {
    return b.value < a.value || (a.value == b.value && a.index < b.index);
}

// `width` neighbours of a warp, a power of two, have a row of their own; all rows of a warp go through the same calls.
struct WarpLanes {
    int width;

    __device__ std::int64_t first() const { return static_cast<int>(threadIdx.x) & (width - 1); }
    __device__ std::int64_t step() const { return width; }
    template <typename Number>
    __device__ Number added(Number mine) const {
        return warpSum(mine, width);
    }
    __device__ double sum(double mine) const { return added(mine); }
    template <typename Real>
    __device__ Real largest(Real mine) const {
        return warpReduce(mine, Maximum{}, width);
    }
    __device__ PlacedValue largest(PlacedValue mine) const {
        for (int distance = width / 2; distance > 0; distance /= 2) {
            PlacedValue other;
            other.value = __shfl_xor_sync(kAllLanes, mine.value, distance);
            other.index = static_cast<std::int64_t>(__shfl_xor_sync(kAllLanes, static_cast<long long>(mine.index), distance));
            if (comesFirst(other, mine)) mine = other;
        }
        return mine;
    }
};

// blockSum() of a block whose size the host chooses.
template <typename Number>
__device__ Number sumOfBlock(Number mine) {
    __shared__ Number of_warp[kMostWarps];
    mine = warpSum(mine);
    __syncthreads();  // who still reads the last sum
    if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = mine;
    __syncthreads();
    Number sum = of_warp[0];
    for (unsigned warp = 1; warp < blockDim.x / kWarp; ++warp) sum += of_warp[warp];
    return sum;
}

// A whole block has one row.
struct BlockLanes {
    __device__ std::int64_t first() const { return threadIdx.x; }
    __device__ std::int64_t step() const { return blockDim.x; }
    __device__ void sync() const { __syncthreads(); }
    template <typename Number>
    __device__ Number added(Number mine) const {
        return sumOfBlock(mine);
    }
    __device__ double sum(double mine) const { return sumOfBlock(mine); }
    template <typename Real>
    __device__ Real largest(Real mine) const {
        __shared__ Real of_warp[kMostWarps];
        mine = WarpLanes{kWarp}.largest(mine);
        __syncthreads();
        if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = mine;
        __syncthreads();
        Real best = of_warp[0];
        for (unsigned warp = 1; warp < blockDim.x / kWarp; ++warp) best = best < of_warp[warp] ? of_warp[warp] : best;
        return best;
    }
    __device__ PlacedValue largest(PlacedValue mine) const {
        __shared__ float values[kMostWarps];
        __shared__ std::int64_t indices[kMostWarps];
        mine = WarpLanes{kWarp}.largest(mine);
        __syncthreads();
        if (threadIdx.x % kWarp == 0) {
            values[threadIdx.x / kWarp] = mine.value;
            indices[threadIdx.x / kWarp] = mine.index;
        }
        __syncthreads();
        PlacedValue best{values[0], indices[0]};
        for (unsigned warp = 1; warp < blockDim.x / kWarp; ++warp) {
            const PlacedValue other{values[warp], indices[warp]};
            if (comesFirst(other, best)) best = other;
        }
        return best;
    }
};

// Rows of `columns` dealt to threads: narrow ones to some lanes of a warp, so that none or few are idle; wide ones to a block.
inline constexpr std::int64_t kWideRow = 1024;
inline int lanesOfRow(std::int64_t columns) {
    int lanes = 1;
    while (lanes < kWarp && lanes * 4 < columns) lanes *= 2;
    return lanes;
}

}  // namespace engine::backend::cuda
