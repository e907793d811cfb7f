// Values as kernels see them: float32, bfloat16 or float16 in memory, float in registers, in vectors of 16 bytes where the memory allows
// it. Only .cu files include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "engine/plan/plan.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {

__device__ inline float toFloat(float value) {
    return value;
}
__device__ inline float toFloat(__nv_bfloat16 value) {
    return __bfloat162float(value);
}
__device__ inline float toFloat(__half value) {
    return __half2float(value);
}
template <typename T>
__device__ T fromFloat(float value) {
    if constexpr (std::is_same_v<T, __nv_bfloat16>) {
        return __float2bfloat16_rn(value);
    } else if constexpr (std::is_same_v<T, __half>) {
        return __float2half_rn(value);
    } else {
        return value;
    }
}

// What one access moves; as float32 it has as many values as fit.
inline constexpr int kVectorBytes = 16;
template <typename T>
inline constexpr int kVectorOf = kVectorBytes / static_cast<int>(sizeof(T));

// Values side by side, aligned so that they are one access.
template <typename T, int count>
struct alignas(sizeof(T) * count) Pack {
    T values[count];
};
template <int count, typename T>
__device__ void loadPack(const T* from, float (&to)[count]) {
    const Pack<T, count> pack = *reinterpret_cast<const Pack<T, count>*>(from);
#pragma unroll
    for (int i = 0; i < count; ++i) to[i] = toFloat(pack.values[i]);
}
template <int count, typename T>
__device__ void storePack(T* to, const float (&from)[count]) {
    Pack<T, count> pack;
#pragma unroll
    for (int i = 0; i < count; ++i) pack.values[i] = fromFloat<T>(from[i]);
    *reinterpret_cast<Pack<T, count>*>(to) = pack;
}

// Calls function.template operator()<T>() for the type of a tensor's values.
template <typename Function>
void withValues(const plan::TensorDesc& tensor, Function&& function) {
    switch (tensor.dtype) {
        case tensor::DType::kFloat32:
            return function.template operator()<float>();
        case tensor::DType::kBFloat16:
            return function.template operator()<__nv_bfloat16>();
        case tensor::DType::kFloat16:
            return function.template operator()<__half>();
        default:
            throw Error(ErrorCode::kUnimplemented,
                        tensor.name + ": no kernel for values of " + std::string(tensor::toString(tensor.dtype)));
    }
}

// The same with a whole number of that size in the place of the type, for ops that move values and look at none.
template <typename Function>
void withBits(const plan::TensorDesc& tensor, Function&& function) {
    switch (tensor::sizeOf(tensor.dtype)) {
        case sizeof(std::uint32_t):
            return function.template operator()<std::uint32_t>();
        case sizeof(std::uint16_t):
            return function.template operator()<std::uint16_t>();
        default:
            throw Error(ErrorCode::kUnimplemented,
                        tensor.name + ": no kernel for values of " + std::string(tensor::toString(tensor.dtype)));
    }
}
template <int count, typename Bits>
__device__ void copyPack(const Bits* from, Bits* to) {
    *reinterpret_cast<Pack<Bits, count>*>(to) = *reinterpret_cast<const Pack<Bits, count>*>(from);
}

// True when vectors of T may be read or written at that memory.
template <typename T>
bool isAligned(const T* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % kVectorBytes == 0;
}
template <typename... Memory>
bool areAligned(const Memory*... memory) {
    return (isAligned(memory) && ...);
}

}  // namespace engine::backend::cuda
