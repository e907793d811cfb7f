// Kernels: how they are started, and what they share. Only .cu files include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

#include "engine/backend/cuda/status.h"

namespace engine::backend::cuda {

struct Grid {
    dim3 blocks{1};
    dim3 threads{1};
    std::size_t shared_bytes = 0;  // dynamicShared()
};

// One thread an element, in blocks of `threads`.
inline Grid gridOf(std::int64_t elements, unsigned threads = 256) {
    return {.blocks = dim3(static_cast<unsigned>((elements + threads - 1) / threads)), .threads = dim3(threads)};
}

// Throws Error naming `what` when the launch is refused. Nothing happens for an empty grid.
template <typename... Parameters>
void launch(const char* what, const Grid& grid, cudaStream_t stream, void (*kernel)(Parameters...),
            std::type_identity_t<Parameters>... arguments) {
    if (grid.blocks.x == 0 || grid.blocks.y == 0 || grid.blocks.z == 0) return;
    cudaLaunchConfig_t config{};
    config.gridDim = grid.blocks;
    config.blockDim = grid.threads;
    config.dynamicSmemBytes = grid.shared_bytes;
    config.stream = stream;
    check(cudaLaunchKernelEx(&config, kernel, arguments...), what);
}

// The block's memory of Grid::shared_bytes, aligned to 16 bytes.
template <typename T>
__device__ T* dynamicShared() {
#ifdef TANDEM_CUDA_EMULATED
    return static_cast<T*>(cuda_emulator::dynamicShared());
#else
    extern __shared__ float4 block_memory[];
    return reinterpret_cast<T*>(block_memory);
#endif
}

// What a block of the current device may have of it.
inline std::int64_t sharedLimit() {
    int device = 0, bytes = 0;
    check(cudaGetDevice(&device), "device");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "shared memory");
    return bytes;
}
// Called before the first launch of a kernel that may take more than 48 KiB of shared memory, all of it by dynamicShared(): it may then
// take what there is. The kernel's attribute is one for all ops that launch it, so that it must not be what one of them needs.
template <typename... Parameters>
void allowShared(const char* what, void (*kernel)(Parameters...)) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedLimit())), what);
}

}  // namespace engine::backend::cuda
