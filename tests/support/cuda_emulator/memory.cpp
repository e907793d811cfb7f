// Memory of the emulator's devices and of the host, and copies.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
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

#include "tests/support/cuda_emulator/state.h"

using cuda_emulator::failed;
using cuda_emulator::issue;
using cuda_emulator::Lock;
using cuda_emulator::Reach;
using cuda_emulator::state;
using cuda_emulator::streamOf;

namespace {

// What lies behind `to` is free: its pages go, so that protect() has few of them to change between two pieces of work.
void giveBack(std::size_t to) {
    auto& all = state();
    const auto pages = [](std::size_t bytes) { return (bytes + cuda_emulator::kPage - 1) / cuda_emulator::kPage * cuda_emulator::kPage; };
    const std::size_t begin = pages(to), end = pages(all.used_to);
    all.used_to = to;
    if (begin == end) return;
    mprotect(all.base + begin, end - begin, PROT_NONE);
    madvise(all.base + begin, end - begin, MADV_DONTNEED);
}

}  // namespace

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
            at = before;
        }
    }
    if (at->first + at->second == all.used_to) {
        giveBack(at->first);
        all.holes.erase(at);
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
    for (std::size_t row = 0; row < copy.height && copy.width > 0; ++row) {  // nothing may be copied from nowhere
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
