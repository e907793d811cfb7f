// Sums and maxima over the threads of a warp or a block, in an order that depends on their number alone. Only .cu files include it.
#pragma once

#include <cstdint>

#include "engine/backend/cuda/kernels/launch.h"

namespace engine::backend::cuda {

inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;
inline constexpr int kWarp = 32;

struct Sum {
    template <typename T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};
struct Maximum {
    template <typename T>
    __device__ T operator()(T a, T b) const {
        return a > b ? a : b;
    }
};

// Combines over each group of `lanes` (a power of two) neighbouring lanes: all of them get the result. The whole warp calls it.
template <typename T, typename Combine>
__device__ T warpReduce(T value, Combine combine, int lanes = kWarp) {
    for (int bits = lanes / 2; bits > 0; bits /= 2) {
        // The same two operands in the same order on both sides.
        const T other = __shfl_xor_sync(kAllLanes, value, bits);
        value = (threadIdx.x & static_cast<unsigned>(bits)) == 0 ? combine(value, other) : combine(other, value);
    }
    return value;
}
template <typename T>
__device__ T warpSum(T value, int lanes = kWarp) {
    return warpReduce(value, Sum{}, lanes);
}

// Combines over a one-dimensional block of kThreads (a multiple of 32, all of which call it): all get the result. May be called again at
// once.
template <int kThreads, typename T, typename Combine>
__device__ T blockReduce(T value, Combine combine) {
    static_assert(kThreads % kWarp == 0 && kThreads <= 1024);
    constexpr int kWarps = kThreads / kWarp;
    value = warpReduce(value, combine);
    if constexpr (kWarps > 1) {
        __shared__ T of_warps[kWarps];
        if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = value;
        __syncthreads();
        value = of_warps[0];
        for (int i = 1; i < kWarps; ++i) value = combine(value, of_warps[i]);
        __syncthreads();
    }
    return value;
}
template <int kThreads, typename T>
__device__ T blockSum(T value) {
    return blockReduce<kThreads>(value, Sum{});
}

}  // namespace engine::backend::cuda
