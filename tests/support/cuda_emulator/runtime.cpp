// Devices, memory, streams, events and graphs of the emulator.
#include <algorithm>
#include <chrono>
#include <deque>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define TANDEM_POISON(memory, bytes) __asan_poison_memory_region(memory, bytes)
#define TANDEM_UNPOISON(memory, bytes) __asan_unpoison_memory_region(memory, bytes)
#else
#define TANDEM_POISON(memory, bytes) static_cast<void>(0)
#define TANDEM_UNPOISON(memory, bytes) static_cast<void>(0)
#endif

#include "tests/support/cuda_emulator/blocks.h"
#include "tests/support/cuda_emulator/emulator.h"

namespace cuda_emulator {

using Work = std::function<cudaError_t()>;

struct Graph {
    std::vector<Work> work;  // in the order of the calls, which is one of those that the dependencies allow
};
struct Capture {
    Graph graph;
    Stream* origin = nullptr;
    int open = 0;  // other streams that have joined, whose work nobody has waited for
    bool broken = false;
};
struct Stream {
    std::deque<Work> queue;
    std::uint64_t issued = 0, done = 0;
    std::shared_ptr<Capture> capture;
    bool joined_back = true;  // of a stream that a capture has reached through an event
};
struct Event {
    Stream* stream = nullptr;
    std::uint64_t ticket = 0;
    std::shared_ptr<Capture> capture;
    Stream* captured_on = nullptr;
    std::chrono::steady_clock::time_point time;
};

namespace {

constexpr std::size_t kAddresses = std::size_t{64} << 30;  // reserved, never used up
constexpr std::size_t kAlignment = 256, kPage = 4096;
constexpr std::size_t kSharedLimit = 227 << 10, kSharedWithoutAsking = 48 << 10;

struct Allocation {
    std::size_t bytes = 0;
    int device = 0;
};

struct State {
    std::recursive_mutex mutex;
    bool lazy = false;
    int devices = 1;
    std::size_t capacity = std::size_t{1} << 30;
    int fail_in = 0;
    std::uint64_t launches = 0, waits = 0;
    std::byte* base = nullptr;
    std::size_t used_to = 0;                        // of the reserved addresses
    std::map<std::size_t, Allocation> allocations;  // by offset
    std::map<std::size_t, std::size_t> holes;
    std::map<std::byte*, std::size_t> pinned, registered;
    int open = 0;  // pieces of work that run: device memory is within reach
    std::vector<std::unique_ptr<Stream>> streams;
    Stream null_stream;
    std::map<const void*, std::size_t> shared_limits;
    cudaError_t sticky = cudaSuccess;

    State() {
        void* memory = mmap(nullptr, kAddresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        base = static_cast<std::byte*>(memory);
    }
    std::size_t allocated(int device) const {
        std::size_t sum = 0;
        for (const auto& [offset, one] : allocations) sum += one.device == device ? one.bytes : 0;
        return sum;
    }
    bool owns(const void* memory) const { return memory >= base && memory < base + kAddresses; }
    bool isPinned(const void* memory, std::size_t bytes) const {
        const auto* at = static_cast<const std::byte*>(memory);
        for (const auto* of : {&pinned, &registered}) {
            auto next = of->upper_bound(const_cast<std::byte*>(at));
            if (next == of->begin()) continue;
            --next;
            if (at + bytes <= next->first + next->second) return true;
        }
        return false;
    }
};
State& state() {
    static State the_state;
    return the_state;
}
thread_local int chosen_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

using Lock = std::lock_guard<std::recursive_mutex>;

cudaError_t failed(cudaError_t error) {
    last_error = error;
    return error;
}

void protect(int how) {
    State& all = state();
    if (all.used_to > 0) mprotect(all.base, (all.used_to + kPage - 1) / kPage * kPage, how);
}
// Device memory is within reach as long as one exists.
class Reach {
public:
    Reach() {
        if (state().open++ == 0) protect(PROT_READ | PROT_WRITE);
    }
    ~Reach() {
        if (--state().open == 0) protect(PROT_NONE);
    }
    Reach(const Reach&) = delete;
    Reach& operator=(const Reach&) = delete;
};

Stream& streamOf(cudaStream_t stream) {
    return stream == nullptr ? state().null_stream : *stream;
}

cudaError_t drain(Stream& stream, std::uint64_t to) {
    if (stream.done >= to || stream.queue.empty()) return state().sticky;
    onMachine([&] {
        while (stream.done < to && !stream.queue.empty()) {
            const Work work = std::move(stream.queue.front());
            stream.queue.pop_front();
            const cudaError_t error = work();
            ++stream.done;
            if (error != cudaSuccess) state().sticky = error;
        }
    });
    return state().sticky;
}

cudaError_t drainAll() {
    drain(state().null_stream, state().null_stream.issued);
    for (const auto& stream : state().streams) drain(*stream, stream->issued);
    return state().sticky;
}

cudaError_t issue(cudaStream_t to, Work work) {
    Stream& stream = streamOf(to);
    if (state().sticky != cudaSuccess) return failed(state().sticky);
    if (stream.capture != nullptr) {
        if (stream.capture->broken) return failed(cudaErrorStreamCaptureInvalidated);
        stream.capture->graph.work.push_back(std::move(work));
        if (&stream != stream.capture->origin && stream.joined_back) {
            stream.joined_back = false;
            ++stream.capture->open;
        }
        return cudaSuccess;
    }
    stream.queue.push_back(std::move(work));
    ++stream.issued;
    return state().lazy ? cudaSuccess : drain(stream, stream.issued);
}

// Waiting is no part of a graph.
cudaError_t refuseWhileCapturing() {
    for (const auto& stream : state().streams) {
        if (stream->capture == nullptr) continue;
        stream->capture->broken = true;
        return failed(cudaErrorStreamCaptureUnsupported);
    }
    return cudaSuccess;
}

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

void setLazyStreams(bool lazy) {
    const Lock lock(state().mutex);
    if (!lazy) drainAll();
    state().lazy = lazy;
}
void setDeviceCount(int devices) {
    state().devices = devices;
}
void setDeviceMemory(std::size_t bytes) {
    state().capacity = bytes;
}
std::size_t allocatedBytes() {
    const Lock lock(state().mutex);
    std::size_t sum = 0;
    for (const auto& [offset, one] : state().allocations) sum += one.bytes;
    return sum;
}
std::size_t pinnedBytes() {
    const Lock lock(state().mutex);
    std::size_t sum = 0;
    for (const auto& [at, bytes] : state().pinned) sum += bytes;
    return sum;
}
std::uint64_t launches() {
    return state().launches;
}
std::uint64_t hostSynchronizations() {
    return state().waits;
}
void failAllocation(int calls) {
    state().fail_in = calls;
}
Settings::~Settings() {
    setOrder(Order::kForward);
    setLazyStreams(false);
    setDeviceCount(1);
    setDeviceMemory(std::size_t{1} << 30);
    failAllocation(0);
    state().sticky = cudaSuccess;
    last_error = cudaSuccess;
}

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

using cuda_emulator::Event;
using cuda_emulator::failed;
using cuda_emulator::Graph;
using cuda_emulator::issue;
using cuda_emulator::Lock;
using cuda_emulator::Reach;
using cuda_emulator::state;
using cuda_emulator::Stream;
using cuda_emulator::streamOf;

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

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    const Lock lock(state().mutex);
    auto& all = state();
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (all.fail_in > 0 && --all.fail_in == 0) return failed(cudaErrorMemoryAllocation);
    if (all.allocated(cuda_emulator::chosen_device) + bytes > all.capacity) return failed(cudaErrorMemoryAllocation);
    // A gap behind each.
    const std::size_t room =
        (bytes + cuda_emulator::kAlignment - 1) / cuda_emulator::kAlignment * cuda_emulator::kAlignment + cuda_emulator::kAlignment;
    std::size_t offset = all.used_to;
    const auto hole = std::find_if(all.holes.begin(), all.holes.end(), [&](const auto& one) { return one.second >= room; });
    if (hole != all.holes.end()) {
        offset = hole->first;
        const std::size_t rest = hole->second - room;
        all.holes.erase(hole);
        if (rest > 0) all.holes[offset + room] = rest;
    } else {
        if (all.used_to + room > cuda_emulator::kAddresses) return failed(cudaErrorMemoryAllocation);
        all.used_to += room;
    }
    all.allocations[offset] = {.bytes = bytes, .device = cuda_emulator::chosen_device};
    const Reach reach;
    cuda_emulator::protect(PROT_READ | PROT_WRITE);  // of new addresses, too
    TANDEM_UNPOISON(all.base + offset, bytes);
    std::memset(all.base + offset, 0xFF, bytes);
    TANDEM_POISON(all.base + offset + bytes, room - bytes);
    *memory = all.base + offset;
    return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
    const Lock lock(state().mutex);
    auto& all = state();
    if (memory == nullptr) return cudaSuccess;
    cuda_emulator::drainAll();
    const auto found = all.allocations.find(static_cast<std::size_t>(static_cast<std::byte*>(memory) - all.base));
    if (!all.owns(memory) || found == all.allocations.end()) return failed(cudaErrorInvalidValue);
    const Reach reach;
    const std::size_t bytes = found->second.bytes;
    const std::size_t room =
        (bytes + cuda_emulator::kAlignment - 1) / cuda_emulator::kAlignment * cuda_emulator::kAlignment + cuda_emulator::kAlignment;
    std::memset(memory, 0xFF, bytes);
    TANDEM_POISON(memory, room);
    auto at = all.holes.emplace(found->first, room).first;
    all.allocations.erase(found);
    if (const auto next = std::next(at); next != all.holes.end() && at->first + at->second == next->first) {
        at->second += next->second;
        all.holes.erase(next);
    }
    if (at != all.holes.begin()) {
        if (const auto before = std::prev(at); before->first + before->second == at->first) {
            before->second += at->second;
            all.holes.erase(at);
        }
    }
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
    const Lock lock(state().mutex);
    auto* at = new (std::align_val_t{4096}) std::byte[bytes > 0 ? bytes : 1];
    std::memset(at, 0xFF, bytes);
    state().pinned[at] = bytes;
    *memory = at;
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
    return cudaMallocHost(memory, bytes);
}
cudaError_t cudaFreeHost(void* memory) {
    const Lock lock(state().mutex);
    if (memory == nullptr) return cudaSuccess;
    cuda_emulator::drainAll();
    if (state().pinned.erase(static_cast<std::byte*>(memory)) == 0) return failed(cudaErrorInvalidValue);
    ::operator delete[](memory, std::align_val_t{4096});
    return cudaSuccess;
}
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned) {
    const Lock lock(state().mutex);
    state().registered[static_cast<std::byte*>(memory)] = bytes;
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* memory) {
    const Lock lock(state().mutex);
    cuda_emulator::drainAll();
    return state().registered.erase(static_cast<std::byte*>(memory)) > 0 ? cudaSuccess : failed(cudaErrorInvalidValue);
}

namespace {

struct Copy {
    std::byte* to = nullptr;
    std::size_t to_pitch = 0;
    const std::byte* from = nullptr;
    std::size_t from_pitch = 0, width = 0, height = 1;
};

cudaError_t copyNow(const Copy& copy) {
    const Reach reach;
    for (std::size_t row = 0; row < copy.height; ++row) {
        std::memmove(copy.to + row * copy.to_pitch, copy.from + row * copy.from_pitch, copy.width);
    }
    return cudaSuccess;
}

bool directionHolds(const Copy& copy, cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDefault) return true;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return state().owns(copy.to) == to_device && state().owns(copy.from) == from_device;
}

cudaError_t copyLater(Copy copy, cudaMemcpyKind kind, cudaStream_t stream) {
    const Lock lock(state().mutex);
    if (copy.width == 0 || copy.height == 0) return cudaSuccess;
    if (!directionHolds(copy, kind)) return failed(cudaErrorInvalidValue);
    const auto& capture = streamOf(stream).capture;
    const std::size_t from_bytes = (copy.height - 1) * copy.from_pitch + copy.width;
    const std::size_t to_bytes = (copy.height - 1) * copy.to_pitch + copy.width;
    const bool reads_pageable = !state().owns(copy.from) && !state().isPinned(copy.from, from_bytes);
    const bool writes_pageable = !state().owns(copy.to) && !state().isPinned(copy.to, to_bytes);
    if (capture != nullptr && (reads_pageable || writes_pageable)) return failed(cudaErrorStreamCaptureUnsupported);
    if (!reads_pageable && !writes_pageable) return issue(stream, [copy] { return copyNow(copy); });
    if (writes_pageable) {  // comes back when it is done
        const cudaError_t error = issue(stream, [copy] { return copyNow(copy); });
        return error != cudaSuccess ? error : cuda_emulator::drain(streamOf(stream), streamOf(stream).issued);
    }
    // What is not pinned is copied into the driver's own memory before the call returns.
    auto kept = std::make_shared<std::vector<std::byte>>(from_bytes);
    std::memcpy(kept->data(), copy.from, from_bytes);
    copy.from = kept->data();
    return issue(stream, [copy, kept] { return copyNow(copy); });
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const Lock lock(state().mutex);
    if (const cudaError_t error = cuda_emulator::refuseWhileCapturing(); error != cudaSuccess) return error;
    const Copy copy{.to = static_cast<std::byte*>(to), .from = static_cast<const std::byte*>(from), .width = bytes};
    if (!directionHolds(copy, kind)) return failed(cudaErrorInvalidValue);
    ++state().waits;
    if (const cudaError_t error = cuda_emulator::drainAll(); error != cudaSuccess) return failed(error);
    return copyNow(copy);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return copyLater({.to = static_cast<std::byte*>(to), .from = static_cast<const std::byte*>(from), .width = bytes}, kind, stream);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return copyLater({.to = static_cast<std::byte*>(to),
                      .to_pitch = to_pitch,
                      .from = static_cast<const std::byte*>(from),
                      .from_pitch = from_pitch,
                      .width = width,
                      .height = height},
                     kind, stream);
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
    const Lock lock(state().mutex);
    if (const cudaError_t error = cudaMemsetAsync(memory, value, bytes, nullptr); error != cudaSuccess) return error;
    return cuda_emulator::drain(state().null_stream, state().null_stream.issued);
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    const Lock lock(state().mutex);
    if (bytes == 0) return cudaSuccess;
    if (!state().owns(memory)) return failed(cudaErrorInvalidValue);
    return issue(stream, [=] {
        const Reach reach;
        std::memset(memory, value, bytes);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    const Lock lock(state().mutex);
    state().streams.push_back(std::make_unique<Stream>());
    *stream = state().streams.back().get();
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return cudaStreamCreate(stream);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    return cudaStreamCreate(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const Lock lock(state().mutex);
    cuda_emulator::drainAll();
    auto& streams = state().streams;
    const auto found = std::find_if(streams.begin(), streams.end(), [&](const auto& one) { return one.get() == stream; });
    if (found == streams.end()) return failed(cudaErrorInvalidResourceHandle);
    streams.erase(found);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const Lock lock(state().mutex);
    if (streamOf(stream).capture != nullptr) return cuda_emulator::refuseWhileCapturing();
    ++state().waits;
    const cudaError_t error = cuda_emulator::drain(streamOf(stream), streamOf(stream).issued);
    return error == cudaSuccess ? error : failed(error);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cudaStreamSynchronize(stream);  // time passes while one asks
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const Lock lock(state().mutex);
    Stream& waiting = streamOf(stream);
    if (event->capture != nullptr) {
        if (waiting.capture == nullptr) {
            waiting.capture = event->capture;
            waiting.joined_back = true;
        }
        if (event->captured_on != event->capture->origin && &waiting != event->captured_on && !event->captured_on->joined_back) {
            event->captured_on->joined_back = true;
            --event->capture->open;
        }
        return cudaSuccess;
    }
    if (event->stream == nullptr) return cudaSuccess;
    Stream* recorded = event->stream;
    const std::uint64_t ticket = event->ticket;
    return issue(stream, [recorded, ticket] { return cuda_emulator::drain(*recorded, ticket); });
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    const Lock lock(state().mutex);
    if (stream == nullptr || stream->capture != nullptr) return failed(cudaErrorStreamCaptureUnsupported);
    stream->capture = std::make_shared<cuda_emulator::Capture>();
    stream->capture->origin = stream;
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    const Lock lock(state().mutex);
    *graph = nullptr;
    const auto capture = stream->capture;
    if (capture == nullptr || capture->origin != stream) return failed(cudaErrorInvalidValue);
    for (const auto& one : state().streams) {
        if (one->capture == capture) one->capture = nullptr;
    }
    if (capture->broken) return failed(cudaErrorStreamCaptureInvalidated);
    if (capture->open > 0) return failed(cudaErrorStreamCaptureUnjoined);
    *graph = new Graph(std::move(capture->graph));
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const Lock lock(state().mutex);
    const auto& capture = streamOf(stream).capture;
    *status = capture == nullptr ? cudaStreamCaptureStatusNone
              : capture->broken  ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    *event = new Event();
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Lock lock(state().mutex);
    cuda_emulator::drainAll();
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const Lock lock(state().mutex);
    Stream& recorded = streamOf(stream);
    if (recorded.capture != nullptr) {
        event->capture = recorded.capture;
        event->captured_on = &recorded;
        return cudaSuccess;
    }
    event->capture = nullptr;
    event->stream = &recorded;
    event->ticket = recorded.issued + 1;
    return issue(stream, [event] {
        event->time = std::chrono::steady_clock::now();
        return cudaSuccess;
    });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const Lock lock(state().mutex);
    ++state().waits;
    if (event->stream == nullptr) return cudaSuccess;
    const cudaError_t error = cuda_emulator::drain(*event->stream, event->ticket);
    return error == cudaSuccess ? error : failed(error);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    const Lock lock(state().mutex);
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* runnable, cudaGraph_t graph, unsigned long long) {
    *runnable = new Graph(*graph);
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t runnable, cudaStream_t stream) {
    const Lock lock(state().mutex);
    const std::vector<cuda_emulator::Work>* work = &runnable->work;
    return issue(stream, [work] {
        const Reach reach;
        for (const cuda_emulator::Work& one : *work) {
            if (const cudaError_t error = one(); error != cudaSuccess) return error;
        }
        return cudaSuccess;
    });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, std::size_t* count) {
    *count = graph->work.size();
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t runnable) {
    const Lock lock(state().mutex);
    cuda_emulator::drainAll();
    delete runnable;
    return cudaSuccess;
}
