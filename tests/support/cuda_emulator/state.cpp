#include "tests/support/cuda_emulator/state.h"

#include <new>
#include <utility>

#include <sys/mman.h>

#include "tests/support/cuda_emulator/blocks.h"
#include "tests/support/cuda_emulator/emulator.h"

namespace cuda_emulator {

State::State() {
    void* memory = mmap(nullptr, kAddresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    base = static_cast<std::byte*>(memory);
}

std::size_t State::allocated(int device) const {
    std::size_t sum = 0;
    for (const auto& [offset, one] : allocations) sum += one.device == device ? one.bytes : 0;
    return sum;
}

bool State::isPinned(const void* memory, std::size_t bytes) const {
    const auto* at = static_cast<const std::byte*>(memory);
    for (const auto* of : {&pinned, &registered}) {
        auto next = of->upper_bound(const_cast<std::byte*>(at));
        if (next == of->begin()) continue;
        --next;
        if (at + bytes <= next->first + next->second) return true;
    }
    return false;
}

State& state() {
    static State the_state;
    return the_state;
}
thread_local int chosen_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

cudaError_t failed(cudaError_t error) {
    last_error = error;
    return error;
}

void protect(int how) {
    State& all = state();
    if (all.used_to > 0) mprotect(all.base, (all.used_to + kPage - 1) / kPage * kPage, how);
}
Reach::Reach() {
    if (state().open++ == 0) protect(PROT_READ | PROT_WRITE);
}
Reach::~Reach() {
    if (--state().open == 0) protect(PROT_NONE);
}

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

cudaError_t refuseWhileCapturing() {
    for (const auto& stream : state().streams) {
        if (stream->capture == nullptr) continue;
        const std::thread::id thread = stream->capture->thread;
        if (thread != std::thread::id() && thread != std::this_thread::get_id()) continue;
        stream->capture->broken = true;
        return failed(cudaErrorStreamCaptureUnsupported);
    }
    return cudaSuccess;
}

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

}  // namespace cuda_emulator
