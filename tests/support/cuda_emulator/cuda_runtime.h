// Found before the real one by the include path: see emulator.h. The names and shapes are those of NVIDIA's runtime, as far as the engine
// uses them; what is missing does not compile (no floating-point atomics, no <<<>>>).
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#define TANDEM_CUDA_EMULATED 1

#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define CUDART_INF_F (__builtin_huge_valf())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_VERSION 13000

// --- Types ---

#define TANDEM_EMULATED_VECTORS(TYPE, NAME, ALIGN2, ALIGN4)         \
    struct NAME##1 {                                                \
        TYPE x;                                                     \
    };                                                              \
    struct alignas(ALIGN2) NAME##2 {                                \
        TYPE x, y;                                                  \
    };                                                              \
    struct NAME##3 {                                                \
        TYPE x, y, z;                                               \
    };                                                              \
    struct alignas(ALIGN4) NAME##4 {                                \
        TYPE x, y, z, w;                                            \
    };                                                              \
    inline NAME##2 make_##NAME##2(TYPE x, TYPE y) {                 \
        return {x, y};                                              \
    }                                                               \
    inline NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) {         \
        return {x, y, z};                                           \
    }                                                               \
    inline NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { \
        return {x, y, z, w};                                        \
    }
TANDEM_EMULATED_VECTORS(signed char, char, 2, 4)
TANDEM_EMULATED_VECTORS(unsigned char, uchar, 2, 4)
TANDEM_EMULATED_VECTORS(short, short, 4, 8)
TANDEM_EMULATED_VECTORS(unsigned short, ushort, 4, 8)
TANDEM_EMULATED_VECTORS(int, int, 8, 16)
TANDEM_EMULATED_VECTORS(unsigned, uint, 8, 16)
TANDEM_EMULATED_VECTORS(float, float, 8, 16)
TANDEM_EMULATED_VECTORS(long long, longlong, 16, 16)
TANDEM_EMULATED_VECTORS(unsigned long long, ulonglong, 16, 16)
TANDEM_EMULATED_VECTORS(double, double, 16, 16)
#undef TANDEM_EMULATED_VECTORS

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorECCUncorrectable = 214,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorUnknown = 999,
};
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};
inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2;
inline constexpr unsigned cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4;
inline constexpr unsigned cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleBlockingSync = 4;

namespace cuda_emulator {
struct Stream;
struct Event;
struct Graph;
}  // namespace cuda_emulator
using cudaStream_t = cuda_emulator::Stream*;
using cudaEvent_t = cuda_emulator::Event*;
using cudaGraph_t = cuda_emulator::Graph*;
using cudaGraphExec_t = const cuda_emulator::Graph*;
struct cudaGraphNodeTag;
using cudaGraphNode_t = cudaGraphNodeTag*;

struct cudaUUID_t {
    char bytes[16];
};
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    int warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor, major, minor, multiProcessorCount, l2CacheSize;
    int pciBusID, pciDeviceID, pciDomainID;
};
struct cudaLaunchAttribute {
    int id;
    union {
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim{}, blockDim{};
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute* attrs = nullptr;
    unsigned numAttrs = 0;
};

// --- The host's calls ---

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* memory);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream = nullptr);
template <typename T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
template <typename T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes) {
    return cudaMallocHost(reinterpret_cast<void**>(memory), bytes);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* runnable, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t runnable, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t runnable, cudaStream_t stream);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t runnable);

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

namespace cuda_emulator {

cudaError_t allowShared(const void* kernel, std::size_t bytes);
// `body` is one thread's run of the kernel.
cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> body);

// --- What a kernel's thread asks ---

void* dynamicShared();
using Line = std::source_location;  // of a barrier: all threads have to meet at the same one
void syncThreads(const Line& line);
int syncThreadsCount(int predicate, const Line& line);
int syncThreadsOr(int predicate, const Line& line);
int syncThreadsAnd(int predicate, const Line& line);
// All lanes of `mask` meet; each leaves `value`, and reads what `source` (of 32) left.
struct Exchange {
    unsigned arrived = 0;  // lanes that are in the mask and exist
    std::uint64_t values[32] = {};
};
const Exchange& exchange(unsigned mask, std::uint64_t value);
int lane();
[[noreturn]] void trap(const char* what);

template <typename T>
std::uint64_t toBits(T value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename T>
T fromBits(std::uint64_t bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
}
// Acts as the hardware does: a lane whose source does not exist keeps its own value.
template <typename T>
T shuffle(unsigned mask, T value, int source, bool in_range) {
    const Exchange& all = exchange(mask, toBits(value));
    if (!in_range || (all.arrived >> source & 1U) == 0) return value;
    return fromBits<T>(all.values[source]);
}

}  // namespace cuda_emulator

template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
    std::tuple<std::remove_cv_t<Parameters>...> values(std::forward<Arguments>(arguments)...);
    return cuda_emulator::launch(*config, reinterpret_cast<const void*>(kernel), [kernel, values] { std::apply(kernel, values); });
}
template <typename... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    return cuda_emulator::allowShared(reinterpret_cast<const void*>(kernel), static_cast<std::size_t>(value));
}
template <typename... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*)(Parameters...), int threads, std::size_t) {
    *blocks = 2048 / threads;
    return cudaSuccess;
}

// --- The language of kernels ---

inline void __syncthreads(const cuda_emulator::Line& line = cuda_emulator::Line::current()) {
    cuda_emulator::syncThreads(line);
}
inline int __syncthreads_count(int predicate, const cuda_emulator::Line& line = cuda_emulator::Line::current()) {
    return cuda_emulator::syncThreadsCount(predicate, line);
}
inline int __syncthreads_or(int predicate, const cuda_emulator::Line& line = cuda_emulator::Line::current()) {
    return cuda_emulator::syncThreadsOr(predicate, line);
}
inline int __syncthreads_and(int predicate, const cuda_emulator::Line& line = cuda_emulator::Line::current()) {
    return cuda_emulator::syncThreadsAnd(predicate, line);
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFFU) {
    cuda_emulator::exchange(mask, 0);
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
    const cuda_emulator::Exchange& all = cuda_emulator::exchange(mask, predicate != 0 ? 1 : 0);
    unsigned bits = 0;
    for (int i = 0; i < 32; ++i)
        if ((all.arrived >> i & 1U) != 0 && all.values[i] != 0) bits |= 1U << i;
    return bits;
}
inline int __any_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate == 0 ? 1 : 0) == 0 ? 1 : 0;
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    const int base = cuda_emulator::lane() / width * width;
    return cuda_emulator::shuffle(mask, value, base + (source & (width - 1)), true);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const int lane = cuda_emulator::lane(), source = lane + static_cast<int>(delta);
    return cuda_emulator::shuffle(mask, value, source & 31, source < lane / width * width + width);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const int lane = cuda_emulator::lane(), source = lane - static_cast<int>(delta);
    return cuda_emulator::shuffle(mask, value, source & 31, source >= lane / width * width);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
    const int lane = cuda_emulator::lane(), source = lane ^ bits;
    return cuda_emulator::shuffle(mask, value, source & 31, source < lane / width * width + width);
}
inline void __threadfence() {}
inline void __threadfence_block() {}
[[noreturn]] inline void __trap() {
    cuda_emulator::trap("__trap()");
}

// One thread runs at a time: plain reads and writes are atomic. Whole numbers alone, see engine/backend/cuda/bound_op.h.
#define TANDEM_EMULATED_ATOMIC(TYPE)                             \
    inline TYPE atomicAdd(TYPE* at, TYPE value) {                \
        const TYPE old = *at;                                    \
        *at = old + value;                                       \
        return old;                                              \
    }                                                            \
    inline TYPE atomicMax(TYPE* at, TYPE value) {                \
        const TYPE old = *at;                                    \
        *at = old < value ? value : old;                         \
        return old;                                              \
    }                                                            \
    inline TYPE atomicMin(TYPE* at, TYPE value) {                \
        const TYPE old = *at;                                    \
        *at = value < old ? value : old;                         \
        return old;                                              \
    }                                                            \
    inline TYPE atomicOr(TYPE* at, TYPE value) {                 \
        const TYPE old = *at;                                    \
        *at = old | value;                                       \
        return old;                                              \
    }                                                            \
    inline TYPE atomicAnd(TYPE* at, TYPE value) {                \
        const TYPE old = *at;                                    \
        *at = old & value;                                       \
        return old;                                              \
    }                                                            \
    inline TYPE atomicExch(TYPE* at, TYPE value) {               \
        return std::exchange(*at, value);                        \
    }                                                            \
    inline TYPE atomicCAS(TYPE* at, TYPE expected, TYPE value) { \
        const TYPE old = *at;                                    \
        if (old == expected) *at = value;                        \
        return old;                                              \
    }
TANDEM_EMULATED_ATOMIC(int)
TANDEM_EMULATED_ATOMIC(unsigned)
TANDEM_EMULATED_ATOMIC(unsigned long long)
#undef TANDEM_EMULATED_ATOMIC

#define TANDEM_EMULATED_MINMAX(TYPE)     \
    constexpr TYPE min(TYPE a, TYPE b) { \
        return b < a ? b : a;            \
    }                                    \
    constexpr TYPE max(TYPE a, TYPE b) { \
        return a < b ? b : a;            \
    }
TANDEM_EMULATED_MINMAX(int)
TANDEM_EMULATED_MINMAX(unsigned)
TANDEM_EMULATED_MINMAX(long)
TANDEM_EMULATED_MINMAX(unsigned long)
TANDEM_EMULATED_MINMAX(long long)
TANDEM_EMULATED_MINMAX(unsigned long long)
#undef TANDEM_EMULATED_MINMAX
// A NaN loses, as on the device.
inline float min(float a, float b) {
    return fminf(a, b);
}
inline float max(float a, float b) {
    return fmaxf(a, b);
}
inline double min(double a, double b) {
    return fmin(a, b);
}
inline double max(double a, double b) {
    return fmax(a, b);
}

template <typename T>
T __ldg(const T* at) {
    return *at;
}
template <typename T>
T __ldcs(const T* at) {
    return *at;
}
template <typename T>
void __stcs(T* at, T value) {
    *at = value;
}
inline unsigned __float_as_uint(float value) {
    return std::bit_cast<unsigned>(value);
}
inline float __uint_as_float(unsigned value) {
    return std::bit_cast<float>(value);
}
inline int __float_as_int(float value) {
    return std::bit_cast<int>(value);
}
inline float __int_as_float(int value) {
    return std::bit_cast<float>(value);
}
inline long long __double_as_longlong(double value) {
    return std::bit_cast<long long>(value);
}
inline double __longlong_as_double(long long value) {
    return std::bit_cast<double>(value);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<std::uint64_t>(a) * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<unsigned long long>(static_cast<Wide>(a) * b >> 64);
}
inline int __popc(unsigned value) {
    return std::popcount(value);
}
inline int __ffs(int value) {
    return __builtin_ffs(value);
}
inline int __clz(int value) {
    return std::countl_zero(static_cast<unsigned>(value));
}
inline float __fdividef(float a, float b) {
    return a / b;
}
inline float __fdiv_rn(float a, float b) {
    return a / b;
}
inline float __expf(float value) {
    return expf(value);
}
inline float __logf(float value) {
    return logf(value);
}
inline float __powf(float base, float exponent) {
    return powf(base, exponent);
}
inline float __saturatef(float value) {
    return value > 0 ? (value < 1 ? value : 1) : 0;
}
inline float rsqrtf(float value) {
    return 1 / sqrtf(value);
}
inline double rsqrt(double value) {
    return 1 / sqrt(value);
}
inline float __fsqrt_rn(float value) {
    return sqrtf(value);
}
inline float __frcp_rn(float value) {
    return 1 / value;
}
inline float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
// Products and sums that no compiler may contract.
__attribute__((noinline)) inline float __fmul_rn(float a, float b) {
    return a * b;
}
__attribute__((noinline)) inline float __fadd_rn(float a, float b) {
    return a + b;
}
__attribute__((noinline)) inline float __fsub_rn(float a, float b) {
    return a - b;
}
__attribute__((noinline)) inline double __dmul_rn(double a, double b) {
    return a * b;
}
__attribute__((noinline)) inline double __dadd_rn(double a, double b) {
    return a + b;
}
inline int __float2int_rd(float value) {
    return static_cast<int>(floorf(value));
}
inline int __float2int_rn(float value) {
    return static_cast<int>(rintf(value));
}
