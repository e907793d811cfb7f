// Devices, errors and launches of the emulator.
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "tests/support/cuda_emulator/blocks.h"
#include "tests/support/cuda_emulator/emulator.h"
#include "tests/support/cuda_emulator/state.h"

namespace cuda_emulator {
namespace {

const cudaDeviceProp& propertiesOf(int device) {
    static cudaDeviceProp properties = [] {
        cudaDeviceProp one{};
        const std::string name = "Emulated GPU";
        std::copy(name.begin(), name.end(), one.name);
        one.sharedMemPerBlock = kSharedWithoutAsking;
        one.sharedMemPerBlockOptin = kSharedLimit;
        one.sharedMemPerMultiprocessor = kSharedLimit + 1024;
        one.warpSize = 32;
        one.maxThreadsPerBlock = 1024;
        one.maxThreadsPerMultiProcessor = 2048;
        one.major = 9;
        one.multiProcessorCount = 4;
        one.l2CacheSize = 1 << 20;
        return one;
    }();
    properties.totalGlobalMem = state().capacity;
    properties.pciBusID = device + 1;
    properties.uuid.bytes[0] = static_cast<char>(device + 1);
    return properties;
}

}  // namespace

cudaError_t allowShared(const void* kernel, std::size_t bytes) {
    const Lock lock(state().mutex);
    if (bytes > kSharedLimit) return failed(cudaErrorInvalidValue);
    state().shared_limits[kernel] = bytes;
    return cudaSuccess;
}

cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> body) {
    const Lock lock(state().mutex);
    const dim3 &grid = config.gridDim, &block = config.blockDim;
    const std::size_t threads = std::size_t{block.x} * block.y * block.z;
    const auto asked = state().shared_limits.find(kernel);
    const std::size_t allowed = asked == state().shared_limits.end() ? kSharedWithoutAsking : asked->second;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7FFFFFFFU || grid.y > 65535 || grid.z > 65535 || threads == 0 ||
        threads > 1024 || block.z > 64) {
        return failed(cudaErrorInvalidConfiguration);
    }
    if (config.dynamicSmemBytes > std::max(allowed, kSharedWithoutAsking)) return failed(cudaErrorInvalidValue);
    const Kernel one{.grid = grid, .block = block, .shared_bytes = config.dynamicSmemBytes, .body = std::move(body)};
    return issue(config.stream, [one] {
        const Reach reach;
        ++state().launches;
        const std::string error = runKernel(one);
        if (error.empty()) return cudaSuccess;
        std::cerr << "cuda emulator: " << error << '\n';
        return cudaErrorLaunchFailure;
    });
}

}  // namespace cuda_emulator

using cuda_emulator::failed;
using cuda_emulator::Lock;
using cuda_emulator::state;

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
        case cudaSuccess:
            return "cudaSuccess";
        case cudaErrorInvalidValue:
            return "cudaErrorInvalidValue";
        case cudaErrorMemoryAllocation:
            return "cudaErrorMemoryAllocation";
        case cudaErrorInvalidConfiguration:
            return "cudaErrorInvalidConfiguration";
        case cudaErrorNoDevice:
            return "cudaErrorNoDevice";
        case cudaErrorLaunchFailure:
            return "cudaErrorLaunchFailure";
        default:
            return "cudaErrorUnknown";
    }
}
const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess:
            return "no error";
        case cudaErrorInvalidValue:
            return "invalid argument";
        case cudaErrorMemoryAllocation:
            return "out of memory";
        case cudaErrorInvalidConfiguration:
            return "invalid configuration argument";
        case cudaErrorNoDevice:
            return "no CUDA-capable device is detected";
        case cudaErrorLaunchFailure:
            return "unspecified launch failure";
        case cudaErrorStreamCaptureUnsupported:
            return "operation not permitted when stream is capturing";
        case cudaErrorStreamCaptureUnjoined:
            return "capture has work that was not joined to its stream";
        default:
            return "unknown error";
    }
}
cudaError_t cudaGetLastError() {
    return std::exchange(cuda_emulator::last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
    return cuda_emulator::last_error;
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = state().devices > 0 ? CUDART_VERSION : 0;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = state().devices;
    return *count > 0 ? cudaSuccess : failed(cudaErrorNoDevice);
}
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= state().devices) return failed(cudaErrorInvalidDevice);
    cuda_emulator::chosen_device = device;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = cuda_emulator::chosen_device;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device < 0 || device >= state().devices) return failed(cudaErrorInvalidDevice);
    const Lock lock(state().mutex);
    *properties = cuda_emulator::propertiesOf(device);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    cudaDeviceProp properties;
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device); error != cudaSuccess) return error;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            *value = properties.maxThreadsPerBlock;
            break;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            *value = static_cast<int>(properties.sharedMemPerBlock);
            break;
        case cudaDevAttrWarpSize:
            *value = properties.warpSize;
            break;
        case cudaDevAttrMultiProcessorCount:
            *value = properties.multiProcessorCount;
            break;
        case cudaDevAttrComputeCapabilityMajor:
            *value = properties.major;
            break;
        case cudaDevAttrComputeCapabilityMinor:
            *value = properties.minor;
            break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            *value = static_cast<int>(properties.sharedMemPerBlockOptin);
            break;
    }
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    const Lock lock(state().mutex);
    if (const cudaError_t error = cuda_emulator::refuseWhileCapturing(); error != cudaSuccess) return error;
    ++state().waits;
    return cuda_emulator::drainAll();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    const Lock lock(state().mutex);
    const std::size_t used = state().allocated(cuda_emulator::chosen_device);
    *total = state().capacity;
    *free = used < state().capacity ? state().capacity - used : 0;
    return cudaSuccess;
}
