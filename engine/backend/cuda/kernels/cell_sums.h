// Sums of the gradients that many pixels add to a cell of an image. Only .cu files include it.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {

// The way back adds from many pixels to a cell, in whole numbers: their sum has no order. The largest gradient of an image tells the unit.
inline constexpr int kUnitBits = 40;  // of the largest gradient; leaves 2^22 pixels room in a sum
inline constexpr int kBackThreads = 256;

// A block an image: clears its sums.
template <typename T>
__global__ void gradientUnitsKernel(std::int64_t values, const T* dy, unsigned long long* sums, float* largest) {
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * values;
    float mine = 0;
    int is_finite = 1;
    for (std::int64_t i = threadIdx.x; i < values; i += kBackThreads) {
        const float size = fabsf(toFloat(dy[begin + i]));
        mine = size > mine ? size : mine;
        is_finite = size - size == 0 ? is_finite : 0;
        sums[begin + i] = 0;
    }
    mine = blockReduce<kBackThreads>(mine, Maximum{});
    is_finite = -blockReduce<kBackThreads>(-is_finite, Maximum{});
    if (threadIdx.x == 0) largest[blockIdx.x] = is_finite != 0 ? mine : mine - mine + NAN;
}

__device__ inline double unitOf(float largest) {
    int exponent = 0;
    static_cast<void>(frexpf(largest, &exponent));
    return ldexp(1.0, exponent - kUnitBits);
}

template <typename T>
struct SumsToGradients {
    const unsigned long long* sums;
    const float* largest;
    Division values;  // of an image
    T* dx;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const float most = largest[values(at).quotient];
        const double sum = most > 0 ? static_cast<double>(static_cast<long long>(sums[at])) * unitOf(most) : most;
        dx[at] = fromFloat<T>(static_cast<float>(sum));
    }
};

}  // namespace engine::backend::cuda
