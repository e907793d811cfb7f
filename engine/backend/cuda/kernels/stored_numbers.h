// Numbers that an op's attributes hold, put into device memory by kernels' parameters: a step's graph reads no host memory. Only .cu files
// include it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/backend/cuda/kernels/pointwise.h"

namespace engine::backend::cuda {

// What one launch carries: a kernel's parameters have 4 KB.
inline constexpr int kMostNumbers = 768;
template <int most>
struct Numbers {
    float values[most];
    int count;
};
template <int most>
__global__ void storeNumbersKernel(Numbers<most> numbers, float* to) {
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (at < numbers.count) to[at] = numbers.values[at];
}
inline void storeNumbers(const std::vector<float>& values, float* to, cudaStream_t stream) {
    for (std::size_t begin = 0; begin < values.size(); begin += kMostNumbers) {
        Numbers<kMostNumbers> numbers{};
        numbers.count = static_cast<int>(std::min<std::size_t>(kMostNumbers, values.size() - begin));
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(begin), numbers.count, numbers.values);
        launch("StoreNumbers", gridOf(numbers.count), stream, storeNumbersKernel<kMostNumbers>, numbers, to + begin);
    }
}

}  // namespace engine::backend::cuda
